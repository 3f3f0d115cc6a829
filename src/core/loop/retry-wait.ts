// Waits between two tries of a request. The user ends a wait with "Try now", and a machine that slept looks again at once.
import { type Clock } from '../ports/clock';

export interface RetryWait {
  /** Resolves when it is time to try again. Rejects when the turn is stopped. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** The same, where the machine may sleep meanwhile: its timers stand still then. */
  watch(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the wait that runs, if one does. */
  tryNow(): void;
}

const sliceMs = 1_000;
/** The clock has jumped by so much: nothing but sleep, or a new time, does that. */
const jumpMs = 5_000;

export function createRetryWait(clock: Clock): RetryWait {
  let pressed: (() => void) | undefined;

  const untilPressed = async (wait: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const ended = new AbortController();
    const stop = (): void => ended.abort(signal.reason);
    const press = (): void => ended.abort();
    signal.addEventListener('abort', stop, { once: true });
    pressed = press;
    try {
      await wait(ended.signal);
    } catch (error) {
      if (signal.aborted || !ended.signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      if (pressed === press) pressed = undefined;
    }
  };

  return {
    tryNow: () => pressed?.(),
    pause: (ms, signal) => untilPressed((ended) => clock.sleep(ms, ended), signal),
    watch: (ms, signal) =>
      untilPressed(async (ended) => {
        const until = clock.now() + ms;
        for (let left = ms; left > 0; left = until - clock.now()) {
          const slice = Math.min(sliceMs, left);
          const before = clock.now();
          await clock.sleep(slice, ended);
          if (Math.abs(clock.now() - before - slice) > jumpMs) return;
        }
      }, signal),
  };
}
