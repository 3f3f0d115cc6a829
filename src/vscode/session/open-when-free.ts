// Opens a session that another process may have open: that one is asked to let go of it.
import { type Clock } from '../../core/ports/clock';
import { type SessionStore, type SessionWish } from '../../core/ports/session-store';
import { DeftError } from '../../core/text/errors';

const lockPatienceMs = 5_000;
const lockRetryMs = 150;

/** After a reload the old extension host may hold the session for a moment longer, or for good: it is asked. */
export async function openWhenFree(
  id: string,
  store: SessionStore,
  clock: Pick<Clock, 'now' | 'sleep'>,
  wish: SessionWish,
): ReturnType<SessionStore['open']> {
  let until = Infinity;
  for (;;) {
    try {
      return await store.open(id);
    } catch (error) {
      if (!(error instanceof DeftError) || error.code !== 'session-locked' || clock.now() >= until) throw error;
      if (until === Infinity)
        until = (await store.ask?.(id, wish)) === false ? clock.now() : clock.now() + lockPatienceMs;
      await clock.sleep(lockRetryMs, new AbortController().signal);
    }
  }
}
