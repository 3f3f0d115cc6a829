// A clock that only tests move: sleeps are recorded, and end at once or when the test advances the time.
import { type Clock } from '../../src/core/ports/clock';

export interface ManualClock extends Clock {
  /** Milliseconds of every sleep, in order. */
  readonly slept: number[];
  /** Resolves once so many sleeps have begun. */
  sleeping(count: number): Promise<void>;
  /** Moves the time and ends the sleeps that are over. */
  advance(ms: number): void;
}

/** `auto` ends every sleep at once, with the time moved on by it. */
export function createManualClock(mode: 'auto' | 'manual' = 'auto', start = Date.UTC(2026, 10, 21)): ManualClock {
  const slept: number[] = [];
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const watchers = new Set<{ count: number; resolve: () => void }>();
  let now = start;
  const advance = (ms: number): void => {
    now += ms;
    for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
  };
  return {
    slept,
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = (): void => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        };
        const sleeper = {
          until: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', abort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener('abort', abort, { once: true });
        slept.push(ms);
        for (const watcher of [...watchers]) if (slept.length >= watcher.count) watcher.resolve();
        if (mode === 'auto') advance(ms);
        return undefined;
      }),
    sleeping: (count) =>
      new Promise((resolve) => {
        if (slept.length >= count) resolve();
        else watchers.add({ count, resolve });
      }),
    advance,
  };
}
