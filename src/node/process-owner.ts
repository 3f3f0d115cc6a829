// Which process a file or folder belongs to, told so that a later process can find out whether that one is gone.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './files/file-error';

export interface ProcessOwner {
  pid: number;
  host: string;
  /** When that process started, in the system's own unit; distinguishes it from a later process with the same pid. */
  started: string;
  /** Which start of the machine it belongs to, where the system reports that. */
  boot: string;
  /** Whose pids these are: containers on one machine may share its name, but not its processes. Empty where the system does not say. */
  pids: string;
}

/** One on another machine, or in another container, cannot be looked for from here. */
export type OwnerState = 'alive' | 'gone' | 'on-another-host' | 'in-another-container';

export function thisProcess(): ProcessOwner {
  const { pid } = process;
  return { pid, host: hostname(), started: processStart(pid) ?? '', boot: bootId(), pids: pidSpace() };
}

export function ownerState({ pid, host, started, boot, pids }: ProcessOwner): OwnerState {
  if (host !== hostname()) return 'on-another-host';
  // No process outlives the machine's start, and pids and start times may be the same ones after it.
  if (boot !== '' && bootId() !== '' && boot !== bootId()) return 'gone';
  if (pids !== pidSpace()) return 'in-another-container';
  if (!isAlive(pid)) return 'gone';
  const now = processStart(pid);
  return now === undefined || started === '' || now === started ? 'alive' : 'gone';
}

/** What was written of an owner, maybe by an older version: what it does not say is taken to be as here. */
export function ownerIn(text: string): ProcessOwner | undefined {
  try {
    const value = JSON.parse(text) as Partial<ProcessOwner> | null;
    if (typeof value?.pid !== 'number') return undefined;
    const { pid, host = hostname(), started = '', boot = '', pids = pidSpace() } = value;
    return { pid, host, started, boot, pids };
  } catch {
    return undefined;
  }
}

/** True also for a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Nothing where the system has no name for its starts. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** What counts the processes; nothing where the system does not say. */
export function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Undefined where the system does not report it (no /proc). */
function processStart(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may hold spaces; the start time is the 20th field after it.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
