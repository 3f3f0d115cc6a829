// Sends a request again at once where an idle connection turned out to be dead: nothing had reached the server, so that is no failure of it.
import { causes, isReset } from './connection-error';

/** `pieces` make up the body where it is a stream, which cannot be sent twice. `mayBeIdle`: a connection may have been kept since an earlier answer. */
export function resendOnReset(inner: typeof fetch, pieces: readonly Uint8Array[] | undefined, mayBeIdle: () => boolean): typeof fetch {
  return async (input, init) => {
    try {
      return await inner(input, init);
    } catch (error) {
      if (init?.signal?.aborted === true || !mayBeIdle() || !isReset(causes(error))) throw error;
      return inner(input, pieces === undefined ? init : { ...init, body: Buffer.concat(pieces).toString('utf8') });
    }
  };
}
