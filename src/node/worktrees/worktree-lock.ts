// Who works in a worktree: git's own lock of it names the process, so that no other takes it away, and a dead one is known.
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { bootId, isAlive, pidSpace } from '../process-owner';

export interface WorktreeOwner {
  process: number;
  /** Where the number of the process means that process. */
  machine: string;
  base: string;
}

let here: string | undefined;

/** Containers and the Linux inside Windows have the name of their host, and count processes anew; so does a machine that was started again. */
export function machineIdentity(): string {
  here ??= [hostname(), process.platform, bootId(), pidSpace()].filter((one) => one !== '').join(' ');
  return here;
}

export function lockReason(base: string): string {
  return `An agent of Deft works here (process ${process.pid} on ${machineIdentity()}, from ${base}).`;
}

/** Undefined where somebody else has locked it. */
export function readLockReason(reason: string): WorktreeOwner | undefined {
  const match = /^An agent of Deft works here \(process (\d+) on (.+), from ([0-9a-f]{40,64})\)\.$/.exec(reason.trim());
  return match === null ? undefined : { process: Number(match[1]), machine: match[2] ?? '', base: match[3] ?? '' };
}

/** Whether a lock may be taken away: one of Deft's own, whose process has ended or is this one. Without a reason it is somebody else's. */
export function isLeft(reason: string): boolean {
  const owner = readLockReason(reason);
  return owner !== undefined && hasEnded(owner);
}

/** `entry`: what git keeps of the worktree. Renaming decides between two who find the same left lock; one that turns out to be a new lock is put back. */
export async function dropLeftLock(entry: string): Promise<boolean> {
  const lock = path.join(entry, 'locked');
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch {
    return false;
  }
  const left = isLeft(await readFile(aside, 'utf8').catch(() => ''));
  if (!left) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
  return left;
}

/** Ended, and counted as processes are here. The state of other machines' processes is unknown. */
export function hasEnded({ process: id, machine }: WorktreeOwner): boolean {
  if (machine !== machineIdentity()) return false;
  return id === process.pid || !isAlive(id);
}
