// The list of sessions, cheap for thousands: heads and tails of files are read once and remembered by size and time.
import { statSync, type Stats } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type SessionSummary } from '../../core/ports/session-store';
import { writePrivateFile } from '../files/replace-file';
import { readSummary } from './session-summary';

/** What the index remembers of a file. `titled`: the title is in the log, so it outlives what is read of a longer file. */
interface IndexEntry {
  size: number;
  mtimeMs: number;
  title: string;
  cwd: string;
  titled: boolean;
}

const indexName = '.index.json';
const indexVersion = 2;
const headBytes = 128 * 1024;
const tailBytes = 64 * 1024;
const scanBytes = 1024 * 1024;
/** Longer than the line of any title. */
const overlapBytes = 8 * 1024;
const titleMarks = ['"custom-title"', '"ai-title"'];
const readersAtOnce = 16;
const statSlice = 500;

/** Newest first; empty where the folder does not exist. The index is only a cache: missing or broken, it is made again. */
export async function listSessions(root: string): Promise<SessionSummary[]> {
  const names = await readdir(root).catch(() => [] as string[]);
  const files: { id: string; size: number; mtimeMs: number }[] = [];
  for (const [at, name] of names.entries()) {
    // A stat takes a microsecond; yielding keeps the host responsive.
    if (at % statSlice === statSlice - 1) await new Promise((resolve) => setImmediate(resolve));
    if (!name.endsWith('.jsonl')) continue;
    const stats = statOrNothing(path.join(root, name));
    if (stats?.isFile() && stats.size > 0)
      files.push({ id: name.slice(0, -'.jsonl'.length), size: stats.size, mtimeMs: stats.mtimeMs });
  }
  const index = await readIndex(path.join(root, indexName));
  const stale = files.filter((file) => !isCurrent(index.get(file.id), file));
  await inParallel(stale, async (file) => {
    const entry = await summarise(path.join(root, `${file.id}.jsonl`), file, index.get(file.id));
    if (entry) index.set(file.id, entry);
    else index.delete(file.id);
  });
  const present = new Set(files.map((file) => file.id));
  const gone = [...index.keys()].filter((id) => !present.has(id));
  for (const id of gone) index.delete(id);
  if (stale.length + gone.length > 0) {
    const content = JSON.stringify({ version: indexVersion, sessions: Object.fromEntries(index) });
    // Without it the next list is slower, nothing else.
    await writePrivateFile(path.join(root, indexName), content).catch(() => undefined);
  }
  return files
    .flatMap(({ id, size, mtimeMs }) => {
      const entry = index.get(id);
      return entry ? [{ id, title: entry.title, cwd: entry.cwd, updatedAt: mtimeMs, sizeBytes: size }] : [];
    })
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
}

function statOrNothing(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isCurrent(entry: IndexEntry | undefined, file: { size: number; mtimeMs: number }): boolean {
  return entry !== undefined && entry.size === file.size && entry.mtimeMs === file.mtimeMs;
}

async function summarise(
  file: string,
  now: { size: number; mtimeMs: number },
  before: IndexEntry | undefined,
): Promise<IndexEntry | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const head = await readAt(handle, 0, Math.min(now.size, headBytes));
      const tailFrom = Math.max(head.length, now.size - tailBytes);
      const tail = await readAt(handle, tailFrom, Math.max(0, now.size - tailFrom));
      // What was there at the last look is remembered.
      const seen = before !== undefined && before.size <= now.size ? before.size : 0;
      const between =
        tailFrom > head.length
          ? await titleLines(handle, Math.max(0, Math.max(head.length, seen) - overlapBytes), tailFrom)
          : '';
      const { cwd, title, titled } = readSummary(head.toString('utf8'), `${between}\n${tail.toString('utf8')}`);
      const kept = !titled && before?.titled && before.size <= now.size ? before.title : undefined;
      return { size: now.size, mtimeMs: now.mtimeMs, cwd, title: kept ?? title, titled: titled || kept !== undefined };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** The lines between head and tail that may hold a title: found by their marks, nothing else is parsed. */
async function titleLines(handle: Awaited<ReturnType<typeof open>>, from: number, to: number): Promise<string> {
  const lines: string[] = [];
  for (let at = from; at < to; at += scanBytes - overlapBytes) {
    const chunk = await readAt(handle, at, Math.min(scanBytes, to + overlapBytes - at));
    for (const mark of titleMarks) {
      for (let found = chunk.indexOf(mark); found >= 0; found = chunk.indexOf(mark, found + 1)) {
        const end = chunk.indexOf('\n', found);
        const line = chunk.toString('utf8', chunk.lastIndexOf('\n', found) + 1, end < 0 ? chunk.length : end);
        // Words of a conversation may hold the mark too.
        if (line.length < overlapBytes) lines.push(line);
      }
    }
  }
  return lines.join('\n');
}

async function readAt(handle: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function readIndex(file: string): Promise<Map<string, IndexEntry>> {
  try {
    const parsed = JSON.parse(await readFile(file, 'utf8')) as {
      version?: unknown;
      sessions?: Record<string, Partial<IndexEntry> | null>;
    };
    if (parsed.version !== indexVersion) return new Map();
    return new Map(
      Object.entries(parsed.sessions ?? {}).flatMap(([id, entry]) => (isEntry(entry) ? [[id, entry]] : [])),
    );
  } catch {
    return new Map();
  }
}

function isEntry(entry: Partial<IndexEntry> | null): entry is IndexEntry {
  return (
    typeof entry?.size === 'number' &&
    typeof entry.mtimeMs === 'number' &&
    typeof entry.title === 'string' &&
    typeof entry.cwd === 'string' &&
    typeof entry.titled === 'boolean'
  );
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: readersAtOnce }, worker));
}
