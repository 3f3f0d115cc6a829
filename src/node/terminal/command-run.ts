// Follows one command from its launch to its honest end: what its files say, and nothing else.
import { constants } from 'node:os';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandEnd, type CommandProgress, type Shell } from '../../core/ports';
import { captureWrapper, type CaptureOptions } from './capture-wrapper';
import { type Launch, type LaunchEnd, type Launcher } from './launcher';
import { cutOutput, findEndMark, outputSize, readTail } from './output-file';
import { powerShellScript, powerShellWrapper } from './power-shell';
import { createProcessFamily } from './process-family';
import { endProcesses, processesOf, type RunIdentity, type RunProcess } from './process-tree';
import { claimRun, readSmallFile, startFailure, type RunFiles } from './run-files';

/** A command that prints more than this is killed. */
export const OUTPUT_LIMIT_BYTES = 5 * 1024 * 1024 * 1024;
const PROGRESS_INTERVAL_MS = 100;
/** Whether it has printed something or not. */
const FIRST_REPORT_MS = 500;
/** Characters of a progress report's tail, as a terminal view shows them. */
export const TAIL_CHARACTERS = 4000;
/** From the exit code to the end mark: a writer slower than this makes the output incomplete. */
const END_MARK_WAIT_MS = 3000;
const QUIET_WAIT_MS = 500;
const QUIET_STEP_MS = 30;
/** From the wrapper's end to its exit code. */
const EXIT_CODE_WAIT_MS = 500;
/** An interrupt explains an end that comes this soon after it. */
const INTERRUPT_WINDOW_MS = 5000;
const POLL_MS = 100;
/** A command without new output is looked at less often; its end rings the bell. */
const QUIET_AFTER_MS = 5000;
const QUIET_POLL_MS = 500;

export type KillReason = Extract<CommandEnd, { state: 'killed' }>['by'];
/** A run's own end: moving to the background is its caller's business. */
export type RunEnd = Exclude<CommandEnd, { state: 'background' }>;

export interface RunOptions {
  /** Of the call that wants it. */
  id?: string;
  command: string;
  /** What the shell gets in its place. */
  runs?: string;
  shell?: Shell;
  cwd: string;
  /** The path of the shell. */
  bash: string;
  files: RunFiles;
  mark: string;
  environment: NodeJS.ProcessEnv;
  /** Exports that the command's shell reads first. */
  environmentFile?: string | undefined;
  /** Definitions of names that the command uses, as text for its shell. */
  definitions?: string | undefined;
  /** Set in the wrapper, over what start-up files said. */
  variables: Readonly<Record<string, string | null>>;
  launch: Launcher;
  endMark: string;
  /** Runs already: its files are left as they are. */
  startedAt?: number;
  onProgress(progress: CommandProgress): void;
  outputLimitBytes?: number;
}

export interface RunOutcome {
  end: RunEnd;
  /** Where the output ends in its file. */
  outputEnd: number;
  incomplete: boolean;
  /** The folder the command ended in, where it said so. */
  cwd: string | undefined;
  survivors: RunProcess[];
  notes: string[];
  durationMs: number;
}

export interface CommandRun {
  /** Resolves when the launch is on its way and the output file exists; never where nothing could be launched. */
  launched: Promise<void>;
  outcome: Promise<RunOutcome>;
  /** Ends the process tree; resolves when that is done. Only the first reason counts. */
  kill(by: KillReason): Promise<void>;
  /** After it was killed: tries once more what could not be ended, or came to light only later. */
  endLeftovers(): Promise<void>;
  /** Something may have changed: look now. */
  wake(): void;
}

/** Never rejects, and neither does `outcome`. */
export function startRun(options: RunOptions): CommandRun {
  const { files, endMark } = options;
  const powerShell = options.shell === 'powershell';
  /** As unknown to the command as the mark is. */
  const flag = `deft_${endMark.replace(/[^0-9a-f]/g, '')}`;
  const started = options.startedAt ?? Date.now();
  const stop = new AbortController();
  const bell = createBell();
  let launch: Launch | undefined;
  let over: LaunchEnd | undefined;
  let overAt = 0;
  let killed: KillReason | undefined;
  let killing: Promise<void> | undefined;
  let interruptedAt: number | undefined;
  const family = createProcessFamily();
  let identity: RunIdentity = { mark: options.mark, group: undefined, family };
  let reportedBytes = 0;
  let reportedAt = 0;
  const notes: string[] = [];
  let announce: () => void = () => undefined;
  const launched = new Promise<void>((resolve) => (announce = resolve));

  const kill = (by: KillReason): Promise<void> => {
    killed ??= by;
    killing ??= endTree();
    return killing;
  };

  async function endTree(): Promise<void> {
    stop.abort();
    await readIdentity();
    // A wrapper that has not started by now finds the run taken, however late a shell gets to its line.
    if (identity.group === undefined && !(await claimRun(files))) {
      await within(EXIT_CODE_WAIT_MS, async () => {
        await readIdentity();
        return identity.group !== undefined || over !== undefined;
      });
    }
    const left = await endProcesses(identity);
    if (left.length > 0) notes.push(`Could not be ended: ${left.map(describe).join(', ')}.`);
    if (!(await within(EXIT_CODE_WAIT_MS, async () => (await readSmallFile(files.exitCode)) !== undefined))) {
      launch?.abandon();
    }
    bell.ring();
  }

  async function readIdentity(): Promise<void> {
    const pid = Number(await readSmallFile(files.pid));
    if (pid > 1) identity = { ...identity, group: pid };
  }

  async function follow(): Promise<RunOutcome> {
    const failure = await begin();
    if (failure) return finish({ state: 'not-started', message: failure }, true);
    for (;;) {
      if (identity.group === undefined) await readIdentity();
      if (identity.group !== undefined) await family.look(identity.group);
      const code = await readSmallFile(files.exitCode);
      if (code !== undefined) return finish(await ended(Number(code)), false);
      if (killing === undefined && (await readSmallFile(files.stopped)) !== undefined) return suspended();
      const silent = over !== undefined && Date.now() - overAt >= EXIT_CODE_WAIT_MS;
      if (over && (over.kind === 'failed' || silent)) return finish(await unreported(over), true);
      await report();
      await bell.wait(Date.now() - Math.max(started, reportedAt) < QUIET_AFTER_MS ? POLL_MS : QUIET_POLL_MS);
    }
  }

  /** A sentence where nothing could be started. */
  async function begin(): Promise<string | undefined> {
    try {
      if (options.startedAt === undefined) {
        await writeFile(
          files.command,
          powerShell ? powerShellScript(options.command, flag) : (options.runs ?? options.command),
          { mode: 0o600 },
        );
        if (options.definitions !== undefined) await writeFile(files.names, options.definitions, { mode: 0o600 });
        await writeFile(files.output, '', { mode: 0o600 });
      }
      launch = await options.launch({
        ...(options.id === undefined ? {} : { id: options.id }),
        command: options.command,
        shell: options.shell ?? 'bash',
        files,
        bash: options.bash,
        endMark,
        environment: options.environment,
        signal: stop.signal,
        onInterrupt: () => (interruptedAt = Date.now()),
        onKill: () => void kill('person'),
        prepare: ({ variables, ...shape }) =>
          writeFile(files.wrapper, wrapperText(shape, { ...variables, ...options.variables }), { mode: 0o600 }),
      });
    } catch (error) {
      return startFailure(error, path.dirname(files.command));
    }
    announce();
    void launch.over.then((end) => {
      over = end;
      overAt = Date.now();
      if (end.kind === 'closed') killing ??= endTree();
      bell.ring();
    });
    return undefined;
  }

  function wrapperText(
    shape: Pick<CaptureOptions, 'input' | 'display' | 'title' | 'size'>,
    variables: Readonly<Record<string, string | null>>,
  ): string {
    const { bash, mark, cwd } = options;
    if (powerShell) return powerShellWrapper({ files, flag, mark, cwd, variables });
    return captureWrapper({
      ...shape,
      bash,
      files,
      endMark,
      mark,
      cwd,
      variables,
      environmentFile: options.environmentFile,
      named: options.definitions !== undefined,
    });
  }

  async function ended(code: number): Promise<RunEnd> {
    if (killed) return { state: 'killed', by: killed };
    const recent = interruptedAt !== undefined && Date.now() - interruptedAt < INTERRUPT_WINDOW_MS;
    if (over?.kind === 'closed') return { state: 'closed', code };
    if (recent && code !== 0) return { state: 'interrupted', code };
    const farewell = await readSmallFile(files.farewell);
    const signal = signalName(code - 128);
    // A shell that left in order says the same code itself.
    if (signal === undefined || Number(farewell?.split('\n', 1)[0]) === code) return { state: 'exited', code };
    return { state: 'signalled', signal, code };
  }

  /** The wrapper is over and has left no exit code. */
  async function unreported(end: LaunchEnd): Promise<RunEnd> {
    await readIdentity();
    if (identity.group !== undefined) await endProcesses(identity);
    if (killed) return { state: 'killed', by: killed };
    if (end.kind === 'closed') return { state: 'closed' };
    if (end.kind === 'failed') return { state: 'not-started', message: end.message };
    if (identity.group === undefined) {
      return {
        state: 'not-started',
        message: `The command's shell did not start: ${options.cwd} may be gone, or the disk may be full.`,
      };
    }
    return { state: 'lost', message: 'The command is over, and nothing is left that knows its exit code.' };
  }

  async function suspended(): Promise<RunOutcome> {
    if (launch?.keepsStopped !== true) {
      notes.push('The command stopped itself; since nobody can continue it here, it was ended.');
      await endTree();
      launch?.abandon();
    }
    return finish({ state: 'suspended' }, false);
  }

  async function finish(end: RunEnd, partial: boolean): Promise<RunOutcome> {
    await killing;
    let outputEnd: number | undefined;
    const find = async () => (outputEnd = await findEndMark(files.output, endMark)) !== undefined;
    if (partial && identity.group !== undefined) await quiet();
    const marked = partial ? await find() : await within(END_MARK_WAIT_MS, find);
    outputEnd ??= await outputSize(files.output);
    const survivors = end.state === 'suspended' ? [] : await processesOf(identity, identity.group);
    if (marked && survivors.length === 0) cutOutput(files.output, outputEnd, Buffer.byteLength(endMark));
    const durationMs = Date.now() - started;
    const farewell = (await readSmallFile(files.farewell))?.replace(/^.*\n/, '').replace(/\n$/, '');
    launch?.finished(end, durationMs);
    const incomplete = !marked && end.state !== 'not-started';
    return { end, outputEnd, incomplete, cwd: farewell || undefined, survivors, notes, durationMs };
  }

  /** Nothing tells the end of a command's output that was cut short: wait until its writer has nothing left to write. */
  async function quiet(): Promise<void> {
    let size = -1;
    await within(QUIET_WAIT_MS, async () => {
      const before = size;
      size = await outputSize(files.output);
      await sleep(QUIET_STEP_MS);
      return size === before;
    });
  }

  const withoutMark = (text: string) => text.replace(endMark, '');

  async function report(): Promise<void> {
    const bytes = await outputSize(files.output);
    if (bytes > (options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES)) void kill('limit');
    // A command that prints nothing is told of once: the person can see that it runs, and do something about it.
    const first = reportedAt === 0 && Date.now() - started >= FIRST_REPORT_MS;
    if ((bytes === reportedBytes && !first) || Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedBytes = bytes;
    reportedAt = Date.now();
    const { text } = await readTail(files.output, TAIL_CHARACTERS);
    const tail = withoutMark(text);
    options.onProgress({ tail, bytes, durationMs: Date.now() - started });
  }

  async function endLeftovers(): Promise<void> {
    if (killed !== undefined) await endProcesses(identity);
  }

  return { launched, outcome: follow(), kill, endLeftovers, wake: bell.ring };
}

export function describe({ pid, command }: RunProcess): string {
  return `${pid} (${command})`;
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}

/** Asks again in growing steps until the answer is yes. */
async function within(limitMs: number, ask: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + limitMs;
  for (let step = 1; ; step = Math.min(step * 2, 50)) {
    if (await ask()) return true;
    if (Date.now() >= until) return false;
    await sleep(step);
  }
}

interface Bell {
  /** Resolves after `ms`, or at once where it rang since the last wait. */
  wait(ms: number): Promise<void>;
  ring(): void;
}

function createBell(): Bell {
  let rang = false;
  let answer: (() => void) | undefined;
  return {
    ring: () => {
      rang = true;
      answer?.();
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          answer = undefined;
          rang = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        answer = done;
        if (rang) done();
      }),
  };
}
