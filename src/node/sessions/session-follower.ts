// Follows a session that another process writes: what is on disk of it, and what is appended from then on.
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type FollowedSession, type SessionFollower } from '../../core/ports/session-store';
import { readSessionFile } from './session-reader';

/** What is written in this time is read at once. */
const gatherMs = 100;
/** Where the system reports nothing about the file (a network folder, no watchers left): one look at its size. */
const lookMs = 2_000;
/** Read at once: a record or many. A longer line is read as a whole. */
const partBytes = 4_000_000;

export interface FollowTimes {
  gatherMs?: number;
  lookMs?: number;
  /** False: only looks. */
  watches?: boolean;
}

/** Without a file there are no records, and nothing is followed. `isHeld` is asked at each look. */
export async function followSessionFile(
  file: string,
  { added, held }: SessionFollower,
  isHeld: () => Promise<boolean>,
  times: FollowTimes = {},
): Promise<FollowedSession> {
  const sizeOf = async (): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? -1;
  if ((await sizeOf()) < 0) return { records: [], stop: () => undefined };
  const first = await readSessionFile(file);
  // The end of the last line that is read; what is torn behind it may still be written, or cut off by the next writer.
  let at = first.size;
  let { format } = first;
  let stopped = false;
  let looking = false;
  let again = false;
  let wasHeld = true;
  let gathering: NodeJS.Timeout | undefined;

  const readOn = async (): Promise<void> => {
    let part = partBytes;
    for (let size = await sizeOf(); at < size && !stopped;) {
      const read = await readSessionFile(file, at, Math.min(size, at + part), format);
      if (read.size === 0 && at + part >= size) return;
      if (read.size === 0) part *= 4;
      else part = partBytes;
      at += read.size;
      format = read.format;
      if (read.records.length > 0 && !isStopped()) await added(read.records);
    }
  };
  const isStopped = (): boolean => stopped;
  const askHeld = async (): Promise<void> => {
    const isNow = await isHeld();
    if (isNow === wasHeld || isStopped()) return;
    wasHeld = isNow;
    // What its holder wrote last.
    await readOn();
    if (!isStopped()) held(isNow);
  };
  const look = async (): Promise<void> => {
    again = looking;
    if (looking || stopped) return;
    looking = true;
    try {
      await readOn();
      await askHeld();
    } catch {
      // The file is gone, or no more to be read: what is shown stays.
    }
    looking = false;
    if (again) changed();
  };
  const changed = (): void => {
    if (stopped) return;
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void look();
    }, times.gatherMs ?? gatherMs);
  };
  let watcher: FSWatcher | undefined;
  try {
    if (times.watches !== false)
      watcher = watch(file, { persistent: false }, changed).on('error', () => watcher?.close());
  } catch {
    // The looks are left.
  }
  const timer = setInterval(() => void look(), times.lookMs ?? lookMs).unref();
  changed();
  return {
    records: first.records,
    stop() {
      stopped = true;
      watcher?.close();
      clearInterval(timer);
      clearTimeout(gathering);
    },
  };
}
