// What arrives for the model while a tool runs: a tool that only waits wakes for it.

/** A message of the user, or something that happened: a command in the background has ended. */
export type Arrival = 'message' | 'event';

export interface ArrivalBell {
  /** Something has arrived. */
  ring(): void;
  /** Calls back when something arrives, at once where it waits already; returns the unsubscribe function. */
  listen(listener: (arrival: Arrival) => void): () => void;
}

/** `waiting` says what has not reached the model yet. */
export function createArrivalBell(waiting: () => Arrival | undefined): ArrivalBell {
  const listeners = new Set<(arrival: Arrival) => void>();
  const notify = (listener: (arrival: Arrival) => void): void => {
    const arrival = waiting();
    if (arrival !== undefined) listener(arrival);
  };
  return {
    ring: () => [...listeners].forEach(notify),
    listen(listener) {
      listeners.add(listener);
      notify(listener);
      return () => void listeners.delete(listener);
    },
  };
}
