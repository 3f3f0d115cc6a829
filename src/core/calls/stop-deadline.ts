// Ends the wait for a tool that was asked to stop and does not.
import { type Clock } from '../ports/clock';

/** Longer than a command's process tree needs to be ended, shorter than the user's patience. */
export const stopPatienceMs = 10_000;

/** The tool may still run, or have finished unseen. */
export class StillRunning extends Error {
  constructor() {
    super('The call did not stop in time.');
    this.name = 'StillRunning';
  }
}

/** Settles as `work` does; rejects with StillRunning where it is still at work `stopPatienceMs` after the abort. */
export async function withStopDeadline<Value>(work: Promise<Value>, signal: AbortSignal, clock: Clock): Promise<Value> {
  const ended = new AbortController();
  let onAbort = (): void => undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      clock.sleep(stopPatienceMs, ended.signal).then(
        () => reject(new StillRunning()),
        () => undefined,
      );
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    ended.abort();
  }
}
