// Waits for an answer that may never come: at most a time, and no longer than the user wants.
import { type Clock } from '../ports/clock';

export const noAnswer = Symbol('no answer');

/** `ask` gets a signal that fires when nobody waits any more. Rejects on abort. */
export async function answerWithin<Value>(
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
  clock: Clock,
): Promise<Value | typeof noAnswer> {
  signal.throwIfAborted();
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  const answer = ask(within);
  // Whoever no longer waits is not notified of later failures.
  answer.catch(() => undefined);
  const late = clock.sleep(milliseconds, within).then((): typeof noAnswer => noAnswer);
  late.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
}
