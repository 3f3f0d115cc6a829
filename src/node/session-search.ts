// Looks for words in what sessions say, file by file, newest first, in slices that leave the event loop free.
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { type SessionSummary } from '../core/ports';
import { decodeRecord } from '../core/sessions/session-codec';
import { matchingLine } from '../core/sessions/search-records';
import { sessionLines } from './session-lines';

export interface SessionMatch {
  session: SessionSummary;
  /** The line that holds the words, cut around them. */
  line: string;
}

const maxLineChars = 1_000_000;
const filesAtOnce = 4;

/** At most one match a session, told as it is found. Resolves when all were looked at, `limit` matched, or it was aborted. */
export async function searchSessions(root: string, sessions: readonly SessionSummary[], text: string, options: { limit: number; found: (match: SessionMatch) => void; signal: AbortSignal }): Promise<void> {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return;
  // As the words stand in a line of JSON: most lines need not be parsed.
  const written = JSON.stringify(wanted).slice(1, -1);
  let next = 0;
  let found = 0;
  const { limit, signal } = options;
  const worker = async (): Promise<void> => {
    for (let session = sessions[next++]; session !== undefined && found < limit && !signal.aborted; session = sessions[next++]) {
      await nextTask();
      const line = await firstMatch(path.join(root, `${session.id}.jsonl`), wanted, written, signal);
      if (line === undefined || signal.aborted || found >= limit) continue;
      found++;
      options.found({ session, line });
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
}

async function firstMatch(file: string, wanted: string, written: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    for await (const line of sessionLines(file, { maxLine: maxLineChars, signal })) {
      if (!line.toLowerCase().includes(written)) continue;
      const record = decodeRecord(line);
      const match = record && matchingLine(record, wanted);
      if (match !== undefined) return match;
    }
  } catch {
    // Deleted meanwhile, or not readable: it has no match.
  }
  return undefined;
}
