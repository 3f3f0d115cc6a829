// Who works in a worktree: git's own lock of it names the process, so that no other takes it away, and a dead one is known.
import { hostname } from 'node:os';

export interface WorktreeOwner {
  process: number;
  host: string;
  base: string;
}

export function lockReason(base: string): string {
  return `An agent of Deft works here (process ${process.pid} on ${hostname()}, from ${base}).`;
}

/** Undefined where somebody else has locked it. */
export function readLockReason(reason: string): WorktreeOwner | undefined {
  const match = /^An agent of Deft works here \(process (\d+) on (.+), from ([0-9a-f]{40,64})\)\.$/.exec(reason.trim());
  return match === null ? undefined : { process: Number(match[1]), host: match[2] ?? '', base: match[3] ?? '' };
}

/** Of this machine, and ended. What another machine does nobody can tell. */
export function hasEnded({ process: id, host }: WorktreeOwner): boolean {
  if (host !== hostname()) return false;
  if (id === process.pid) return true;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
