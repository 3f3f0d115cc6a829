// What arrives for the model while a tool runs: a tool that only waits wakes for it.

/** A message of the user, or something that happened: a command in the background has ended. */
export type News = 'message' | 'event';

export interface NewsBell {
  /** Something has arrived. */
  ring(): void;
  /** Calls back when something arrives, at once where it waits already; returns the unsubscribe function. */
  listen(listener: (news: News) => void): () => void;
}

/** `waiting` says what has not reached the model yet. */
export function createNewsBell(waiting: () => News | undefined): NewsBell {
  const listeners = new Set<(news: News) => void>();
  const notify = (listener: (news: News) => void): void => {
    const news = waiting();
    if (news !== undefined) listener(news);
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
