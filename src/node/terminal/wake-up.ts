// A pause that ends early where something may have changed.

export interface WakeUp {
  /** Resolves after `ms`, or at once where it was woken since the last wait. */
  wait(ms: number): Promise<void>;
  now(): void;
}

export function createWakeUp(): WakeUp {
  let woken = false;
  let answer: (() => void) | undefined;
  return {
    now: () => {
      woken = true;
      answer?.();
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          answer = undefined;
          woken = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        answer = done;
        if (woken) done();
      }),
  };
}
