// Starts a program in a process group of its own and ends it with everything that it started.
import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { onEnd } from './cleanup';

/** The variable that marks every descendant, also those that left the group (terminals have groups of their own). */
const MARK = 'DEFT_RIG_RUN';
const GRACE_MILLISECONDS = 5_000;

export type ProcessGroup = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Asks the group to end, waits up to 5 s, then kills what is left of it. */
  end(): Promise<void>;
};

/** Throws the system's error when the program cannot be started. */
export async function startGroup(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProcessGroup> {
  const mark = randomUUID();
  const child = spawn(command, args, {
    ...options,
    env: { ...(options.env ?? process.env), [MARK]: mark },
    detached: process.platform !== 'win32',
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} has no process id.`);

  const kill = (): void => {
    signalGroup(pid, 'SIGKILL');
    for (const marked of markedProcesses(mark)) signalProcess(marked, 'SIGKILL');
  };
  const askAndWait = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      signalGroup(pid, 'SIGTERM');
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([exited, new Promise((resolve) => (timer = setTimeout(resolve, GRACE_MILLISECONDS)))]);
      clearTimeout(timer);
    }
    kill();
  };
  const forget = onEnd({ now: kill, later: askAndWait });
  const end = async (): Promise<void> => {
    await askAndWait();
    forget();
  };
  return { child, pid, exited, end };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform !== 'win32') return signalProcess(-pid, signal);
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // It is gone already.
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return readFileSync(`/proc/${entry}/environ`, 'latin1').includes(`${MARK}=${mark}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
