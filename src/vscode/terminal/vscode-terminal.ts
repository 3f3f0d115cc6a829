// The Terminal port in VS Code: each command goes to the strategy that the settings name when it starts.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { defined } from '../../shared/defined';
import { messageOf } from '../../core/text/errors';
import { withoutCredentials } from '../../core/text/credentials';
import { type BackgroundCommand } from '../../core/ports/terminal';
import { type Log } from '../../core/ports/log';
import { createCapturedTerminal, type CapturedTerminal } from '../../node/terminal/captured-terminal';
import { type Orphans } from '../../node/terminal/run-owners';
import { cleanEnvironment } from '../../node/terminal/command-environment';
import { headOf } from '../../shared/cut-text';
import { createManagedTerminals } from './managed-launcher';
import { createPersonalShells } from './shell-launcher';
import { createTerminalEnvironment, deftVariables } from './terminal-environment';

export type TerminalStrategy = 'managed' | 'shell';

export interface VscodeTerminalOptions {
  log: Log;
  /** The value of `deft.terminal.strategy`, asked for each command. */
  strategy(): TerminalStrategy;
  /** What settings files set for commands; Deft's own setting is applied after it. */
  variables?(): Readonly<Record<string, string>>;
  /** Holds the private folders with the output files; the system's temporary folder by default. */
  root?: string;
  /** Takes their place where it is missing, full or read-only. */
  fallbackRoot?: string;
  /** A command seems to wait for somebody to type; by default a message offers to show its terminal. */
  onWaiting?(command: string, show: () => void): void;
  /** The user's shell did not get to a command, which runs in a terminal of Deft's own; by default a message says so. */
  onUnreached?(): void;
}

export interface VscodeTerminal extends Omit<CapturedTerminal, 'leftAlive'> {
  /** Starts asking the login shell for its environment, so that the first command need not wait. */
  prepare(): void;
  /** Of a process of Deft's own: complete, without credentials. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** The same as it was made last. */
  variables(): NodeJS.ProcessEnv | undefined;
  /** Folders for the end of the PATH of commands that Deft starts in terminals of its own. */
  searchIn(folders: () => Promise<readonly string[]>): void;
  /** Moves Deft's terminal to the front; false where no command has run. */
  show(id?: string): boolean;
}

export function createVscodeTerminal(options: VscodeTerminalOptions): VscodeTerminal {
  const { log } = options;
  const variables = () => ({ ...withoutCredentials(options.variables?.() ?? {}), ...deftVariables() });
  const environment = createTerminalEnvironment(log, variables);
  let searched = async (): Promise<readonly string[]> => [];
  const managedTerminals = createManagedTerminals(options.onWaiting ?? offerTerminal);
  const shells = createPersonalShells();
  const roots = defined({ root: options.root, fallbackRoot: options.fallbackRoot });
  const managed = createCapturedTerminal({
    ...roots,
    log,
    launch: managedTerminals.launch,
    environment: async () => withFolders(await environment.complete(), await searched()),
    names: environment.names,
    variables,
    onOrphans: tellOrphans,
  });
  const shell = createCapturedTerminal({
    ...roots,
    log,
    launch: shells.launch,
    // Only to find bash: the user's shell passes its own environment on.
    environment: async () => cleanEnvironment(process.env),
    names: environment.names,
    variables,
    workspace: workspaceName(),
    onOrphans: tellOrphans,
  });
  const foundAgain = shell.takeOver().then(
    (count) => {
      if (count > 0) log.info(`${count} command(s) of the previous session continue in the background.`);
    },
    (error: unknown) => log.warn('Commands of the previous session were not found.', messageOf(error)),
  );
  const both: readonly CapturedTerminal[] = [managed, shell];
  let told = false;
  const inShell: CapturedTerminal['run'] = async (request, onProgress, signal) => {
    const result = await shell.run(request, onProgress, signal);
    if (!shells.notReached(request.id)) return result;
    if (!told) (options.onUnreached ?? tellUnreached)();
    told = true;
    return managed.run(request, onProgress, signal);
  };

  return {
    prepare: environment.prepare,
    environment: environment.complete,
    variables: environment.last,
    searchIn: (folders) => void (searched = folders),
    // The user's own shell may be any; PowerShell has a process of its own.
    run: (request, onProgress, signal) =>
      request.shell === 'powershell' || options.strategy() !== 'shell' || shells.unusable()
        ? managed.run(request, onProgress, signal)
        : inShell(request, onProgress, signal),
    shellNames: environment.names,
    shells: () => managed.shells?.() ?? [],
    // The strategy may have been another one when the call ran.
    show: (id) =>
      (id !== undefined && (managedTerminals.show(id) || shells.show(id))) ||
      (options.strategy() === 'shell' ? shells.show() : managedTerminals.show()),
    outputDirectories: () => both.flatMap((each) => each.outputDirectories()),
    takeOver: shell.takeOver,
    moveToBackground: (id) => both.some((each) => each.moveToBackground(id)),
    background: () => both.flatMap((each) => each.background()),
    foundAgain: async () => {
      await Promise.all([foundAgain, managed.foundAgain?.()]);
    },
    output: async (taskId, maxBytes) => (await managed.output(taskId, maxBytes)) ?? shell.output(taskId, maxBytes),
    stop: async (taskId, by) => (await managed.stop(taskId, by)) || (await shell.stop(taskId, by)),
    onBackgroundEnd: (listener: (command: BackgroundCommand) => void) => {
      const stops = both.map((each) => each.onBackgroundEnd(listener));
      return () => stops.forEach((stop) => stop());
    },
    dispose: async () => {
      await Promise.all(both.map((each) => each.dispose()));
      managedTerminals.dispose();
      shells.dispose();
    },
  };
}

function withFolders(environment: NodeJS.ProcessEnv, folders: readonly string[]): NodeJS.ProcessEnv {
  if (folders.length === 0) return environment;
  // Windows writes it otherwise.
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...environment,
    [name]: [environment[name], ...folders].filter((one) => one !== undefined && one !== '').join(path.delimiter),
  };
}

/** The same after a reload of the window, and in no other window. */
function workspaceName(): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile?.toString() ?? workspaceFolders.map(({ uri }) => uri.toString()).join('\n');
}

function tellOrphans({ ended, alive }: Orphans): void {
  const named = (processes: Orphans['ended']) => processes.map(({ command }) => headOf(command, 80)).join(', ');
  if (ended.length > 0)
    void vscode.window.showInformationMessage(
      `Deft: commands that a window had left running when it crashed were ended: ${named(ended)}.`,
    );
  if (alive.length > 0)
    void vscode.window.showWarningMessage(
      `Deft: commands that a window had left running when it crashed could not be ended: ${named(alive)}.`,
    );
}

function tellUnreached(): void {
  void vscode.window.showWarningMessage(
    'Deft: your shell did not get to a command. Its start-up files may wait for input. Commands that it does not get to run in terminals of Deft’s own.',
  );
}

function offerTerminal(command: string, show: () => void): void {
  const [line = ''] = command.trim().split('\n');
  void vscode.window
    .showInformationMessage(`Deft: the command "${headOf(line, 80)}" seems to wait for input.`, 'Show Terminal')
    .then((choice) => choice && show());
}
