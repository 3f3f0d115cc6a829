// How long work on a log is cut up, so that nothing else has to wait for it.

export interface Slices {
  /** Lets others have their turn. */
  pause: () => Promise<unknown>;
  /** Milliseconds, from any start. */
  now: () => number;
}
