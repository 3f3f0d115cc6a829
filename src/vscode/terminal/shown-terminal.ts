// The "Deft" terminal of the managed strategy: a pseudoterminal that shows one command after another.
import * as vscode from 'vscode';
import { createDisplayTurns, type DisplayTurn } from './display-turns';

/** What the terminal passes to the command that it shows. */
export interface ShownCommand {
  type(text: string): void;
  resize(size: TerminalSize): void;
  /** The user closed the terminal. */
  closed(): void;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface ShownTerminal {
  /** No command owns it. */
  isFree(): boolean;
  size(): TerminalSize;
  /** The command gets keys and resizes until `release`; its turn to print comes after the commands before it. */
  claim(command: ShownCommand): DisplayTurn;
  release(command: ShownCommand): void;
  /** Without taking the focus. */
  show(): void;
  dispose(): void;
}

const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 30 };

/** `onClosed` is called once, when the user or `dispose` closes it. */
export function createShownTerminal(name: string, onClosed: () => void): ShownTerminal {
  const written = new vscode.EventEmitter<string>();
  let size = DEFAULT_SIZE;
  let command: ShownCommand | undefined;
  let waiting: string | undefined = '';
  let closed = false;

  const write = (text: string): void => {
    // What is written before VS Code opens the terminal would be lost.
    if (waiting === undefined) written.fire(text);
    else waiting += text;
  };
  const resized = (dimensions: vscode.TerminalDimensions | undefined): void => {
    if (!dimensions) return;
    size = { columns: dimensions.columns, rows: dimensions.rows };
    command?.resize(size);
  };
  const openTurn = createDisplayTurns(write);

  const pty: vscode.Pseudoterminal = {
    onDidWrite: written.event,
    open: (dimensions) => {
      resized(dimensions);
      const text = waiting ?? '';
      waiting = undefined;
      if (text !== '') written.fire(text);
    },
    close: () => {
      if (closed) return;
      closed = true;
      onClosed();
      command?.closed();
      written.dispose();
    },
    handleInput: (text) => command?.type(text),
    setDimensions: resized,
  };
  const terminal = vscode.window.createTerminal({
    name,
    pty,
    iconPath: new vscode.ThemeIcon('terminal'),
    isTransient: true,
  });

  return {
    isFree: () => !closed && command === undefined,
    size: () => size,
    claim: (next) => {
      command = next;
      return openTurn();
    },
    release: (ended) => {
      if (command === ended) command = undefined;
    },
    show: () => terminal.show(true),
    dispose: () => terminal.dispose(),
  };
}
