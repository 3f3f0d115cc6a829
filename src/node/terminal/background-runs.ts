// The runs of a session: which of them are in the background, who waits for which, and who is notified of their end.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundCommand, type CommandRequest } from '../../core/ports/terminal';
import { type CommandEnd } from '../../core/ports/command-end';
import { type CommandRun, type RunOutcome } from './command-run';
import { type RunProcess } from './process-tree';
import { type RunDirectory } from './run-files';

/** What is asked of a run once it is over. */
export interface KnownRun {
  directory: RunDirectory;
  number: number;
  /** Stands behind the output, where something of the run still writes. */
  endMark: string;
  public: BackgroundCommand;
}

export interface TrackedRun extends KnownRun {
  /** The tool_use id. */
  id: string;
  background: boolean;
  run: CommandRun;
}

/** So many of those that are over are still listed. */
const keptEnded = 200;
/** A process that cannot be ended has no outcome. */
const OUTCOME_WAIT_MS = 1_000;

export type FirstEnd =
  | { kind: 'ended'; outcome: RunOutcome }
  | { kind: 'background'; reason: Extract<CommandEnd, { state: 'background' }>['reason'] };

export interface BackgroundRuns {
  /** `ended` is called once, before anybody is notified. */
  track(entry: TrackedRun, ended: () => Promise<void>): void;
  /** What comes first: its end, its timeout, the user's wish. Abort kills it until then. */
  firstEnd(entry: TrackedRun, request: CommandRequest, signal: AbortSignal): Promise<FirstEnd>;
  wake(directory: RunDirectory, number: number): void;
  /** False where no command of this tool_use id runs in the foreground. */
  move(id: string): boolean;
  listed(): BackgroundCommand[];
  /** False where no such command runs; else resolves when its processes have ended. */
  stop(taskId: string, by: 'user' | 'agent'): Promise<boolean>;
  /** A command that is or was in the background. */
  find(taskId: string): KnownRun | undefined;
  onEnd(listener: (command: BackgroundCommand) => void): () => void;
  silence(): void;
  /** Resolves when the runs have ended and are listed so, or could not be ended. */
  killAll(): Promise<void>;
  /** What ended by itself and left processes that still live. */
  leftAlive(): Promise<{ command: string; processes: RunProcess[] }[]>;
  /** For a process that exits: SIGKILL for their process groups, without waiting for anything. */
  killAllNow(): void;
}

export function createBackgroundRuns(): BackgroundRuns {
  const running = new Set<TrackedRun>();
  let background: KnownRun[] = [];
  /** Killed, and something of them lived on. */
  const leftovers = new Set<TrackedRun>();
  /** Ended by themselves, and something of them lived on. */
  const left: { command: string; run: CommandRun }[] = [];
  const moves = new Map<string, () => void>();
  const listeners = new Set<(command: BackgroundCommand) => void>();

  const toBackground = (entry: TrackedRun) => {
    entry.background = true;
    background.push(entry);
    if (entry.public.end !== undefined) shelve(entry);
  };
  /** Without the run, which holds its whole environment. */
  const shelve = (entry: TrackedRun) => {
    const { directory, number, endMark, public: command } = entry;
    background = background.map((each) => (each === entry ? { directory, number, endMark, public: command } : each));
    const ended = background.filter((each) => each.public.end !== undefined);
    const gone = new Set(ended.slice(0, Math.max(0, ended.length - keptEnded)));
    if (gone.size > 0) background = background.filter((each) => !gone.has(each));
  };

  return {
    track: (entry, ended) => {
      running.add(entry);
      if (entry.background) background.push(entry);
      void entry.run.outcome.then(async ({ end, survivors }) => {
        running.delete(entry);
        if (end.state === 'killed' && survivors.length > 0) leftovers.add(entry);
        else if (survivors.length > 0) left.push({ command: entry.public.command, run: entry.run });
        entry.public.end = end;
        if (survivors.length > 0) entry.public.survivors = survivors;
        shelve(entry);
        await ended();
        if (entry.background) for (const listener of [...listeners]) listener({ ...entry.public });
      });
    },
    firstEnd: (entry, request, signal) =>
      new Promise((resolve) => {
        let settled = false;
        const settle = (first: FirstEnd) => {
          if (settled) return;
          settled = true;
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          moves.delete(request.id);
          if (first.kind === 'background') toBackground(entry);
          resolve(first);
        };
        const abort = () => void entry.run.kill('abort');
        const expire = () => {
          if (request.onTimeout === 'kill') void entry.run.kill('timeout');
          else settle({ kind: 'background', reason: 'timeout' });
        };
        const timer = request.background ? undefined : setTimeout(expire, request.timeoutMs);
        void entry.run.outcome.then((outcome) => settle({ kind: 'ended', outcome }));
        if (request.background)
          return void entry.run.launched.then(() => settle({ kind: 'background', reason: 'asked' }));
        signal.addEventListener('abort', abort, { once: true });
        moves.set(request.id, () => settle({ kind: 'background', reason: 'user' }));
      }),
    wake: (directory, number) => {
      for (const entry of running) {
        if (entry.number === number && entry.directory.path === directory.path) entry.run.wake();
      }
    },
    move: (id) => {
      const move = moves.get(id);
      move?.();
      return move !== undefined;
    },
    listed: () => background.map((entry) => ({ ...entry.public })),
    find: (taskId) => background.find((entry) => entry.public.taskId === taskId),
    stop: async (taskId, by) => {
      const entry = [...running].find((candidate) => candidate.public.taskId === taskId);
      if (!entry) return false;
      await entry.run.kill(by);
      await entry.run.outcome;
      return true;
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    silence: () => listeners.clear(),
    killAll: async () => {
      await Promise.all([...[...running].map(endOfIt), ...[...leftovers].map(({ run }) => run.endLeftovers())]);
    },
    leftAlive: () => livingOf(left),
    killAllNow: () => {
      for (const { run } of [...running, ...leftovers]) run.killNow();
    },
  };
}

async function livingOf(
  ended: readonly { command: string; run: CommandRun }[],
): ReturnType<BackgroundRuns['leftAlive']> {
  const found = await Promise.all(
    ended.map(async ({ command, run }) => ({ command, processes: await run.processes() })),
  );
  return found.filter(({ processes }) => processes.length > 0);
}

/** Resolves when the run is listed as ended, or could not be ended. */
async function endOfIt({ run, public: listed }: TrackedRun): Promise<void> {
  await run.kill('abort');
  await Promise.race([run.outcome, sleep(OUTCOME_WAIT_MS, undefined, { ref: false })]);
  if (listed.end !== undefined) return;
  const survivors = await run.processes();
  if (survivors.length > 0) listed.survivors = survivors;
  else listed.end ??= { state: 'killed', by: 'abort' };
}
