// What closes in the background: its failures reach the log, and the window's end can wait for it.
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';

export interface Closing {
  add(what: string, done: Promise<unknown>): void;
  /** Resolves, never rejects, when all that was added has ended; after so many milliseconds in any case. */
  settled(withinMs?: number): Promise<void>;
}

export function createClosing(log: Pick<Log, 'warn'>): Closing {
  const closing = new Set<Promise<void>>();
  return {
    add(what, done) {
      const logged = done.then(
        () => undefined,
        (error: unknown) => log.warn(`${what} could not be closed.`, messageOf(error)),
      );
      closing.add(logged);
      void logged.then(() => closing.delete(logged));
    },
    async settled(withinMs) {
      const all = Promise.all([...closing]);
      if (withinMs === undefined) return void (await all);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}
