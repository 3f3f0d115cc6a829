// Notices a stream on which nothing arrives: any byte counts as a sign of life, pings too.

/** Calls back after milliseconds; returns the function that cancels it. Tests give their own. */
export type StartTimer = (milliseconds: number, callback: () => void) => () => void;

export const startRealTimer: StartTimer = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

export interface StallWatch {
  /** Something arrived: waits the whole time again. */
  touch(): void;
  /** The reader is busy elsewhere and asks for nothing: its time does not count. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Calls `onStall` once when nothing was touched for the given time. Cheap to touch: one running timer, not one a byte. */
export function watchStall(milliseconds: number, startTimer: StartTimer, onStall: () => void): StallWatch {
  let touched = false;
  let paused = false;
  let stopped = false;
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = startTimer(milliseconds, () => {
      if (stopped) return;
      if (!touched && !paused) return onStall();
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
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
