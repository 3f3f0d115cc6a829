// Looks through the logs of sessions, and of their agents, for edits of one file: whole files are passed over by their bytes, lines are parsed only where they name it.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { isCutEdit, type LineEdit, lineEdits, type LineNow } from '../../core/commit/line-origin';
import { decodeRecord } from '../../core/sessions/session-codec';
import { sessionLines } from '../sessions/session-lines';

export interface LineSearch {
  /** The folder of the sessions. */
  root: string;
  /** Their ids. */
  sessions: readonly string[];
  /** The file, as sessions name it. */
  path: string;
  line: LineNow;
  signal: AbortSignal;
}

export interface SearchedLines {
  edits: LineEdit[];
  /** Logs that could not be read. */
  unread: number;
  /** Edits of the file of which a log has a part: what else they wrote is not known. */
  cut: number;
}

const filesAtOnce = 4;
/** Logs keep fewer lines of an edit than this whole. */
const longEdit = 1_000;
const chunkBytes = 256 * 1024;
/** A longer one would hold the host up while it is parsed. */
const maxLine = 4_000_000;

export async function findLineEdits({ root, sessions, path: file, line, signal }: LineSearch): Promise<SearchedLines> {
  const found: SearchedLines = { edits: [], unread: 0, cut: 0 };
  // As a path is written in a line of JSON.
  const name = JSON.stringify(file).slice(1, -1);
  const signs = ['+', '-'].map((sign) => JSON.stringify(`${sign}${line.text}`).slice(1, -1));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let id = sessions[next++]; id !== undefined && !signal.aborted; id = sessions[next++])
      for (const log of await logsOf(root, id)) await readLog(log, id);
  };
  const readLog = async (log: string, session: string): Promise<void> => {
    try {
      await nextTask();
      if (!(await holds(log, name, signal))) return;
      for await (const text of sessionLines(log, { maxLine, signal })) {
        if (!text.includes(name) || !text.includes('"structuredPatch"')) continue;
        // Most edits neither wrote nor removed the line, and are whole: they need not be parsed.
        const isLong = Number(/"added":(\d+)/.exec(text)?.[1] ?? 0) > longEdit;
        if (!isLong && !signs.some((written) => text.includes(written))) continue;
        const record = decodeRecord(text);
        if (record === undefined) continue;
        found.edits.push(...lineEdits(record, session, file, line));
        if (isCutEdit(record, file)) found.cut++;
        // Parsing goes on between other work of the host.
        await nextTask();
      }
    } catch {
      // Deleted meanwhile, or not readable.
      found.unread++;
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
  return found;
}

/** Agents write logs of their own, in the folder of their session. */
async function logsOf(root: string, id: string): Promise<string[]> {
  const folder = path.join(root, id, 'subagents');
  const agents = await readdir(folder).catch(() => [] as string[]);
  return [
    path.join(root, `${id}.jsonl`),
    ...agents.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name)),
  ];
}

async function holds(file: string, text: string, signal: AbortSignal): Promise<boolean> {
  const wanted = Buffer.from(text);
  const stream = createReadStream(file, { highWaterMark: chunkBytes });
  let end: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (signal.aborted) return false;
      if (chunk.includes(wanted)) return true;
      const seam = Buffer.concat([end, chunk.subarray(0, wanted.length)]);
      if (seam.includes(wanted)) return true;
      end = chunk.subarray(Math.max(0, chunk.length - wanted.length));
    }
    return false;
  } finally {
    stream.destroy();
  }
}
