// Sends a body piece by piece: fetch makes three copies of a body that it is given as bytes, and none of a stream's.
import { sizeOf } from './request-body';

/** What fetch needs to know of such a body. */
export function streamedBody(pieces: readonly Uint8Array[]): { body: ReadableStream<Uint8Array>; headers: Record<string, string>; fetchOptions: Pick<RequestInit, 'redirect' | 'credentials'> } {
  let next = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        const piece = pieces[next++];
        if (piece === undefined) stream.close();
        else stream.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    // Without a length it would go in chunks, which some gateways refuse.
    headers: { 'content-length': String(sizeOf(pieces)) },
    // Fetch cannot send a stream again: it would report a redirect, or (some versions) a refused key, as a network error.
    fetchOptions: { redirect: 'manual', credentials: 'omit' },
  };
}

/** Where the answer is a redirect, the same goes out as text: fetch takes it along, which fails in Node 20 for bytes. */
export function resendOnRedirect(inner: typeof fetch, pieces: readonly Uint8Array[]): typeof fetch {
  return async (input, init) => {
    const answer = await inner(input, init);
    if (!redirects.has(answer.status) && answer.type !== 'opaqueredirect') return answer;
    await answer.body?.cancel();
    return inner(input, { ...init, body: Buffer.concat(pieces).toString('utf8'), redirect: 'follow' });
  };
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
