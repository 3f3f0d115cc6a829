// One writer per session: an advisory lock file that names its process, and is taken over when that process is gone.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { readFileSync, unlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { DeftError } from '../../core/text/errors';
import { atExit } from '../at-exit';
import { errorCode } from '../files/file-error';
import { bootId, ownerState, pidSpace, type ProcessOwner, thisProcess } from '../process-owner';

interface Holder extends ProcessOwner {
  /** How often the holder touches its lock; 0 for older ones, which do not. */
  beatMs: number;
  token: string;
}

/** Two hosts share a folder rarely (a network home, a rebuilt container): one that was silent this long is gone. */
const silentHostMs = 120_000;
/** The same within one machine, whose processes have one clock. */
const silentContainerMs = 60_000;
const usualBeatMs = 15_000;
/** A lock file is empty for the moment between being made and being written. */
const emptyLockMs = 5_000;
/** Clocks are set by this much while a machine runs. */
const bootSlackMs = 10_000;
const maxAttempts = 5;

/** Locks of this process, which its own pid does not distinguish from stale ones, with their tokens. */
const held = new Map<string, string>();
let leavesWithProcess = false;

/** Resolves to the function that releases it. Throws DeftError `session-locked` where another one holds it. `lastWrite` is the log's mtime. */
export async function lockSession(
  lockPath: string,
  lastWrite: () => Promise<number>,
  beatMs = usualBeatMs,
): Promise<() => Promise<void>> {
  if (held.has(lockPath)) throw locked(process.pid);
  const token = randomUUID();
  held.set(lockPath, token);
  if (!leavesWithProcess) atExit(dropLocks);
  leavesWithProcess = true;
  let stopBeating: () => Promise<void>;
  try {
    stopBeating = keepBeating(await acquire(lockPath, token, lastWrite, beatMs), beatMs);
  } catch (error) {
    held.delete(lockPath);
    throw error;
  }
  return async () => {
    held.delete(lockPath);
    await stopBeating();
    const holder = await readHolder(lockPath);
    if (holder?.token === token) await unlink(lockPath).catch(() => undefined);
  };
}

/** Of a process that exits in the middle of its work: the next one need not find out that it is gone. */
function dropLocks(): void {
  for (const [lockPath, token] of held) {
    try {
      if (holderIn(readFileSync(lockPath, 'utf8'))?.token === token) unlinkSync(lockPath);
    } catch {
      // Gone already, or on a disk that refuses.
    }
  }
}

/** Whether a living process has it, this one included. Changes nothing. */
export async function isSessionHeld(lockPath: string, lastWrite: () => Promise<number>): Promise<boolean> {
  if (held.has(lockPath)) return true;
  const holder = await readHolder(lockPath);
  return holder ? isAlive(holder, lockPath, lastWrite) : isFresh(lockPath);
}

/** Dates the lock anew while this process lives, by the file's own system: it may be on another machine, with another clock. */
function keepBeating(lock: FileHandle, beatMs: number): () => Promise<void> {
  // The byte that stands there. What is behind the handle is this lock, whatever has become of its name.
  const timer = setInterval(() => void lock.write('{', 0).catch(() => undefined), beatMs).unref();
  return async () => {
    clearInterval(timer);
    await lock.close().catch(() => undefined);
  };
}

/** The lock's file, open. */
async function acquire(
  lockPath: string,
  token: string,
  lastWrite: () => Promise<number>,
  beatMs: number,
): Promise<FileHandle> {
  const own: Holder = { ...thisProcess(), beatMs, token };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const made = await makeLock(lockPath, own);
    if (made) return made;
    const holder = await readHolder(lockPath);
    if (holder ? await isAlive(holder, lockPath, lastWrite) : await isFresh(lockPath)) throw locked(holder?.pid);
    await moveAway(lockPath, holder);
  }
  throw locked(undefined);
}

/** Undefined where there is one. */
async function makeLock(lockPath: string, own: Holder): Promise<FileHandle | undefined> {
  try {
    const handle = await open(lockPath, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(own));
      return handle;
    } catch (error) {
      await handle.close();
      await unlink(lockPath).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Renaming decides between two who find the same stale lock; one that turns out to be a new lock is put back. */
async function moveAway(lockPath: string, stale: Holder | undefined): Promise<void> {
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    await rename(lockPath, aside);
  } catch {
    return;
  }
  const moved = await readHolder(aside);
  if (moved?.token === stale?.token) await unlink(aside).catch(() => undefined);
  else await rename(aside, lockPath).catch(() => undefined);
}

async function readHolder(lockPath: string): Promise<Holder | undefined> {
  const text = await readFile(lockPath, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : holderIn(text);
}

function holderIn(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    return value && typeof value.pid === 'number' && typeof value.token === 'string'
      ? {
          pid: value.pid,
          token: value.token,
          host: value.host ?? '',
          started: value.started ?? '',
          boot: value.boot ?? '',
          pids: value.pids ?? '',
          beatMs: value.beatMs ?? 0,
        }
      : undefined;
  } catch {
    return undefined;
  }
}

async function isFresh(lockPath: string): Promise<boolean> {
  const stats = await stat(lockPath).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs < emptyLockMs;
}

async function isAlive(holder: Holder, lockPath: string, lastWrite: () => Promise<number>): Promise<boolean> {
  // Older locks do not say whose pids they have, and are not touched either.
  const state = ownerState(holder.beatMs > 0 ? holder : { ...holder, pids: pidSpace() });
  if (state === 'on-another-host') return isHeard(holder, lockPath, lastWrite, silentHostMs);
  if (state === 'gone' || (await isOlderThanBoot(holder, lockPath))) return false;
  if (state === 'in-another-container') return isHeard(holder, lockPath, lastWrite, silentContainerMs);
  // Not in `held`, so an earlier process had this pid.
  return holder.pid !== process.pid;
}

/** Of a process that cannot be looked for from here. */
async function isHeard(
  { beatMs }: Holder,
  lockPath: string,
  lastWrite: () => Promise<number>,
  silentMs: number,
): Promise<boolean> {
  const beat =
    beatMs > 0
      ? await stat(lockPath).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        )
      : 0;
  return Date.now() - Math.max(beat, await lastWrite()) < silentMs;
}

/** By the clock, where the system has no name for its starts. */
async function isOlderThanBoot({ boot }: Holder, lockPath: string): Promise<boolean> {
  if (boot !== '' && bootId() !== '') return false;
  const stats = await stat(lockPath).catch(() => undefined);
  return stats !== undefined && stats.mtimeMs < Date.now() - uptime() * 1_000 - bootSlackMs;
}

function locked(pid: number | undefined): DeftError {
  const by = pid === undefined ? 'another process' : pid === process.pid ? 'this process' : `another process (${pid})`;
  return new DeftError('session-locked', `This session is open in ${by}. Close it there, or start a new session.`, {
    audience: 'user',
    retryable: true,
  });
}
