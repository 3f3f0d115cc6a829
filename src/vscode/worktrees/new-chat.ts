// The command "New Chat in Worktree": asks what is to be done, from which branch and on which, and opens a chat that works there.
import * as vscode from 'vscode';
import { branchProblem, freeBranch, proposedBranch } from '../../core/worktrees/branch-name';
import { type SessionRecord } from '../../core/ports/record';
import { type Worktree } from '../../core/ports/worktrees';
import { type TreeRepository } from '../../node/worktrees/session-trees';
import { counted } from '../../shared/counted';
import { type ChatHost } from '../chat/chat-host';
import { nativeFolders, workspaceFolders } from '../host/workspace-facts';
import { setUpChat } from './set-up-chat';
import { type TreeWindow } from './tree-window';

/** Whatever is left out is asked for. */
export interface NewTreeChat {
  task?: string;
  base?: string;
  branch?: string;
}

interface Wanted {
  task: string;
  base: string;
  branch: string;
}

const title = 'New Chat in Worktree';

export async function newChatInWorktree(window: TreeWindow, given: NewTreeChat = {}): Promise<void> {
  const repository = await repositoryToUse(window);
  if (typeof repository === 'string') return void vscode.window.showWarningMessage(`Deft: ${repository}`);
  const wanted = await ask(repository, given);
  if (wanted === undefined) return;
  const worktree = await makeWorktree(window, wanted);
  if (typeof worktree === 'string')
    return void vscode.window.showErrorMessage(`Deft: the worktree was not created. ${worktree}`);
  const host = await openTreeChat(window, worktree);
  tellOrigin(host, worktree, wanted.base, repository);
  await beginTask(window, { host, worktree, task: wanted.task });
}

/** Once the worktree is set up. */
export async function beginTask(
  window: TreeWindow,
  { host, worktree, task }: { host: ChatHost; worktree: Worktree; task: string },
): Promise<void> {
  const ready = await setUpChat(window, host, worktree);
  if (task === '') return host.post({ type: 'focus' });
  if (ready) return host.chat.send({ text: task, images: [] });
  // What its set-up should have prepared is missing: the user decides whether the task begins all the same.
  host.post({ type: 'insert', text: task });
}

/** A sentence where there can be no worktree. */
export async function repositoryToUse(window: TreeWindow): Promise<TreeRepository | string> {
  const [folder] = workspaceFolders();
  if (folder === undefined || nativeFolders().length === 0)
    return 'a worktree needs a folder on the disk, in a git repository.';
  if (!vscode.workspace.isTrusted) return 'the workspace is not trusted, so no worktree is created in it.';
  return (await window.trees()).repository(folder.path);
}

export async function makeWorktree(
  window: TreeWindow,
  { branch, base }: Pick<Wanted, 'branch' | 'base'>,
): Promise<Worktree | string> {
  const folders = workspaceFolders().map(({ path }) => path);
  const trees = await window.trees();
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Deft: creating the worktree ${branch}`,
      cancellable: true,
    },
    async (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return trees
        .create({ folder: folders[0] ?? '', folders, branch, base }, abort.signal)
        .catch((error: unknown) => (abort.signal.aborted ? 'It was cancelled.' : Promise.reject(error)));
    },
  );
}

/** In a tab of its own, in a session whose log says where it works. */
export async function openTreeChat(
  window: TreeWindow,
  worktree: Worktree,
  column?: vscode.ViewColumn,
): Promise<ChatHost> {
  const host = await window.openInEditor(undefined, column);
  await host.chat.openCopy({ records: (id) => [treeRecord(id, worktree)] }, true);
  return host;
}

function treeRecord(sessionId: string, worktree: Worktree): SessionRecord {
  return {
    type: 'system',
    subtype: 'session_worktree',
    worktree,
    uuid: crypto.randomUUID(),
    parentUuid: null,
    timestamp: new Date().toISOString(),
    sessionId,
    cwd: worktree.path,
    version: '',
    ...(worktree.branch === undefined ? {} : { gitBranch: worktree.branch }),
  };
}

export function tellOrigin(
  { chat }: ChatHost,
  { path, branch, base }: Worktree,
  from: string,
  { top, uncommitted }: TreeRepository,
): void {
  const missing =
    uncommitted === 0
      ? ''
      : ` ${counted(uncommitted, 'changed file')} of ${top}, not committed yet, ${uncommitted === 1 ? 'is' : 'are'} not in it.`;
  chat.notice(
    'info',
    'This chat works in a worktree of its own.',
    `Branch ${branch}, from ${from} (${base?.slice(0, 9)}), in ${path}.${missing}`,
  );
}

async function ask(repository: TreeRepository, given: NewTreeChat): Promise<Wanted | undefined> {
  const local = repository.branches.flatMap(({ name, remote }) => (remote ? [] : [name]));
  const task =
    given.task ??
    (await vscode.window.showInputBox({
      title: `${title} (1 of 3)`,
      prompt: 'What is to be done? It is sent once the worktree is ready, and names the branch. Optional.',
      ignoreFocusOut: true,
    }));
  if (task === undefined) return undefined;
  const base = given.base ?? (await pickBase(repository, `${title} (2 of 3)`));
  if (base === undefined) return undefined;
  const problem = (name: string): string | undefined => branchProblem(name.trim(), local);
  const proposed = freeBranch(proposedBranch(task), local);
  const branch =
    given.branch ??
    (await vscode.window.showInputBox({
      title: `${title} (3 of 3)`,
      prompt: 'The name of its branch',
      value: proposed,
      ignoreFocusOut: true,
      validateInput: problem,
    }));
  if (branch === undefined) return undefined;
  const wrong = problem(branch);
  if (wrong !== undefined) return void vscode.window.showErrorMessage(`Deft: ${wrong}`);
  return { task: task.trim(), base, branch: branch.trim() };
}

export async function pickBase(repository: TreeRepository, heading: string): Promise<string | undefined> {
  const { head, branches } = repository;
  const items = [
    {
      label: head === undefined ? '$(git-commit) HEAD' : `$(git-branch) ${head}`,
      description: 'checked out',
      detail: 'From its last commit',
      base: head ?? 'HEAD',
    },
    ...branches.flatMap(({ name, remote, subject }) =>
      name === head && !remote
        ? []
        : [{ label: `$(${remote ? 'cloud' : 'git-branch'}) ${name}`, description: subject, detail: '', base: name }],
    ),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: heading,
    placeHolder: 'From which branch does it begin?',
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.base;
}
