// Notices when nothing more arrives of a reply that is waited for: the user is notified, and may stop.
import { type Clock } from '../ports/clock';

/** Shorter than what ends a request: until then it may still come. */
export const defaultSilenceMs = 20_000;

export interface SilenceWatch {
  /** Something came. */
  heard(): void;
  /** The reply is over. */
  stop(): void;
}

/** Reports `true` when nothing has come for so long, `false` when something does or it is over. One sleep in all, not one per touch. */
export function watchSilence(clock: Clock, ms: number | undefined, onChange: (silent: boolean) => void): SilenceWatch {
  if (ms === undefined || ms <= 0) return { heard: () => undefined, stop: () => undefined };
  const over = new AbortController();
  let last = clock.now();
  let silent = false;
  const wait = async (): Promise<void> => {
    try {
      for (let left = ms; left > 0; left = last + ms - clock.now()) await clock.sleep(left, over.signal);
    } catch {
      return;
    }
    if (over.signal.aborted) return;
    silent = true;
    onChange(true);
  };
  const end = (): void => {
    if (!silent) return;
    silent = false;
    onChange(false);
  };
  void wait();
  return {
    heard() {
      last = clock.now();
      if (!silent) return;
      end();
      void wait();
    },
    stop() {
      over.abort();
      end();
    },
  };
}
