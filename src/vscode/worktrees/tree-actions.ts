// What can be done with the worktree of a chat: look at its changes, open it elsewhere.
import * as vscode from 'vscode';
import { type WorktreeView } from '../../core/subagents/worktree-view';
import { treeChanges } from '../../node/worktrees/tree-changes';
import { type ChatHost } from '../chat/chat-host';
import { uriOf } from '../host/uri-path';
import { type TreeWindow } from './tree-window';

interface Action extends vscode.QuickPickItem {
  run(): Promise<unknown>;
}

/** `session`: whose chip was pressed; the chat that was used last otherwise. */
export async function worktreeActions(window: TreeWindow, session?: string): Promise<void> {
  const found = treeChat(window, session);
  if (found === undefined)
    return void vscode.window.showInformationMessage(
      'Deft: this chat works in the workspace, in no worktree of its own.',
    );
  const { view, host } = found;
  const items: Action[] = [
    {
      label: '$(diff-multiple) Review Changes',
      detail: 'All that was changed since the worktree and your checkout were one, committed or not',
      run: () => reviewTree(window, view),
    },
    {
      label: '$(git-pull-request) Bring Changes Here…',
      detail: 'As edits to review, as commits or as a branch',
      run: async () => vscode.commands.executeCommand('deft.bringChangesHere', host.chat.poster.state.sessionId),
    },
    {
      label: '$(terminal) Open Terminal',
      detail: view.path,
      run: async () => vscode.window.createTerminal({ name: view.branch ?? 'Worktree', cwd: view.path }).show(),
    },
    {
      label: '$(empty-window) Open in New Window',
      detail: 'With its own language servers and source control',
      run: async () => vscode.commands.executeCommand('vscode.openFolder', uriOf(view.path), { forceNewWindow: true }),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: `Worktree ${view.branch}`, placeHolder: view.path });
  await picked?.run();
}

/** The chat with this session, or the one that was used last, if it works in a worktree. */
export function treeChat(window: TreeWindow, session?: string): { host: ChatHost; view: WorktreeView } | undefined {
  const host =
    session === undefined ? window.current() : window.all().find(({ chat }) => chat.poster.state.sessionId === session);
  const view = host && window.treeOf(host)?.view;
  return host === undefined || view === undefined ? undefined : { host, view };
}

async function reviewTree({ run, changes, isHidden }: TreeWindow, view: WorktreeView): Promise<void> {
  const found = await treeChanges(view, run);
  if (typeof found === 'string') return void vscode.window.showErrorMessage(`Deft: ${found}`);
  const shown = found.texts.filter(({ name }) => !isHidden(`${view.checkout}/${name}`));
  const missing = [
    ...(shown.length < found.texts.length ? ['what a deny rule hides'] : []),
    ...found.left.map(({ name, why }) => `${name} (${why})`),
  ];
  if (shown.length > 0)
    await changes.compared.open({
      key: `tree ${view.path} ${found.base}`,
      since: `in ${view.branch}`,
      files: shown.map(({ name, base, theirs }) => ({
        path: `${view.path}/${name}`,
        before: base,
        gone: theirs === undefined,
      })),
    });
  if (missing.length > 0) void vscode.window.showInformationMessage(`Deft: not shown: ${missing.join(', ')}.`);
  else if (shown.length === 0) void vscode.window.showInformationMessage('Deft: nothing was changed in the worktree.');
}
