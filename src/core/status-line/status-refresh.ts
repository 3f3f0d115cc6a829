// When the command of the status line runs: after a change, one at a time, at most so often, and never for long.
import { type Clock } from '../ports/clock';

export interface StatusRefresh {
  /** Something that it may show has changed. */
  changed(): void;
  /** What runs is ended. */
  dispose(): void;
}

export interface StatusRefreshServices {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Never rejects but on abort. */
  run: (signal: AbortSignal) => Promise<void>;
}

export const statusPauseMs = 300;
export const statusTimeoutMs = 5_000;

/** A change while the command runs makes it run once more after it. */
export function createStatusRefresh({ clock, run }: StatusRefreshServices): StatusRefresh {
  const disposed = new AbortController();
  let begun = -Infinity;
  let busy = false;
  let again = false;

  const once = async (): Promise<void> => {
    const left = begun + statusPauseMs - clock.now();
    if (left > 0) await clock.sleep(left, disposed.signal);
    again = false;
    begun = clock.now();
    const over = new AbortController();
    const signal = AbortSignal.any([disposed.signal, over.signal]);
    const timer = new AbortController();
    clock.sleep(statusTimeoutMs, timer.signal).then(
      () => over.abort(),
      () => undefined,
    );
    try {
      await run(signal);
    } finally {
      timer.abort();
    }
  };
  const follow = async (): Promise<void> => {
    while (again && !disposed.signal.aborted) await once().catch(() => undefined);
    busy = false;
  };
  return {
    changed() {
      again = true;
      if (busy || disposed.signal.aborted) return;
      busy = true;
      void follow();
    },
    dispose: () => disposed.abort(),
  };
}
