// Takes away sessions that nobody has changed for long, and what sessions that are gone have left behind.
import { type Stats } from 'node:fs';
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../../core/text/errors';
import { type SessionStore } from '../../core/ports/session-store';
import { isOwnSessionId, sessionFolders } from './session-id';

export interface CleanupOptions {
  /** The folder of one workspace's sessions. */
  root: string;
  store: Pick<SessionStore, 'remove'>;
  /** Days since the last change that a session is kept; 0 keeps all. */
  days: number;
  /** Milliseconds since the epoch. */
  now: number;
  home: string;
  /** Further folders of other programs. */
  external?: readonly string[];
  /** Only counts the sessions that would go. */
  countOnly?: boolean;
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
/** Deft is younger: such a time says nothing. */
const earliest = Date.UTC(2015, 0, 1);

/** Never rejects for a single session: what cannot be removed stays until the next time. Links are never followed. */
export async function cleanUpSessions({
  root,
  store,
  days,
  now,
  home,
  external = [],
  countOnly = false,
  isOpen,
}: CleanupOptions): Promise<CleanupResult> {
  const result: CleanupResult = { sessions: 0, bytes: 0, leftovers: 0 };
  if (!(days > 0) || (await isExternal(root, home, external))) return result;
  const isOld = (stats: { mtimeMs: number; ctimeMs: number }): boolean =>
    (lastChange(stats, now) ?? now) < now - days * dayMs;
  const names = await readdir(root).catch(() => [] as string[]);
  const present = new Set(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length)),
  );
  const remove = async (id: string): Promise<void> => {
    const file = await lstat(path.join(root, `${id}.jsonl`)).catch(() => undefined);
    if (file?.isFile() !== true || !isOld(file)) return;
    const bytes = countOnly ? 0 : file.size + (await sizeOf(path.join(root, id)));
    try {
      // Takes the session's lock: one that any window has open stays.
      if (!countOnly) await store.remove(id);
      result.sessions++;
      result.bytes += bytes;
    } catch (error) {
      if (!(error instanceof DeftError)) throw error;
    }
  };
  for (const id of present) if (isOwnSessionId(id) && !isOpen(id)) await remove(id);
  if (countOnly) return result;
  const all = new Set(names);
  for (const id of names) {
    if (!isOwnSessionId(id) || present.has(id) || all.has(`${id}.lock`) || isOpen(id)) continue;
    const bytes = await sweepFolder(path.join(root, id), isOld);
    if (bytes === undefined) continue;
    result.leftovers++;
    result.bytes += bytes;
  }
  return result;
}

/** The bytes that went; undefined where it is not a folder, is not old, or holds nothing of Deft's. */
async function sweepFolder(folder: string, isOld: (stats: Stats) => boolean): Promise<number | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true || !isOld(found)) return undefined;
  let bytes: number | undefined;
  for (const name of sessionFolders) {
    const part = path.join(folder, name);
    const stats = await lstat(part).catch(() => undefined);
    if (stats?.isDirectory() !== true || !isOld(stats)) continue;
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

/** Copying and unpacking set back one of the two times. Undefined where the clock was wrong then, or is now. */
export function lastChange(
  { mtimeMs, ctimeMs }: { mtimeMs: number; ctimeMs: number },
  now: number,
): number | undefined {
  const last = Math.max(mtimeMs, ctimeMs);
  return last < earliest || last > now + dayMs ? undefined : last;
}

/** Other programs keep their own sessions there, by their own rules. */
async function isExternal(root: string, home: string, external: readonly string[]): Promise<boolean> {
  const real = (place: string): Promise<string> => realpath(place).catch(() => path.resolve(place));
  const folders = ['.claude', '.codex'].map((name) => path.join(home, name)).concat(external);
  const spellings = async (some: readonly string[]): Promise<string[]> => [
    ...some.map((one) => path.resolve(one)),
    ...(await Promise.all(some.map(real))),
  ];
  const [places, others] = await Promise.all([spellings([root]), spellings(folders)]);
  return places.some((place) => others.some((other) => `${place}${path.sep}`.startsWith(other + path.sep)));
}

async function sizeOf(folder: string): Promise<number> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) return 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      bytes += (await lstat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
