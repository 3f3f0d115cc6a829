// Searches for words in sessions, file by file, newest first, in slices that leave the event loop free.
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { type SessionSummary } from '../../core/ports/session-store';
import { decodeRecord } from '../../core/sessions/session-codec';
import { matchingLine } from '../../core/sessions/search-records';
import { sessionLines } from './session-lines';

export interface SessionMatch {
  session: SessionSummary;
  /** The line that holds the words, cut around them. */
  line: string;
}

const maxLineChars = 1_000_000;
const filesAtOnce = 4;

export interface SearchOptions<Item> {
  limit: number;
  found: (match: { session: Item; line: string }) => void;
  signal: AbortSignal;
}

/** At most one match a session, reported as it is found. Resolves when all were searched, `limit` matched, or it was aborted. */
export function searchSessions(
  root: string,
  sessions: readonly SessionSummary[],
  text: string,
  { limit, found, signal }: SearchOptions<SessionSummary>,
): Promise<void> {
  const files = sessions.map((session) => ({ session, file: path.join(root, `${session.id}.jsonl`) }));
  const matchOf = (_item: unknown, line: string, wanted: string): string | undefined => {
    const record = decodeRecord(line);
    return record && matchingLine(record, wanted);
  };
  return searchFiles(files, text, matchOf, {
    limit,
    signal,
    found: ({ session: { session }, line }) => found({ session, line }),
  });
}

/** The same of files of any format. `matchOf` is asked of the lines that hold the words, which come in lower case. */
export async function searchFiles<Item extends { file: string }>(
  items: readonly Item[],
  text: string,
  matchOf: (item: Item, line: string, wanted: string) => string | undefined,
  { limit, found: onFound, signal }: SearchOptions<Item>,
): Promise<void> {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return;
  // As the words are written in a line of JSON, or in a text of JSON in one: most lines need not be parsed.
  const once = inJson(wanted);
  const written = [...new Set([once, inJson(once)])];
  let next = 0;
  let found = 0;
  const firstMatch = async (item: Item): Promise<string | undefined> => {
    try {
      for await (const line of sessionLines(item.file, { maxLine: maxLineChars, signal })) {
        const small = line.toLowerCase();
        const match = written.some((words) => small.includes(words)) ? matchOf(item, line, wanted) : undefined;
        if (match !== undefined) return match;
      }
    } catch {
      // Deleted meanwhile, or not readable: it has no match.
    }
    return undefined;
  };
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined && found < limit && !signal.aborted; item = items[next++]) {
      await nextTask();
      const line = await firstMatch(item);
      if (line === undefined || signal.aborted || found >= limit) continue;
      found++;
      onFound({ session: item, line });
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
