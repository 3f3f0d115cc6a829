// The status bar item that a command of the user's fills: `statusLine` of the settings files.
import * as vscode from 'vscode';
import { type HookHandlers } from '../../core/ports/hook-handlers';
import { type Clock } from '../../core/ports/clock';
import { statusInput } from '../../core/status-line/status-input';
import { createStatusRefresh } from '../../core/status-line/status-refresh';
import { statusText } from '../../core/status-line/status-text';
import { createNodeHookHandlers } from '../../node/hooks/node-hook-handlers';
import { createSystemClock } from '../../node/system-clock';
import { type Chat } from '../chat/conversation/chat';
import { type HookGate } from '../hooks/hook-gate';
import { type RuleSource } from '../session/rule-source';
import { workspaceFolders } from '../host/workspace-facts';
import { runStatusCommand } from './run-status-command';

export interface StatusLineOptions {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Without a project's command that the user has not agreed to. */
  rules: Pick<RuleSource, 'values' | 'hooks' | 'projectStatusLine'>;
  /** Asked before each run of a project's command: its scripts may be others than those that were agreed to. */
  gate: Pick<HookGate, 'refuses'>;
  /** Runs it without credentials in its environment. */
  handlers: Pick<HookHandlers, 'command'>;
  chat: () => Chat | undefined;
  style: () => Promise<string>;
  version: string;
}

export function openStatusLine({
  environment,
  ...options
}: Omit<StatusLineOptions, 'clock' | 'handlers'> & { environment: () => Promise<NodeJS.ProcessEnv> }): StatusLine {
  return createStatusLine({
    ...options,
    clock: createSystemClock(),
    handlers: createNodeHookHandlers({ environment }),
  });
}

export interface StatusLine extends vscode.Disposable {
  changed(): void;
}

function createStatusLine({ clock, rules, gate, handlers, chat, style, version }: StatusLineOptions): StatusLine {
  const item = vscode.window.createStatusBarItem('deft.statusLine', vscode.StatusBarAlignment.Left, -10);
  item.name = 'Deft Status Line';
  item.command = 'deft.focus';
  const show = (text: string, tooltip: string): void => {
    [item.text, item.tooltip] = [text, tooltip];
    item.show();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const settings = rules.values().statusLine;
    const shown = chat();
    // Nothing runs where the user does not trust the folder: the command could run what lies in it.
    if (
      settings === undefined ||
      shown === undefined ||
      shown.poster.state.sessionId === '' ||
      !vscode.workspace.isTrusted ||
      ['all', 'unmanaged'].includes(rules.hooks().disabled)
    )
      return item.hide();
    const input = JSON.stringify(await inputOf(shown, await style(), version));
    const result = await runStatusCommand(
      { command: settings.command, project: rules.projectStatusLine(), cwd: workspaceFolders()[0]?.path ?? '/', input },
      { handlers, gate },
      signal,
    );
    if (result.kind === 'refused') return show('$(warning) Status line', result.message);
    if (result.kind === 'ended' && result.exitCode === 0) {
      const found = statusText(result.stdout, settings['padding']);
      return found === undefined ? item.hide() : show(found.text, found.tooltip);
    }
    const why =
      result.kind === 'ended'
        ? (statusText(result.stderr, 0)?.tooltip ?? `It ended with exit code ${result.exitCode}.`)
        : result.kind === 'failed'
          ? result.message
          : 'It took too long and was stopped.';
    show('$(warning) Status line', `The statusLine command failed: ${why}`);
  };
  const refresh = createStatusRefresh({ clock, run });
  return {
    changed: refresh.changed,
    dispose() {
      refresh.dispose();
      item.dispose();
    },
  };
}

async function inputOf(chat: Chat, style: string, version: string): Promise<Record<string, unknown>> {
  const session = await chat.session();
  const { surroundings, permission } = session;
  return statusInput({
    sessionId: session.id,
    transcript: session.settings.log.path,
    cwd: surroundings.cwd,
    folders: surroundings.folders,
    added: permission.now().folders.filter((folder) => !surroundings.folders.includes(folder)),
    model: session.choices.model,
    effort: session.choices.effort,
    mode: session.permission.mode,
    fast: session.choices.fast,
    style,
    version,
    records: session.records,
    chat: chat.poster.state,
  });
}
