// Takes away sessions that nobody has changed for long, and what sessions that are gone have left behind.
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../core/errors';
import { type SessionStore } from '../core/ports';

export interface CleanupOptions {
  /** The folder of one workspace's sessions. */
  root: string;
  store: Pick<SessionStore, 'remove'>;
  /** Days since the last change that a session is kept; 0 keeps all. */
  days: number;
  /** Milliseconds since the epoch. */
  now: number;
  home: string;
  /** Sessions that this process shows. */
  isOpen: (id: string) => boolean;
}

export interface CleanupResult {
  sessions: number;
  bytes: number;
  /** Folders of sessions that were gone already. */
  leftovers: number;
}

const dayMs = 86_400_000;
/** What a session's folder may hold; nothing else in it is touched where its session is gone. */
const ownFolders = ['tool-results', 'checkpoints', 'summaries'];
/** Deft's own ids: in a folder that is shared with other files nothing else is taken for a session. */
const sessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Never rejects for a single session: what cannot be removed stays until the next time. Links are never followed. */
export async function cleanUpSessions({ root, store, days, now, home, isOpen }: CleanupOptions): Promise<CleanupResult> {
  const result: CleanupResult = { sessions: 0, bytes: 0, leftovers: 0 };
  if (!(days > 0) || (await isForeign(root, home))) return result;
  const oldest = now - days * dayMs;
  const names = await readdir(root).catch(() => [] as string[]);
  const present = new Set(names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length)));
  for (const id of present) {
    if (!sessionId.test(id) || isOpen(id)) continue;
    const file = await lstat(path.join(root, `${id}.jsonl`)).catch(() => undefined);
    if (file?.isFile() !== true || file.mtimeMs >= oldest) continue;
    const bytes = file.size + (await sizeOf(path.join(root, id)));
    try {
      // Takes the session's lock: one that any window has open stays.
      await store.remove(id);
      result.sessions++;
      result.bytes += bytes;
    } catch (error) {
      if (!(error instanceof DeftError)) throw error;
    }
  }
  const all = new Set(names);
  for (const id of names) {
    if (!sessionId.test(id) || present.has(id) || all.has(`${id}.lock`) || isOpen(id)) continue;
    const bytes = await sweepFolder(path.join(root, id), oldest);
    if (bytes === undefined) continue;
    result.leftovers++;
    result.bytes += bytes;
  }
  return result;
}

/** The bytes that went; undefined where it is not a folder, is not old, or holds nothing of Deft's. */
async function sweepFolder(folder: string, oldest: number): Promise<number | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true || found.mtimeMs >= oldest) return undefined;
  let bytes: number | undefined;
  for (const name of ownFolders) {
    const part = path.join(folder, name);
    const stats = await lstat(part).catch(() => undefined);
    if (stats?.isDirectory() !== true || stats.mtimeMs >= oldest) continue;
    const size = await sizeOf(part);
    const gone = await rm(part, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (gone) bytes = (bytes ?? 0) + size;
  }
  // Only where nothing else is in it.
  await rmdir(folder).catch(() => undefined);
  return bytes;
}

/** Other programs keep their own sessions there, by their own rules. */
async function isForeign(root: string, home: string): Promise<boolean> {
  const [real, base] = await Promise.all([realpath(root).catch(() => root), realpath(home).catch(() => home)]);
  return ['.claude', '.codex'].some((name) => [real, path.resolve(root)].some((place) => `${place}${path.sep}`.startsWith(path.join(base, name) + path.sep)));
}

async function sizeOf(folder: string): Promise<number> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) return 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += (await lstat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
