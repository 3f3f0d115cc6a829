// The Terminal port over a launcher: numbers the runs, moves them to the background, ends them, reports how they ended.
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { defined } from '../../shared/defined';
import {
  type CommandProgress,
  type CommandRequest,
  type CommandResult,
  type Shell,
  type Terminal,
} from '../../core/ports/terminal';
import { type Log } from '../../core/ports/log';
import { RunFolders } from './run-folders';
import { createBackgroundRuns, type TrackedRun } from './background-runs';
import { atExit } from '../at-exit';
import { killMarkedNow, type RunProcess } from './process-tree';
import { newEndMark } from './capture-wrapper';
import { COMMAND_VARIABLES, findBash } from './command-environment';
import { needsOutputFile, notStarted, portable, resultOf, textOf } from './command-result';
import { readBash } from '../../core/permissions/bash/bash-line';
import { type ShellNames, type UsedName, usedNames } from '../../core/permissions/bash/shell-names';
import { startRun } from './command-run';
import { definitionsText, noNames } from './shell-definitions';
import { type Launcher } from './launcher';
import { outputSize, readTail } from './output-file';
import { findPowerShell, powerShellRunFiles } from './power-shell';
import { removeRunFiles, runFiles, type RunFiles, runMark, startFailure, type RunDirectory } from './run-files';
import { type Orphans } from './run-owners';
import { launchNothing, removeRunRecord, takeOverRuns, writeRunRecord } from './run-record';

export interface CapturedTerminalOptions {
  launch: Launcher;
  log: Log;
  /** Asked for each command: complete, without credentials. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** Set in every command, over start-up files; null unsets. Asked for each command. */
  variables?(): Readonly<Record<string, string | null>>;
  /** Aliases and functions that commands of bash may use, always the same; none where it is left out. */
  names?(): Promise<ShellNames>;
  /** Holds the private folder; the system's temporary folder by default. */
  root?: string;
  /** Takes its place where it is missing, full or read-only. */
  fallbackRoot?: string;
  /**
   * Set where commands live in the user's own terminals and run on after dispose: names the workspace, whose next session
   * takes them over as background commands.
   */
  workspace?: string;
  outputLimitBytes?: number;
  /** Commands that a session which crashed had left running were ended, or could not be. */
  onOrphans?(orphans: Orphans): void;
}

export interface CapturedTerminal extends Terminal {
  /** The private folders with the output files, which the model may read: its own, and those of commands that were taken over. */
  outputDirectories(): string[];
  /** Continues with commands of an earlier session of the workspace; resolves with their number. */
  takeOver(): Promise<number>;
  /** Processes that commands left behind when they ended. */
  leftAlive(): Promise<{ command: string; processes: RunProcess[] }[]>;
}

export function createCapturedTerminal(options: CapturedTerminalOptions): CapturedTerminal {
  const captured = new CapturedRuns(options);
  const { runs } = captured;
  return {
    run: (request, onProgress, signal) => captured.run(request, onProgress, signal),
    takeOver: () => captured.takeOver(),
    foundAgain: () => captured.folders.sweep(),
    outputDirectories: () => captured.folders.paths(),
    moveToBackground: runs.move,
    background: runs.listed,
    stop: runs.stop,
    output: async (taskId, maxBytes) => {
      const entry = runs.find(taskId);
      if (entry === undefined) return undefined;
      const { text, bytes } = await readTail(runFiles(entry.directory, entry.number).output, maxBytes);
      return { tail: text.replace(entry.endMark, ''), totalBytes: bytes };
    },
    ...defined({ shellNames: options.names }),
    shells: () => [
      ...(findBash(process.env) ? (['bash'] as const) : []),
      ...(findPowerShell(process.env) ? (['powershell'] as const) : []),
    ],
    leftAlive: runs.leftAlive,
    onBackgroundEnd: runs.onEnd,
    dispose: () => captured.dispose(),
  };
}

/** What a command needs before it starts. */
interface Prepared {
  directory: RunDirectory;
  taskId: string;
  environment: NodeJS.ProcessEnv;
  /** Names of the user's own that the command uses. */
  used: UsedName[];
}

class CapturedRuns {
  readonly #options: CapturedTerminalOptions;
  readonly #root: string;
  readonly #outlives: boolean;
  readonly runs = createBackgroundRuns();
  readonly folders: RunFolders;
  readonly #takeBackExit: () => void;
  #count = 0;
  #disposed = false;

  constructor(options: CapturedTerminalOptions) {
    this.#options = options;
    this.#root = options.root ?? tmpdir();
    this.#outlives = options.workspace !== undefined;
    this.folders = new RunFolders({
      roots: [this.#root, ...(options.fallbackRoot === undefined ? [] : [options.fallbackRoot])],
      owner: {
        processesEndWithOwner: !this.#outlives,
        ...(this.#outlives ? { workspace: options.workspace } : {}),
      },
      onEnd: (place, number) => this.runs.wake(place, number),
      onOrphans: options.onOrphans,
      log: options.log,
    });
    this.#takeBackExit = this.#outlives ? () => undefined : atExit(() => this.#killNow());
  }

  #killNow(): void {
    this.runs.killAllNow();
    for (const { name } of this.folders.own()) killMarkedNow(name);
  }

  async run(
    request: CommandRequest,
    onProgress: (progress: CommandProgress) => void,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const started = Date.now();
    const number = ++this.#count;
    const refused = (message: string): CommandResult => notStarted(request, message, Date.now() - started);
    const aborted = (): CommandResult => ({ ...refused(''), end: { state: 'killed', by: 'abort' } });
    if (signal.aborted) return aborted();
    if (this.#disposed) return refused('The session has ended.');
    const found = await stat(request.cwd).catch(() => undefined);
    if (!found?.isDirectory()) return refused(`The folder ${request.cwd} does not exist.`);
    const endMark = newEndMark();
    const prepared = await this.#prepare(request, number, { startedAt: started, endMark }).catch((error: unknown) =>
      startFailure(error, this.#root),
    );
    if (typeof prepared === 'string') return refused(prepared);
    const { shell = 'bash' } = request;
    const bash = shell === 'bash' ? findBash(prepared.environment) : findPowerShell(prepared.environment);
    if (!bash) return refused(`There is no ${shell === 'bash' ? 'bash' : 'PowerShell'} on this machine.`);
    if (isAborted(signal)) return aborted();
    // Meanwhile; nobody would end what starts now.
    if (this.#disposed) return refused('The session has ended.');

    let listening = true;
    const entry = this.#start(
      request,
      { ...prepared, bash, shell, number, endMark, startedAt: started },
      (progress) => void (listening && onProgress(progress)),
    );
    const output = runFiles(prepared.directory, number).output;
    const first = await this.runs.firstEnd(entry, request, signal);
    listening = false;
    if (first.kind === 'ended') {
      const result = await resultOf(request, output, first.outcome);
      const keep = needsOutputFile(request, result);
      await removeRunFiles(entry.files, keep);
      return keep ? result : { ...result, outputPath: '' };
    }
    const size = await outputSize(output);
    return {
      end: { state: 'background', taskId: entry.public.taskId, reason: first.reason },
      ...(await textOf(output, first.reason === 'asked' ? 0 : size)),
      totalBytes: size,
      incomplete: false,
      outputPath: entry.public.outputPath,
      cwd: request.cwd,
      durationMs: Date.now() - started,
      survivors: [],
      notes: [],
    };
  }

  async takeOver(): Promise<number> {
    if (this.#options.workspace === undefined) return 0;
    const found = await takeOverRuns(this.#root, this.#options.workspace);
    for (const { directory, number, record } of found) {
      this.folders.add(directory);
      const files = runFiles(directory, number);
      const { taskId, toolUseId, session, command, description, startedAt, endMark, cwd } = record;
      const entry: TrackedRun = {
        id: toolUseId,
        directory,
        number,
        endMark,
        background: true,
        public: {
          taskId,
          toolUseId,
          command,
          ...defined({ session, description }),
          outputPath: portable(files.output),
          startedAt,
        },
        run: startRun({
          command,
          cwd,
          bash: '',
          files,
          mark: runMark(directory, number),
          endMark,
          startedAt,
          environment: {},
          variables: {},
          launch: launchNothing,
          onProgress: () => undefined,
          ...defined({ outputLimitBytes: this.#options.outputLimitBytes }),
        }),
      };
      this.#track(entry, () => removeRunFiles(files, true));
    }
    return found.length;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.folders.stopWatching();
    this.runs.silence();
    if (!this.#outlives) await this.runs.killAll();
    // The next session may take over what still runs.
    await this.folders.giveUp();
    this.#takeBackExit();
  }

  /** Rejects where the folder cannot be made, or the environment cannot be determined. */
  async #prepare(
    request: CommandRequest,
    number: number,
    { startedAt, endMark }: { startedAt: number; endMark: string },
  ): Promise<Prepared> {
    const [directory, environment] = await Promise.all([this.folders.open(), this.#options.environment()]);
    // Inside the sandbox there are none: a shell of its own reads the command there.
    const used =
      request.shell === 'powershell' || request.runs !== undefined
        ? []
        : usedNames(readBash(request.command), (await this.#options.names?.()) ?? noNames);
    const taskId = this.#outlives ? `bash_${directory.name.toLowerCase()}_${number}` : `bash_${number}`;
    if (this.#outlives)
      await writeRunRecord(runFiles(directory, number), recordOf(request, taskId, startedAt, endMark));
    return { directory, taskId, environment, used };
  }

  #start(
    request: CommandRequest,
    {
      directory,
      taskId,
      environment,
      used,
      bash,
      shell,
      number,
      endMark,
      startedAt,
    }: Prepared & { bash: string; shell: Shell; number: number; endMark: string; startedAt: number },
    onProgress: (progress: CommandProgress) => void,
  ): TrackedRun & { files: RunFiles } {
    const files = shell === 'bash' ? runFiles(directory, number) : powerShellRunFiles(runFiles(directory, number));
    const { id, session, command, description, runs, cwd, environmentFile, variables } = request;
    const entry: TrackedRun & { files: RunFiles } = {
      id,
      files,
      directory,
      number,
      endMark,
      background: false,
      public: {
        taskId,
        toolUseId: id,
        command,
        ...defined({ session, description }),
        outputPath: portable(files.output),
        startedAt,
      },
      run: startRun({
        id,
        command,
        ...defined({ runs }),
        shell,
        cwd,
        bash,
        files,
        mark: runMark(directory, number),
        endMark,
        environment,
        environmentFile,
        definitions: used.length === 0 ? undefined : definitionsText(used),
        variables: { ...COMMAND_VARIABLES, ...variables, ...this.#options.variables?.() },
        launch: this.#options.launch,
        onProgress,
        ...defined({ outputLimitBytes: this.#options.outputLimitBytes }),
      }),
    };
    // Its output was named to the model, and may be read until the session ends.
    this.#track(entry, () => (entry.background ? removeRunFiles(files, true) : removeRunRecord(files)));
    return entry;
  }

  #track(entry: TrackedRun, ended: () => Promise<void>): void {
    // After its session, the next one says how it ended, and needs its files for that.
    this.runs.track(entry, async () => (this.#disposed && this.#outlives ? undefined : ended()));
  }
}

function recordOf(request: CommandRequest, taskId: string, startedAt: number, endMark: string) {
  const { id: toolUseId, session, command, cwd, description } = request;
  return { taskId, toolUseId, command, cwd, startedAt, endMark, ...defined({ session, description }) };
}

// A function, since the compiler takes an earlier `signal.aborted` for settled.
const isAborted = (signal: AbortSignal) => signal.aborted;
