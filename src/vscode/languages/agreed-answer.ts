// Asks a language server until two answers in a row are the same: while it reads a project it answers for the files that it knows so far.
import { setTimeout as delay } from 'node:timers/promises';

const maxAsks = 12;
const pauseMs = 250;

/** Undefined where it keeps changing. */
export async function agreedAnswer<Answer>(
  ask: () => PromiseLike<Answer>,
  key: (answer: Answer) => string,
  signal: AbortSignal,
): Promise<{ answer: Answer } | undefined> {
  let last: string | undefined;
  for (let asked = 0; asked < maxAsks; asked++) {
    const answer = await ask();
    signal.throwIfAborted();
    const found = key(answer);
    if (found === last) return { answer };
    // Nothing to compare with yet: the second question follows at once.
    if (last !== undefined) await delay(pauseMs, undefined, { signal });
    last = found;
  }
  return undefined;
}
