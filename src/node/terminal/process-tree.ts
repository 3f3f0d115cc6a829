// Finds and ends the processes of one run: its process group and, on Linux, whatever carries its mark or was seen below its shell.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../process-owner';
import { type ProcessFamily, processStat } from './process-family';

export interface RunProcess {
  pid: number;
  /** The command line, at most 200 characters. */
  command: string;
}

/** What identifies a run's processes. */
export interface RunIdentity {
  /** The value of `DEFT_RUN` in their environment. */
  mark: string;
  /** Their process group; undefined before the command's shell reported it. */
  group: number | undefined;
  /** What was seen below its shell. */
  family?: ProcessFamily;
}

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2000;
/** How long SIGKILL may take before the rest is reported as not ended. */
const KILL_WAIT_MS = 1500;
const POLL_MS = 25;
/** Every so many looks at the processes, the family is looked for anew. */
const FAMILY_LOOKS = 4;
const VARIABLE = 'DEFT_RUN=';

/**
 * The living processes of a run. `since`, the shell's own pid, spares the look at older processes.
 * Where there is no /proc, only the process group is known: daemons that left it are not seen.
 */
export async function processesOf(run: RunIdentity, since = 0): Promise<RunProcess[]> {
  const fromProc = await scanProc(since, matches(run));
  if (fromProc) return fromProc;
  if (run.group === undefined || !isAlive(-run.group)) return [];
  return listGroup(run.group);
}

export function listedProcesses(processes: readonly RunProcess[]): string {
  return processes.map(({ pid, command }) => `${pid} (${command})`).join(', ');
}

/** Windows has no process groups: the tree below one process, by Windows' own tool. */
export function endWindowsTree(pid: number): Promise<void> {
  return new Promise(
    (resolve) => void execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve()),
  );
}

/** TERM, and KILL after `GRACE_MS`; returns what could not be ended. */
export async function endProcesses(run: RunIdentity): Promise<RunProcess[]> {
  if (process.platform === 'win32' && run.group !== undefined) await endWindowsTree(run.group);
  let looks = 0;
  return end(async () => {
    // Now and then: a run among a hundred that are ended together must not keep the others from it.
    if (run.group !== undefined && looks++ % FAMILY_LOOKS === 0) await run.family?.look(run.group);
    return processesOf(run);
  });
}

/** Ends every process of the runs of these folders; Linux only, elsewhere nothing is known of them. */
export async function endMarked(folders: ReadonlySet<string>): Promise<{ ended: RunProcess[]; alive: RunProcess[] }> {
  const isOfThem = ({ mark }: ProcProcess) => mark !== undefined && folders.has(folderOf(mark));
  const look = async () => (await scanProc(0, isOfThem)) ?? [];
  const found = await look();
  const alive = found.length === 0 ? [] : await end(look);
  return { ended: found.filter(({ pid }) => alive.every((each) => each.pid !== pid)), alive };
}

/** Everything that is found gets its signals, however long the looks take: what counts is the time since the first ones. */
async function end(find: () => Promise<RunProcess[]>): Promise<RunProcess[]> {
  const asked = new Set<number>();
  let askedAt: number | undefined;
  let killedAt: number | undefined;
  for (;;) {
    const living = await find();
    if (living.length === 0) return [];
    const now = Date.now();
    if (killedAt !== undefined && now - killedAt > KILL_WAIT_MS) return living;
    askedAt ??= now;
    if (now - askedAt >= GRACE_MS) killedAt ??= now;
    for (const { pid } of living) {
      if (killedAt !== undefined) send(pid, 'SIGKILL');
      else if (!asked.has(pid)) {
        asked.add(pid);
        send(pid, 'SIGTERM');
        // A stopped process takes no other signal than this one and KILL.
        send(pid, 'SIGCONT');
      }
    }
    await sleep(POLL_MS);
  }
}

/** Without a turn of the loop, for a process that is about to exit: kills what carries the mark of a run of this folder. Linux only. */
export function killMarkedNow(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const mark = markIn(readFileSync(`/proc/${name}/environ`, 'latin1'));
      if (mark !== undefined && folderOf(mark) === folder) send(Number(name), 'SIGKILL');
    } catch {
      // Gone, or another user's.
    }
  }
}

/** False where the process is gone already. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

interface ProcProcess {
  pid: number;
  group: number;
  start: string;
  name: string;
  mark: string | undefined;
}

const matches = (run: RunIdentity) => (process: ProcProcess) =>
  process.mark === run.mark ||
  (run.group !== undefined && process.group === run.group) ||
  run.family?.has(process.pid, process.start) === true;

/** `since` is the oldest process that counts; 0 looks at all. */
async function scanProc(since: number, found: (process: ProcProcess) => boolean): Promise<RunProcess[] | undefined> {
  const processes = since === 0 ? await allProcesses() : await readProc(since);
  if (processes === undefined) return undefined;
  const results = await Promise.all(processes.filter(found).map(named));
  return results.filter((result) => result !== undefined);
}

let looking: Promise<unknown> = Promise.resolve();
let next: Promise<ProcProcess[] | undefined> | undefined;

/** One look for all who ask before it begins: many runs that are ended together would take longer to look than they have time. */
function allProcesses(): Promise<ProcProcess[] | undefined> {
  next ??= looking.then(() => {
    next = undefined;
    const look = readProc(0);
    looking = look.catch(() => undefined);
    return look;
  });
  return next;
}

async function readProc(since: number): Promise<ProcProcess[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  if (all.length === 0) return undefined;
  const last = await lastPid();
  const candidates = since === 0 || last === undefined ? all : all.filter(startedBetween(since, last));
  return (await Promise.all(candidates.map(look))).filter((found) => found !== undefined);
}

/** Ids are given in turn and wrap around: what started since lies between the two, or on both sides of the end. */
function startedBetween(since: number, last: number): (pid: number) => boolean {
  return last >= since ? (pid) => pid >= since && pid <= last : (pid) => pid >= since || pid <= last;
}

async function look(pid: number): Promise<ProcProcess | undefined> {
  if (pid === process.pid) return undefined;
  const stat = await processStat(pid);
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return { pid, group: stat.group, start: stat.start, name: stat.name, mark: markIn(environment) };
}

async function named({ pid, name }: ProcProcess): Promise<RunProcess | undefined> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return line === undefined ? undefined : { pid, command: line.replaceAll('\0', ' ').trim().slice(0, 200) || name };
}

function markIn(environment: string): string | undefined {
  return environment
    .split('\0')
    .find((entry) => entry.startsWith(VARIABLE))
    ?.slice(VARIABLE.length);
}

/** The name of the folder of commands to which a run belongs. */
function folderOf(mark: string): string {
  return mark.slice(0, mark.lastIndexOf('.'));
}

async function lastPid(): Promise<number | undefined> {
  const text = await readFile('/proc/loadavg', 'latin1').catch(() => '');
  const last = Number(text.trim().split(' ').at(-1));
  return last > 0 ? last : undefined;
}

function listGroup(group: number): Promise<RunProcess[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-axo', 'pid=,pgid=,stat=,command='], { maxBuffer: 16 * 1024 * 1024 }, (_error, stdout) => {
      const processes = stdout.split('\n').flatMap((line) => {
        const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
        if (!match || Number(match[2]) !== group || match[3]?.startsWith('Z')) return [];
        return [{ pid: Number(match[1]), command: (match[4] ?? '').slice(0, 200) }];
      });
      resolve(processes);
    });
  });
}
