// Follows one command from its launch to its honest end: what its files say, and nothing else.
import { constants } from 'node:os';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../shared/defined';
import { type CommandEnd } from '../../core/ports/command-end';
import { type CommandProgress, type Shell } from '../../core/ports/terminal';
import { captureWrapper, type CaptureOptions } from './capture-wrapper';
import { type Launch, type LaunchEnd, type Launcher } from './launcher';
import { capOutput } from './output-cap';
import { cutOutput, findEndMark, outputSize, readTail } from './output-file';
import { powerShellScript, powerShellWrapper } from './power-shell';
import { createProcessFamily } from './process-family';
import { endProcesses, listedProcesses, processesOf, send, type RunIdentity, type RunProcess } from './process-tree';
import { claimRun, isFileThere, readPidNow, readSmallFile, startFailure, type RunFiles } from './run-files';
import { createWakeUp } from './wake-up';

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
/** A command without new output is looked at less often; its end wakes the watch. */
const QUIET_AFTER_MS = 5000;
const QUIET_POLL_MS = 500;
/** Its output takes much of the disk, and grows. */
const NEAR_POLL_MS = 20;

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
  /** The middle of the output was given back to the disk. */
  cut: boolean;
}

export interface CommandRun {
  /** Resolves when the launch is on its way and the output file exists; never where nothing could be launched. */
  launched: Promise<void>;
  outcome: Promise<RunOutcome>;
  /** Ends the process tree; resolves when that is done. Only the first reason counts. */
  kill(by: KillReason): Promise<void>;
  /** After it was killed: tries once more what could not be ended, or came to light only later. */
  endLeftovers(): Promise<void>;
  /** Those of it that live. */
  processes(): Promise<RunProcess[]>;
  /** For a process that exits: SIGKILL for its process groups at once. */
  killNow(): void;
  /** Something may have changed: look now. */
  wake(): void;
}

/** Never rejects, and neither does `outcome`. */
export function startRun(options: RunOptions): CommandRun {
  return new Run(options);
}

class Run implements CommandRun {
  readonly #options: RunOptions;
  readonly #files: RunOptions['files'];
  readonly #endMark: RunOptions['endMark'];
  readonly #powerShell: boolean;
  /** As unknown to the command as the mark is. */
  readonly #flag: string;
  readonly #started: number;
  readonly #stop = new AbortController();
  readonly #wakeUp = createWakeUp();
  #launch: Launch | undefined;
  #over: LaunchEnd | undefined;
  #overAt = 0;
  #killed: KillReason | undefined;
  #killing: Promise<void> | undefined;
  #cut = false;
  /** The output takes much of the disk, and grows. */
  #near = false;
  #seenBytes = 0;
  /** What a kill could not end. */
  #unended: RunProcess[] | undefined;
  #interruptedAt: number | undefined;
  readonly #family = createProcessFamily();
  #identity: RunIdentity;
  #reportedBytes = 0;
  #reportedAt = 0;
  readonly #notes: string[] = [];
  #announce: () => void = () => undefined;
  readonly launched: Promise<void>;
  readonly outcome: Promise<RunOutcome>;
  readonly wake: () => void;

  constructor(options: RunOptions) {
    this.#options = options;
    const { files, endMark } = options;
    this.#files = files;
    this.#endMark = endMark;
    this.#powerShell = options.shell === 'powershell';
    this.#flag = `deft_${endMark.replace(/[^0-9a-f]/g, '')}`;
    this.#started = options.startedAt ?? Date.now();
    this.#identity = { mark: options.mark, group: undefined, family: this.#family };
    this.launched = new Promise<void>((resolve) => (this.#announce = resolve));
    this.outcome = this.#follow();
    this.wake = this.#wakeUp.now;
  }

  kill(by: KillReason): Promise<void> {
    this.#killed ??= by;
    this.#killing ??= this.#endTree();
    return this.#killing;
  }

  async endLeftovers(): Promise<void> {
    if (this.#killed !== undefined) await endProcesses(this.#identity);
  }

  processes(): Promise<RunProcess[]> {
    return processesOf(this.#identity);
  }

  killNow(): void {
    const group = this.#identity.group ?? readPidNow(this.#files.pid);
    if (group !== undefined) send(-group, 'SIGKILL');
    this.#launch?.abandon();
  }

  async #endTree(): Promise<void> {
    this.#stop.abort();
    await this.#readIdentity();
    // A wrapper that has not started by now finds the run taken, however late a shell gets to its line.
    if (this.#identity.group === undefined && !(await claimRun(this.#files))) {
      await within(EXIT_CODE_WAIT_MS, async () => {
        await this.#readIdentity();
        return this.#identity.group !== undefined || this.#over !== undefined;
      });
    }
    const left = await endProcesses(this.#identity);
    this.#unended = left;
    if (left.length > 0) this.#notes.push(`Could not be ended: ${listedProcesses(left)}.`);
    if (!(await within(EXIT_CODE_WAIT_MS, async () => (await readSmallFile(this.#files.exitCode)) !== undefined))) {
      this.#launch?.abandon();
    }
    this.#wakeUp.now();
  }

  async #readIdentity(): Promise<void> {
    const pid = Number(await readSmallFile(this.#files.pid));
    if (pid > 1) this.#identity = { ...this.#identity, group: pid };
  }

  async #follow(): Promise<RunOutcome> {
    const failure = await this.#begin();
    if (failure) return this.#finish({ state: 'not-started', message: failure }, true);
    for (;;) {
      if (this.#identity.group === undefined) await this.#readIdentity();
      if (this.#identity.group !== undefined && this.#killing === undefined)
        await this.#family.look(this.#identity.group);
      const code = await readSmallFile(this.#files.exitCode);
      if (code !== undefined) return this.#finish(await this.#ended(Number(code)), false);
      if (this.#killing === undefined && (await readSmallFile(this.#files.stopped)) !== undefined)
        return this.#suspended();
      const silent = this.#over !== undefined && Date.now() - this.#overAt >= EXIT_CODE_WAIT_MS;
      if (this.#over && (this.#over.kind === 'failed' || silent))
        return this.#finish(await this.#unreported(this.#over), true);
      await this.#report();
      await this.#wakeUp.wait(
        this.#near
          ? NEAR_POLL_MS
          : Date.now() - Math.max(this.#started, this.#reportedAt) < QUIET_AFTER_MS
            ? POLL_MS
            : QUIET_POLL_MS,
      );
    }
  }

  /** A sentence where nothing could be started. */
  async #begin(): Promise<string | undefined> {
    try {
      if (this.#options.startedAt === undefined) {
        await writeFile(
          this.#files.command,
          this.#powerShell
            ? powerShellScript(this.#options.command, this.#flag)
            : (this.#options.runs ?? this.#options.command),
          { mode: 0o600 },
        );
        if (this.#options.definitions !== undefined)
          await writeFile(this.#files.names, this.#options.definitions, { mode: 0o600 });
        await writeFile(this.#files.output, '', { mode: 0o600 });
      }
      this.#launch = await this.#options.launch({
        ...defined({ id: this.#options.id }),
        command: this.#options.command,
        shell: this.#options.shell ?? 'bash',
        files: this.#files,
        bash: this.#options.bash,
        endMark: this.#endMark,
        environment: this.#options.environment,
        signal: this.#stop.signal,
        onInterrupt: () => (this.#interruptedAt = Date.now()),
        onKill: () => void this.kill('user'),
        prepare: ({ variables, ...shape }) =>
          writeFile(this.#files.wrapper, this.#wrapperText(shape, { ...variables, ...this.#options.variables }), {
            mode: 0o600,
          }),
      });
    } catch (error) {
      return startFailure(error, path.dirname(this.#files.command));
    }
    this.#announce();
    void this.#launch.over.then((end) => {
      this.#over = end;
      this.#overAt = Date.now();
      if (end.kind === 'closed') this.#killing ??= this.#endTree();
      this.#wakeUp.now();
    });
    return undefined;
  }

  #wrapperText(
    shape: Pick<CaptureOptions, 'input' | 'display' | 'title' | 'size'>,
    variables: Readonly<Record<string, string | null>>,
  ): string {
    const { bash, mark, cwd } = this.#options;
    if (this.#powerShell) return powerShellWrapper({ files: this.#files, flag: this.#flag, mark, cwd, variables });
    return captureWrapper({
      ...shape,
      bash,
      files: this.#files,
      endMark: this.#endMark,
      mark,
      cwd,
      variables,
      environmentFile: this.#options.environmentFile,
      named: this.#options.definitions !== undefined,
    });
  }

  async #ended(code: number): Promise<RunEnd> {
    if (this.#killed) return { state: 'killed', by: this.#killed };
    const recent = this.#interruptedAt !== undefined && Date.now() - this.#interruptedAt < INTERRUPT_WINDOW_MS;
    if (this.#over?.kind === 'closed') return { state: 'closed', code };
    if (recent && code !== 0) return { state: 'interrupted', code };
    const farewell = await readSmallFile(this.#files.farewell);
    const signal = signalName(code - 128);
    // A shell that left in order says the same code itself.
    if (signal === undefined || Number(farewell?.split('\n', 1)[0]) === code) return { state: 'exited', code };
    return { state: 'signalled', signal, code };
  }

  /** The wrapper is over and has left no exit code. */
  async #unreported(end: LaunchEnd): Promise<RunEnd> {
    await this.#readIdentity();
    if (this.#identity.group !== undefined) await endProcesses(this.#identity);
    if (this.#killed) return { state: 'killed', by: this.#killed };
    if (end.kind === 'closed') return { state: 'closed' };
    if (end.kind === 'failed') return { state: 'not-started', message: end.message };
    if (!(await isFileThere(this.#files.command)))
      return {
        state: 'lost',
        message:
          'How the command ended is unknown: the temporary files through which it reports were deleted meanwhile. Check before you repeat it.',
      };
    if (this.#identity.group === undefined) {
      return {
        state: 'not-started',
        message: `The command's shell did not start: ${this.#options.cwd} may be gone, or the disk may be full.`,
      };
    }
    return { state: 'lost', message: 'The command has ended, and its exit code is unknown.' };
  }

  async #suspended(): Promise<RunOutcome> {
    if (this.#launch?.keepsStopped !== true) {
      this.#notes.push('The command stopped itself; since nobody can continue it here, it was ended.');
      await this.#endTree();
      this.#launch?.abandon();
    }
    return this.#finish({ state: 'suspended' }, false);
  }

  async #finish(end: RunEnd, partial: boolean): Promise<RunOutcome> {
    await this.#killing;
    let outputEnd: number | undefined;
    const find = async () => (outputEnd = await findEndMark(this.#files.output, this.#endMark)) !== undefined;
    if (partial && this.#identity.group !== undefined) await this.#quiet();
    const marked = partial ? await find() : await within(END_MARK_WAIT_MS, find);
    outputEnd ??= await outputSize(this.#files.output);
    const survivors =
      end.state === 'suspended' ? [] : (this.#unended ?? (await processesOf(this.#identity, this.#identity.group)));
    if (marked && survivors.length === 0) cutOutput(this.#files.output, outputEnd, Buffer.byteLength(this.#endMark));
    const durationMs = Date.now() - this.#started;
    const farewell = (await readSmallFile(this.#files.farewell))?.replace(/^.*\n/, '').replace(/\n$/, '');
    this.#launch?.finished(end, durationMs);
    const incomplete = !marked && end.state !== 'not-started';
    const cut = this.#cut;
    return { end, outputEnd, incomplete, cwd: farewell || undefined, survivors, notes: this.#notes, durationMs, cut };
  }

  /** Nothing reports the end of a command's output that was cut short: wait until its writer has nothing left to write. */
  async #quiet(): Promise<void> {
    let size = -1;
    await within(QUIET_WAIT_MS, async () => {
      const before = size;
      size = await outputSize(this.#files.output);
      await sleep(QUIET_STEP_MS);
      return size === before;
    });
  }

  async #report(): Promise<void> {
    const bytes = await outputSize(this.#files.output);
    const { cut, full, near } = await capOutput(this.#files.output);
    this.#cut ||= cut;
    this.#near = near && bytes !== this.#seenBytes;
    this.#seenBytes = bytes;
    if (full || bytes > (this.#options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES)) void this.kill('limit');
    // A command that prints nothing is reported once: the user can see that it runs, and do something about it.
    const first = this.#reportedAt === 0 && Date.now() - this.#started >= FIRST_REPORT_MS;
    if ((bytes === this.#reportedBytes && !first) || Date.now() - this.#reportedAt < PROGRESS_INTERVAL_MS) return;
    this.#reportedBytes = bytes;
    this.#reportedAt = Date.now();
    const { text } = await readTail(this.#files.output, TAIL_CHARACTERS);
    this.#options.onProgress({ tail: text.replace(this.#endMark, ''), bytes, durationMs: Date.now() - this.#started });
  }
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
