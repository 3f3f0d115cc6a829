// Puts what a command wrote into the composer: Deft's own runs, and those that shell integration reported.
import * as vscode from 'vscode';
import { type ToolOutput } from '../../shared/answers';
import { shortened } from '../../shared/cut-text';
import { terminalText } from '../../shared/terminal-text';
import { type TerminalView } from '../../shared/tool-view';
import { type Chat } from '../chat/conversation/chat';
import { type ChatHost } from '../chat/chat-host';
import { type ShellRun } from '../terminal/shell-executions';
import { outputBlock, type CommandOutput } from './output-block';

export interface TerminalOutputOptions {
  show: () => Promise<ChatHost>;
  current: () => ChatHost | undefined;
  /** Newest first. */
  shellRuns: () => readonly ShellRun[];
  outputOf: (chat: Chat, toolUseId: string) => Promise<ToolOutput>;
}

/** VS Code loses what a command wrote that began and ended within one message to a remote extension host. */
const nothingReported = 'VS Code reported no output; it can miss the output of commands that end at once';

interface Offer extends vscode.QuickPickItem {
  startedAt: number;
  read: () => Promise<CommandOutput>;
}

export function terminalOutputCommand(options: TerminalOutputOptions): Record<string, (...args: never[]) => unknown> {
  return {
    'deft.addTerminalOutput': async () => {
      const chat = options.current()?.chat;
      const active = vscode.window.activeTerminal;
      const shells = options.shellRuns();
      // The command that the user looks at comes first.
      const front = shells.find(({ terminal }) => terminal === active);
      const others = [
        ...shells.filter((run) => run !== front).map(shellOffer),
        ...(chat === undefined ? [] : ownOffers(chat, options)),
      ];
      const offers = [
        ...(front === undefined ? [] : [shellOffer(front)]),
        ...others.sort((a, b) => b.startedAt - a.startedAt),
      ];
      if (offers.length === 0) {
        void vscode.window.showInformationMessage(
          'Deft: no command has run since Deft started in this window, neither by Deft nor in a terminal with shell integration.',
        );
        return;
      }
      const picked = await vscode.window.showQuickPick(offers, {
        title: 'Add terminal output',
        placeHolder: 'The output of which command?',
        matchOnDescription: true,
        // A chat that had the focus takes it back when the palette closes, and a list that loses the focus closes.
        ignoreFocusOut: true,
      });
      if (picked === undefined) return;
      const output = await picked.read();
      (await options.show()).post({ type: 'insert', text: outputBlock(output) });
    },
  };
}

function shellOffer(run: ShellRun): Offer {
  const { command, terminal, exitCode, running, startedAt } = run;
  return {
    label: firstLine(command),
    description: `${terminal.name}, ${ending(running, exitCode)}`,
    startedAt,
    read: async () => {
      const { text, cut } = run.output();
      return { command, text, none: nothingReported, cut, ending: ending(run.running, run.exitCode) };
    },
  };
}

function ownOffers(chat: Chat, { outputOf }: TerminalOutputOptions): Offer[] {
  return chat.poster.state.items.toReversed().flatMap((item): Offer[] => {
    if (item.kind !== 'tool' || item.view?.kind !== 'terminal' || item.view.state === 'not-started') return [];
    const { view, id } = item;
    return [
      {
        label: firstLine(view.command),
        description: `Deft, ${endingOf(view)}`,
        startedAt: item.startedAt ?? 0,
        read: async () => {
          const { text, truncated } = await outputOf(chat, id);
          return {
            command: view.command,
            text: terminalText(text).trim(),
            none: 'no output',
            cut: truncated,
            ending: endingOf(view),
          };
        },
      },
    ];
  });
}

function endingOf({ state, exitCode }: TerminalView): string {
  return state === 'exited'
    ? ending(false, exitCode)
    : state === 'running' || state === 'background'
      ? ending(true, undefined)
      : state.replace('-', ' ');
}

function ending(running: boolean, exitCode: number | undefined): string {
  if (running) return 'still running';
  return exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
}

function firstLine(command: string): string {
  const [line = ''] = command.trim().split('\n');
  return shortened(line, 100);
}
