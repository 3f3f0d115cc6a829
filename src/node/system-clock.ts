// The Clock port on the machine's own time.
import { type Clock } from '../core/ports/clock';

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, ms);
        signal.addEventListener('abort', stop, { once: true });
      }),
  };
}
