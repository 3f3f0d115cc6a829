// Sends a request again at once where an idle connection turned out to be dead. A reset proves nothing alone: one that comes late may cut an answer that is paid for.
import { causes, isReset } from './connection-error';

/** A dead connection says so at once: later the server may have read the request and be at work on it. */
const atOnceMs = 1000;

/** `pieces` make up the body where it is a stream, which cannot be sent twice. `mayBeIdle`: a connection may have been kept since an earlier answer. */
export function resendOnReset(
  inner: typeof fetch,
  pieces: readonly Uint8Array[] | undefined,
  mayBeIdle: () => boolean,
  now = (): number => performance.now(),
): typeof fetch {
  return async (input, init) => {
    const sent = now();
    try {
      return await inner(input, init);
    } catch (error) {
      if (
        init?.signal?.aborted === true ||
        !mayBeIdle() ||
        now() - sent > atOnceMs ||
        isNewConnection(error) ||
        !isReset(causes(error))
      )
        throw error;
      return inner(input, pieces === undefined ? init : { ...init, body: Buffer.concat(pieces).toString('utf8') });
    }
  };
}

/** Where the failure describes its connection, as Node's fetch does when the other side closed it: nothing was ever read from it. */
function isNewConnection(error: unknown): boolean {
  const { cause } = error as { cause?: { socket?: { bytesRead?: unknown } | null } | null };
  return cause?.socket?.bytesRead === 0;
}
