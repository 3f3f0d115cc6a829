// Asks the process that has a session open to let go of it: a file next to its lock carries the question and the answer.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { type SessionWish } from '../../core/ports/session-store';
import { watchFolder, type WatchOptions } from './watch-folder';

const pollMs = 50;
/** A question that nobody took away is older than whoever asked would wait for. */
const staleMs = 30_000;
/** Nobody has heard it by then: the holder is another program, an older version, or hangs. */
const answerMs = 5_000;
/** It ends its turn first. */
const closingMs = 15_000;

const answers = { closing: 'closing', kept: 'kept' } as const;

function questionOf(lockPath: string): string {
  return `${lockPath}.wanted`;
}

/** True once nobody holds it; false where the holder keeps it, or does not answer. `held`: whether a living process has it. */
export async function askHolder(
  lockPath: string,
  wish: SessionWish,
  held: () => Promise<boolean>,
  patienceMs = answerMs,
): Promise<boolean> {
  const question = questionOf(lockPath);
  await writeFile(question, wish, { mode: 0o600 });
  try {
    const asked = Date.now();
    for (let patience = patienceMs; Date.now() - asked < patience; await sleep(pollMs)) {
      if (!(await held())) return true;
      const answer = await readFile(question, 'utf8').catch(() => '');
      if (answer === answers.kept) return false;
      if (answer === answers.closing) patience = closingMs;
    }
    return false;
  } finally {
    await rm(question, { force: true }).catch(() => undefined);
  }
}

/** Hears such questions; `lets` says whether the session is closed now. Returns what ends it. */
export function hearQuestions(
  lockPath: string,
  lets: (wish: SessionWish) => Promise<boolean>,
  watching: WatchOptions = {},
): () => void {
  const question = questionOf(lockPath);
  let busy = false;
  let again = false;
  const look = async (): Promise<void> => {
    const stats = await stat(question).catch(() => undefined);
    if (stats === undefined || Date.now() - stats.mtimeMs > staleMs) return;
    const wish = await readFile(question, 'utf8');
    if (wish !== 'unless-seen' && wish !== 'taken-over') return;
    // Only where it is still there: an answer must not become a question's file.
    await writeFile(question, (await lets(wish)) ? answers.closing : answers.kept, { flag: 'r+' });
  };
  const changed = (): void => {
    // It is made first, and written then.
    again = busy;
    if (busy) return;
    busy = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        busy = false;
        if (again) changed();
      });
  };
  const name = path.basename(question);
  const end = watchFolder(
    path.dirname(question),
    (which) => {
      if (which === undefined || which === name) changed();
    },
    watching,
  );
  // What was asked before somebody listened.
  changed();
  return end;
}
