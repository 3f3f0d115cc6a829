// Notices a stream on which nothing arrives: any byte counts as a sign of life, pings too, but not for ever.

/** Calls back after milliseconds; returns the function that cancels it. Tests give their own. */
export type StartTimer = (milliseconds: number, callback: () => void) => () => void;

export const startRealTimer: StartTimer = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

export interface Patience {
  /** Without a single byte. */
  stallMs: number;
  /** Without an event that the reader had use for: a server that does nothing but ping is alive and no use. */
  quietMs: number;
  startTimer: StartTimer;
}

export interface StallWatch {
  /** Something arrived: waits the whole time again. */
  touch(): void;
  /** The reader is busy elsewhere and asks for nothing: its time does not count. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Calls `onStall` once, with the time that was too long. Cheap to touch: one running timer, not one a byte. */
export function watchStall(
  { stallMs, quietMs, startTimer }: Patience,
  onStall: (milliseconds: number) => void,
): StallWatch {
  let touched = false;
  /** Milliseconds since the reader last had an event. */
  let quiet = 0;
  let paused = false;
  let stopped = false;
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = startTimer(stallMs, () => {
      if (stopped) return;
      if (!touched && !paused) return onStall(stallMs);
      quiet = paused ? 0 : quiet + stallMs;
      if (quiet >= quietMs) return onStall(quiet);
      touched = false;
      arm();
    });
  };
  arm();
  return {
    touch() {
      touched = true;
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      touched = true;
      quiet = 0;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
