// The shell strategy: each command is one simple line in the user's own shell; it survives a reload of the window.
import * as vscode from 'vscode';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandEnd } from '../../core/ports/command-end';
import { CREDENTIAL_VARIABLES, withoutCredentials } from '../../core/text/credentials';
import { quote } from '../../node/terminal/capture-wrapper';
import { type Launch, type LaunchEnd, type LaunchRequest } from '../../node/terminal/launcher';
import { watchShell } from '../../node/terminal/shell-watch';
import { claimRun, DIRECTORY_PREFIX } from '../../node/terminal/run-files';
import { commandTitle, DISPLAY_LIMIT } from './display-text';

const NAME = 'Deft';
/** Shell integration makes a half-typed prompt harmless, but a shell without it works too. */
const INTEGRATION_WAIT_MS = 2000;
/** A new shell reads its start-up files first. */
const FIRST_START_MS = 15_000;
const START_MS = 5000;
/** Some prompts never report that they are back. */
const PROMPT_WAIT_MS = 1000;
/**
 * Clears a half-typed line. executeCommand does so by itself; before that call this key would be of no use, since the two take
 * different ways and the key was seen to reach the command instead.
 */
const KILL_LINE = '\u0015';

export interface PersonalShells {
  launch(request: LaunchRequest): Promise<Launch>;
  /** Moves the terminal of this call to the front, false where it is gone; without one the last used, false where there is none. */
  show(id?: string): boolean;
  /** The shell has not got to the command of this call, and never will: nothing of it has run. */
  notReached(id: string): boolean;
  /** It has not got to any command: its start-up files may read what is typed. */
  unusable(): boolean;
  dispose(): void;
}

export function createPersonalShells(): PersonalShells {
  /** Terminals with a command of Deft's own, or where something of unknown state is still running. */
  const taken = new Set<vscode.Terminal>();
  /** What the user runs, and where. */
  const personal = new Map<vscode.TerminalShellExecution, vscode.Terminal>();
  /** Terminals whose shell has run a command before. */
  const seasoned = new Set<vscode.Terminal>();
  const sent = new Map<vscode.Terminal, SentLine>();
  const lost = new Set<string>();
  let worked = false;
  const listeners = [
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      if (!execution.commandLine.value.includes(DIRECTORY_PREFIX)) personal.set(execution, terminal);
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, terminal }) => {
      personal.delete(execution);
      if (sent.get(terminal)?.execution === execution) sent.get(terminal)?.atPrompt();
    }),
    vscode.window.onDidCloseTerminal((terminal) => {
      taken.delete(terminal);
      seasoned.delete(terminal);
      sent.delete(terminal);
      for (const [id, home] of homes) if (home === terminal) homes.delete(id);
      for (const [execution, where] of personal) if (where === terminal) personal.delete(execution);
    }),
  ];
  const isFree = (terminal: vscode.Terminal) => !taken.has(terminal) && ![...personal.values()].includes(terminal);
  let last: vscode.Terminal | undefined;
  /** Where the command of a call ran, by its id. */
  const homes = new Map<string, vscode.Terminal>();

  const isOurs = (terminal: vscode.Terminal) =>
    /^Deft( \d+)?$/.test(terminal.name) && !('pty' in terminal.creationOptions);

  const take = (): vscode.Terminal => {
    const ours = vscode.window.terminals.filter((terminal) => isOurs(terminal) && terminal.exitStatus === undefined);
    const free = ours.find(isFree);
    const chosen = free ?? openShell(ours.length === 0 ? NAME : `${NAME} ${ours.length + 1}`);
    taken.add(chosen);
    last = chosen;
    return chosen;
  };

  return {
    launch: async (request) => {
      await request.prepare({
        input: 'terminal',
        display: { maxBytes: DISPLAY_LIMIT },
        title: commandTitle(request.command),
      });
      const takeFor = (): vscode.Terminal => {
        const terminal = take();
        if (request.id !== undefined) homes.set(request.id, terminal);
        return terminal;
      };
      return launchIn(request, takeFor, {
        isNew: (terminal) => !seasoned.has(terminal),
        works: (terminal) => {
          worked = true;
          seasoned.add(terminal);
        },
        lost: () => void (request.id !== undefined && lost.add(request.id)),
        free: (terminal) => void taken.delete(terminal),
        prompt: async (terminal) => {
          await Promise.race([sent.get(terminal)?.ended, sleep(PROMPT_WAIT_MS)]);
        },
        sent: (terminal, execution) => {
          let atPrompt = () => {};
          const ended = new Promise<void>((resolve) => (atPrompt = resolve));
          sent.set(terminal, { execution, ended, atPrompt });
        },
      });
    },
    show: (id) => {
      const terminal = id === undefined ? last : homes.get(id);
      terminal?.show(true);
      return terminal !== undefined;
    },
    notReached: (id) => lost.has(id),
    unusable: () => !worked && lost.size > 0,
    dispose: () => listeners.forEach((listener) => listener.dispose()),
  };
}

interface SentLine {
  execution: vscode.TerminalShellExecution;
  ended: Promise<void>;
  atPrompt(): void;
}

interface ShellUse {
  isNew(terminal: vscode.Terminal): boolean;
  works(terminal: vscode.Terminal): void;
  /** No terminal got to the line, and from now on none will. */
  lost(): void;
  free(terminal: vscode.Terminal): void;
  /** Resolves when the shell is back at its prompt: a line sent before that is read by nobody or by the wrong one. */
  prompt(terminal: vscode.Terminal): Promise<void>;
  sent(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void;
}

/** Ends that a command only comes to where the shell got to it. */
const ranStates: readonly CommandEnd['state'][] = ['exited', 'signalled', 'interrupted', 'suspended'];

function launchIn(request: LaunchRequest, take: () => vscode.Terminal, use: ShellUse): Launch {
  const line = ` ${request.bash} ${quote(request.files.wrapper)}`;
  const watch = watchShell(request.files);
  let terminal = take();
  let end: (end: LaunchEnd) => void = () => undefined;
  const over = new Promise<LaunchEnd>((resolve) => (end = resolve));
  const closing = vscode.window.onDidCloseTerminal((closed) => {
    if (closed === terminal) end({ kind: 'closed' });
  });
  void watch.gone.then(() => end({ kind: 'ended' }));
  /** How the run ended: a short one is over, and its files are gone, before anybody has seen it start. */
  let finished: CommandEnd['state'] | undefined;
  const isOver = (): boolean => finished !== undefined;

  const start = async (): Promise<void> => {
    // Once more where the first terminal never got to the line: a pager, an open quote, a shell that hangs. It keeps the line;
    // whichever shell starts first runs the command, the other one does nothing.
    for (const attempt of [1, 2]) {
      if (request.signal.aborted || isOver()) break;
      if (attempt === 2) terminal = take();
      await integration(terminal);
      if (terminal.shellIntegration) {
        await use.prompt(terminal);
        use.sent(terminal, terminal.shellIntegration.executeCommand(line));
      } else {
        terminal.sendText(KILL_LINE, false);
        terminal.sendText(line);
      }
      const started = await watch.started(use.isNew(terminal) ? FIRST_START_MS : START_MS, request.signal);
      if (started || (finished !== undefined && ranStates.includes(finished))) return use.works(terminal);
      if (isOver()) return;
      // The next new one would read the same start-up files.
      if (use.isNew(terminal)) break;
    }
    // Not over a run that ends meanwhile: nobody may take it for one that never began.
    if (isOver() || !(await claimRun(request.files)) || isOver()) return;
    if (!request.signal.aborted) use.lost();
    end({ kind: 'failed', message: 'The shell in the terminal did not start the command.' });
  };
  void start().catch((error: unknown) => end({ kind: 'failed', message: String(error) }));

  return {
    over,
    keepsStopped: true,
    abandon: () => undefined,
    finished: ({ state }) => {
      finished = state;
      closing.dispose();
      watch.stop();
      // A suspended command, or one that never started, leaves the terminal to the user.
      if (state !== 'suspended' && state !== 'not-started') use.free(terminal);
    },
  };
}

function openShell(name: string): vscode.Terminal {
  // By name, also where only the user's start-up files set one, and copies under other names by value.
  const kept = withoutCredentials(process.env);
  const dropped = Object.keys(process.env).filter((name) => !(name in kept));
  const withoutKeys = Object.fromEntries([...CREDENTIAL_VARIABLES, ...dropped].map((variable) => [variable, null]));
  return vscode.window.createTerminal({ name, env: withoutKeys, iconPath: new vscode.ThemeIcon('terminal') });
}

/** Resolves when there is shell integration, or after a while without. */
async function integration(terminal: vscode.Terminal): Promise<void> {
  if (terminal.shellIntegration) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, INTEGRATION_WAIT_MS);
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) done();
    });
  });
}
