// What the user ran in terminals with shell integration since Deft is active, with the end of what each wrote.
import * as vscode from 'vscode';
import { DIRECTORY_PREFIX } from '../../node/terminal/run-files';
import { tailOf } from '../../shared/cut-text';
import { terminalText } from '../../shared/terminal-text';

export interface ShellRun {
  command: string;
  terminal: vscode.Terminal;
  startedAt: number;
  running: boolean;
  /** Unknown while it runs, and where the shell did not say. */
  exitCode: number | undefined;
  /** Plain text; `cut` where its beginning is left out. */
  output(): { text: string; cut: boolean };
}

export interface ShellExecutions extends vscode.Disposable {
  /** Newest first. */
  readonly runs: readonly ShellRun[];
}

const maxRuns = 20;
const maxKeptChars = 100_000;

export function createShellExecutions(): ShellExecutions {
  let runs: (ShellRun & { execution: vscode.TerminalShellExecution })[] = [];
  const subscriptions = [
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const command = execution.commandLine.value.trim();
      // Deft's own commands are in the chat.
      if (command === '' || command.includes(DIRECTORY_PREFIX)) return;
      let raw = '';
      let cut = false;
      const run = {
        command,
        terminal,
        execution,
        startedAt: Date.now(),
        running: true,
        exitCode: undefined,
        output: () => ({ text: terminalText(raw).trim(), cut }),
      };
      runs = [run, ...runs].slice(0, maxRuns);
      const follow = async (): Promise<void> => {
        for await (const chunk of execution.read()) {
          raw += chunk;
          if (raw.length <= maxKeptChars * 2) continue;
          raw = tailOf(raw, maxKeptChars);
          cut = true;
        }
      };
      // What was read until then counts.
      follow().catch(() => undefined);
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const run = runs.find((one) => one.execution === execution);
      if (run !== undefined) Object.assign(run, { running: false, exitCode });
    }),
    vscode.window.onDidCloseTerminal((terminal) => {
      for (const run of runs) if (run.terminal === terminal) run.running = false;
    }),
  ];
  return {
    get runs() {
      return runs;
    },
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}
