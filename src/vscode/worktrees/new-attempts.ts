// The command "New Chat in Several Worktrees": one task, several chats, each on a branch and in a worktree of its own, from the same commit.
import * as vscode from 'vscode';
import { type Worktree } from '../../core/ports/worktrees';
import { branchProblem, proposedBranch } from '../../core/worktrees/branch-name';
import { type TreeRepository } from '../../node/worktrees/session-trees';
import { counted } from '../../shared/counted';
import { type ChatHost } from '../chat/chat-host';
import { type AttemptChoice, pickChoices, useChoice } from './attempt-choices';
import { beginTask, makeWorktree, openTreeChat, pickBase, repositoryToUse, tellOrigin } from './new-chat';
import { type TreeWindow } from './tree-window';

/** Whatever is left out is asked for. */
export interface NewAttempts {
  task?: string;
  count?: number;
  /** One for each attempt. */
  choices?: AttemptChoice[];
  base?: string;
  /** The branches get numbers behind it. */
  name?: string;
}

type Wanted = Required<NewAttempts>;

const title = 'New Chat in Several Worktrees';
const counts = [2, 3, 4];

export async function newChatsInWorktrees(window: TreeWindow, given: NewAttempts = {}): Promise<void> {
  const repository = await repositoryToUse(window);
  if (typeof repository === 'string') return void vscode.window.showWarningMessage(`Deft: ${repository}`);
  const wanted = await ask(window, repository, given);
  if (wanted === undefined) return;
  const made: Worktree[] = [];
  let why: string | undefined;
  for (const branch of branchesOf(wanted)) {
    // What the base names may have moved on meanwhile.
    const worktree = await makeWorktree(window, { branch, base: made[0]?.base ?? wanted.base });
    if (typeof worktree === 'string') {
      why = worktree;
      break;
    }
    made.push(worktree);
  }
  if (why !== undefined)
    void vscode.window.showErrorMessage(
      `Deft: ${made.length === 0 ? 'no worktree was' : `only ${made.length} of ${wanted.count} worktrees were`} created. ${why}`,
    );
  const chats: { host: ChatHost; worktree: Worktree }[] = [];
  for (const [index, worktree] of made.entries()) {
    // The first beside the editor, the others in tabs next to it.
    const host = await openTreeChat(window, worktree, chats.length === 0 ? undefined : vscode.ViewColumn.Active);
    tellOrigin(host, worktree, wanted.base, repository);
    await useChoice(host, wanted.choices[index] ?? {});
    chats.push({ host, worktree });
  }
  await Promise.all(chats.map((chat) => beginTask(window, { ...chat, task: wanted.task })));
}

function branchesOf({ name, count }: Pick<Wanted, 'name' | 'count'>): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

async function ask(window: TreeWindow, repository: TreeRepository, given: NewAttempts): Promise<Wanted | undefined> {
  const local = repository.branches.flatMap(({ name, remote }) => (remote ? [] : [name]));
  const task = (
    given.task ??
    (await vscode.window.showInputBox({
      title: `${title} (1 of 5)`,
      prompt: 'What is to be done? Each chat gets it once its worktree is ready.',
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? 'All chats need the same task.' : undefined),
    }))
  )?.trim();
  if (task === undefined || task === '') return undefined;
  const count = given.count ?? (await pickCount());
  if (count === undefined) return undefined;
  if (!counts.includes(count))
    return void vscode.window.showErrorMessage(`Deft: there can be ${counts.join(', ')} attempts.`);
  const choices = given.choices ?? (await askChoices(window, count));
  if (choices === undefined) return undefined;
  const base = given.base ?? (await pickBase(repository, `${title} (4 of 5)`));
  if (base === undefined) return undefined;
  const problem = (name: string): string | undefined =>
    branchesOf({ name: name.trim(), count })
      .map((branch) => branchProblem(branch, local))
      .find((one) => one !== undefined);
  const name = (given.name ?? (await askName(freeName(proposedBranch(task), problem), problem)))?.trim();
  if (name === undefined) return undefined;
  const wrong = name === '' ? branchProblem(name, local) : problem(name);
  if (wrong !== undefined) return void vscode.window.showErrorMessage(`Deft: ${wrong}`);
  return { task, count, choices, base, name };
}

function askChoices({ current, models }: TreeWindow, count: number): Promise<AttemptChoice[] | undefined> {
  const model = current()?.chat.poster.state.model || (models.usual()[0] ?? '');
  return pickChoices(count, { title: `${title} (3 of 5)`, current: model, models });
}

/** Earlier attempts at the same task keep their branches. */
function freeName(name: string, problem: (name: string) => string | undefined): string {
  const tried = Array.from({ length: 99 }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`));
  return name === '' ? '' : (tried.find((one) => problem(one) === undefined) ?? '');
}

async function pickCount(): Promise<number | undefined> {
  const picked = await vscode.window.showQuickPick(
    counts.map((count) => ({ label: counted(count, 'chat'), description: 'each with its own cost', count })),
    { title: `${title} (2 of 5)`, placeHolder: 'How many attempts?', ignoreFocusOut: true },
  );
  return picked?.count;
}

async function askName(value: string, problem: (name: string) => string | undefined): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: `${title} (5 of 5)`,
    prompt: 'The name of their branches, which are numbered: name-1, name-2 …',
    value,
    ignoreFocusOut: true,
    validateInput: (name) => (name.trim() === '' ? 'Branches need a name.' : problem(name)),
  });
}
