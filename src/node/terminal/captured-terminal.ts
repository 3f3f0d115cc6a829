// The Terminal port over a launcher: numbers the runs, moves them to the background, ends them, tells how they ended.
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { messageOf } from '../../core/text/errors';
import { type CommandRequest, type CommandResult, type Log, type Terminal } from '../../core/ports';
import { createBackgroundRuns, type TrackedRun } from './background-runs';
import { newEndMark } from './capture-wrapper';
import { COMMAND_VARIABLES, findBash } from './command-environment';
import { notStarted, portable, resultOf, textOf } from './command-result';
import { type ShellNames, type UsedName, usedNames } from '../../core/permissions/bash/shell-names';
import { startRun } from './command-run';
import { definitionsText, noNames } from './shell-definitions';
import { type Launcher } from './launcher';
import { outputSize, readTail } from './output-file';
import { findPowerShell, powerShellRunFiles } from './power-shell';
import {
  createRunDirectory,
  isRunDirectoryThere,
  runFiles,
  runMark,
  startFailure,
  sweepRunDirectories,
  writeOwner,
  type RunDirectory,
} from './run-files';
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
  /**
   * Set where commands live in the person's own terminals and run on after dispose: names the workspace, whose next session
   * goes on with them as background commands.
   */
  workspace?: string;
  outputLimitBytes?: number;
}

export interface CapturedTerminal extends Terminal {
  /** The private folders with the output files, which the model may read: its own, and those of commands that were taken over. */
  outputDirectories(): string[];
  /** Goes on with commands of an earlier session of the workspace; resolves with their number. */
  takeOver(): Promise<number>;
}

export function createCapturedTerminal(options: CapturedTerminalOptions): CapturedTerminal {
  const root = options.root ?? tmpdir();
  const outlives = options.workspace !== undefined;
  const owner = { processesEndWithOwner: !outlives, ...(outlives ? { workspace: options.workspace } : {}) };
  const runs = createBackgroundRuns();
  const watchers: FSWatcher[] = [];
  const directories: RunDirectory[] = [];
  let directory: Promise<RunDirectory> | undefined;
  let count = 0;
  let disposed = false;

  const openDirectory = async (): Promise<RunDirectory> => {
    const opened = directory;
    if (opened !== undefined) {
      const place = await opened;
      if (await isRunDirectoryThere(place)) return place;
      // Several commands may find so at once: one of them makes it anew.
      if (directory === opened) {
        directory = undefined;
        // Whoever makes a folder of this name now is somebody else.
        if (!existsSync(place.path)) directories.splice(directories.indexOf(place), 1);
      }
    }
    directory ??= makeDirectory().catch((error: unknown) => {
      directory = undefined;
      throw error;
    });
    return directory;
  };

  async function makeDirectory(): Promise<RunDirectory> {
    const made = await createRunDirectory(root, owner);
    void sweepRunDirectories(root, Date.now());
    directories.unshift(made);
    watchEnds(made);
    return made;
  }

  /** Exit codes are seen at once where folders can be watched, and a little later elsewhere. */
  function watchEnds(place: RunDirectory): void {
    try {
      const watcher = watch(place.ends, { persistent: false }, (_event, name) => {
        runs.wake(place, Number.parseInt(name ?? '', 10));
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch (error) {
      options.log.debug('Commands are polled, since their folder cannot be watched.', messageOf(error));
    }
  }

  const run: Terminal['run'] = async (request, onProgress, signal) => {
    const started = Date.now();
    const number = ++count;
    const refused = (message: string) => notStarted(request, message, Date.now() - started);
    const aborted = (): CommandResult => ({ ...refused(''), end: { state: 'killed', by: 'abort' } });
    if (signal.aborted) return aborted();
    if (disposed) return refused('The session is over.');
    const found = await stat(request.cwd).catch(() => undefined);
    if (!found?.isDirectory()) return refused(`The folder ${request.cwd} does not exist.`);
    const endMark = newEndMark();
    let place: RunDirectory;
    let environment: NodeJS.ProcessEnv;
    let used: UsedName[];
    const taskId = (name: string) => (outlives ? `bash_${name.toLowerCase()}_${number}` : `bash_${number}`);
    try {
      [place, environment] = await Promise.all([openDirectory(), options.environment()]);
      // Inside the sandbox there are none: a shell of its own reads the command there.
      used =
        request.shell === 'powershell' || request.runs !== undefined
          ? []
          : usedNames(request.command, (await options.names?.()) ?? noNames);
      if (outlives)
        await writeRunRecord(runFiles(place, number), recordOf(request, taskId(place.name), started, endMark));
    } catch (error) {
      return refused(startFailure(error, root));
    }
    const { shell = 'bash' } = request;
    const bash = shell === 'bash' ? findBash(environment) : findPowerShell(environment);
    if (!bash) return refused(`There is no ${shell === 'bash' ? 'bash' : 'PowerShell'} on this machine.`);
    if (isAborted(signal)) return aborted();

    const files = shell === 'bash' ? runFiles(place, number) : powerShellRunFiles(runFiles(place, number));
    let listening = true;
    const entry: TrackedRun = {
      id: request.id,
      directory: place,
      number,
      endMark,
      background: false,
      public: {
        taskId: taskId(place.name),
        toolUseId: request.id,
        command: request.command,
        ...(request.description === undefined ? {} : { description: request.description }),
        outputPath: portable(files.output),
        startedAt: started,
      },
      run: startRun({
        id: request.id,
        command: request.command,
        ...(request.runs === undefined ? {} : { runs: request.runs }),
        shell,
        cwd: request.cwd,
        bash,
        files,
        mark: runMark(place, number),
        endMark,
        environment,
        environmentFile: request.environmentFile,
        definitions: used.length === 0 ? undefined : definitionsText(used),
        variables: { ...COMMAND_VARIABLES, ...options.variables?.() },
        launch: options.launch,
        onProgress: (progress) => void (listening && onProgress(progress)),
        ...limit(),
      }),
    };
    runs.track(entry, () => removeRunRecord(files));

    const first = await runs.firstEnd(entry, request, signal);
    listening = false;
    if (first.kind === 'ended') return resultOf(request, files.output, first.outcome);
    const size = await outputSize(files.output);
    return {
      end: { state: 'background', taskId: entry.public.taskId, reason: first.reason },
      ...(await textOf(files.output, first.reason === 'asked' ? 0 : size)),
      totalBytes: size,
      incomplete: false,
      outputPath: entry.public.outputPath,
      cwd: request.cwd,
      durationMs: Date.now() - started,
      survivors: [],
      notes: [],
    };
  };

  async function takeOver(): Promise<number> {
    if (options.workspace === undefined) return 0;
    const found = await takeOverRuns(root, options.workspace);
    for (const { directory: place, number, record } of found) {
      if (!directories.some(({ path }) => path === place.path)) {
        directories.push(place);
        watchEnds(place);
      }
      const files = runFiles(place, number);
      const { taskId, toolUseId, command, description, startedAt, endMark, cwd } = record;
      const entry: TrackedRun = {
        id: toolUseId,
        directory: place,
        number,
        endMark,
        background: true,
        public: {
          taskId,
          toolUseId,
          command,
          ...(description === undefined ? {} : { description }),
          outputPath: portable(files.output),
          startedAt,
        },
        run: startRun({
          command,
          cwd,
          bash: '',
          files,
          mark: runMark(place, number),
          endMark,
          startedAt,
          environment: {},
          variables: {},
          launch: launchNothing,
          onProgress: () => undefined,
          ...limit(),
        }),
      };
      runs.track(entry, () => removeRunRecord(files));
    }
    return found.length;
  }

  const output: Terminal['output'] = async (taskId, maxBytes) => {
    const entry = runs.find(taskId);
    if (entry === undefined) return undefined;
    const { text, bytes } = await readTail(runFiles(entry.directory, entry.number).output, maxBytes);
    return { tail: text.replace(entry.endMark, ''), totalBytes: bytes };
  };

  const limit = () => (options.outputLimitBytes === undefined ? {} : { outputLimitBytes: options.outputLimitBytes });

  return {
    run,
    takeOver,
    outputDirectories: () => directories.map(({ path }) => portable(path)),
    moveToBackground: runs.move,
    background: runs.listed,
    stop: runs.stop,
    output,
    ...(options.names === undefined ? {} : { shellNames: options.names }),
    shells: () => [
      ...(findBash(process.env) ? (['bash'] as const) : []),
      ...(findPowerShell(process.env) ? (['powershell'] as const) : []),
    ],
    onBackgroundEnd: runs.onEnd,
    dispose: async () => {
      disposed = true;
      for (const watcher of watchers) watcher.close();
      runs.silence();
      if (!outlives) await runs.killAll();
      // The next session may take over what still runs.
      await Promise.all(directories.map((each) => writeOwner(each, { ...owner, pid: 0 }).catch(() => undefined)));
    },
  };
}

function recordOf(request: CommandRequest, taskId: string, startedAt: number, endMark: string) {
  const { id: toolUseId, command, cwd, description } = request;
  return { taskId, toolUseId, command, cwd, startedAt, endMark, ...(description === undefined ? {} : { description }) };
}

// A function, since the compiler takes an earlier `signal.aborted` for settled.
const isAborted = (signal: AbortSignal) => signal.aborted;
