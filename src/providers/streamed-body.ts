// Sends a body piece by piece: fetch makes three copies of a body that it is given as bytes, and none of a stream's.
import { sizeOf } from './request-body';

/** What fetch needs to know of such a body. */
export function streamedBody(pieces: readonly Uint8Array[]): {
  body: ReadableStream<Uint8Array>;
  headers: Record<string, string>;
  fetchOptions: Pick<RequestInit, 'credentials'>;
} {
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
    // A refused key is reported as such, not as a stream that fetch cannot send again with other credentials.
    fetchOptions: { credentials: 'omit' },
  };
}

/** A redirect makes fetch give up a stream: the same goes out as text, which it takes along (bytes fail there in Node 20). */
export function resendOnRedirect(inner: typeof fetch, pieces: readonly Uint8Array[]): typeof fetch {
  return async (input, init) => {
    try {
      return await inner(input, init);
    } catch (error) {
      if (!isRedirected(error)) throw error;
      return inner(input, { ...init, body: Buffer.concat(pieces).toString('utf8') });
    }
  };
}

/**
 * Fetch gives this failure no reason; what goes wrong with a connection has a message or a code. With `redirect: 'manual'`
 * one would know for sure, but VS Code's `http.electronFetch` does not do those requests.
 */
function isRedirected(error: unknown): boolean {
  return (
    error instanceof TypeError && error.cause instanceof Error && error.cause.message === '' && !('code' in error.cause)
  );
}
