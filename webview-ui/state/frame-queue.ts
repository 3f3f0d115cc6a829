// Collects what arrives and hands it on once a frame.

/** Where the page does not paint (hidden), things are handed on after this many milliseconds. */
const FALLBACK_MS = 1_000;

export interface FrameQueue<T> {
  add(values: readonly T[]): void;
  /** Forgets what was not handed on yet. */
  clear(): void;
}

export function createFrameQueue<T>(handle: (values: readonly T[]) => void): FrameQueue<T> {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = undefined;
    const values = waiting;
    waiting = [];
    if (values.length > 0) handle(values);
  }

  return {
    add(values) {
      waiting.push(...values);
      if (frame !== undefined) return;
      frame = requestAnimationFrame(flush);
      timer = setTimeout(flush, FALLBACK_MS);
    },
    clear() {
      waiting = [];
    },
  };
}
