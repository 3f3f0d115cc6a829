// The command "Clean Up Worktrees": lists those of this repository's chats with what is only in them, and removes what the user picks. Nothing is lost unasked, and none goes that is in use.
import * as vscode from 'vscode';
import {
  branchToGo,
  losesNothing,
  type MadeTree,
  madeTrees,
  removeTree,
  treeLoss,
  type TreeLoss,
} from '../../node/worktrees/tree-removal';
import { counted } from '../../shared/counted';
import { askLoss, type LossAnswer } from './ask-loss';
import { repositoryToUse } from './new-chat';
import { listTrees, nameOf, type ListedTree, treeItem } from './tree-list';
import { repositoryRows, usesOf } from './tree-uses';
import { type TreeWindow } from './tree-window';

interface Going {
  tree: MadeTree;
  loss: TreeLoss;
}

export async function cleanUpWorktrees(window: TreeWindow): Promise<void> {
  const repository = await repositoryToUse(window);
  if (typeof repository === 'string') return void vscode.window.showWarningMessage(`Deft: ${repository}`);
  const found = await madeTrees(repository.top, placesOf(window));
  if (typeof found === 'string') return void vscode.window.showErrorMessage(`Deft: ${found}`);
  if (found.length === 0) return inform('there is no worktree of a chat of this repository.');
  const listed = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Deft: looking at worktrees…' },
    () => listTrees(found, window),
  );
  const picked = await pick(listed);
  if (picked === undefined || picked.length === 0) return;
  const stays = picked.flatMap(({ tree, uses }) => (uses.length === 0 ? [] : [`${nameOf(tree)}: ${uses.join(' ')}`]));
  const free = picked.filter(({ uses }) => uses.length === 0);
  const branches = free.flatMap(({ tree }) => branchToGo(tree));
  const going: Going[] = [];
  for (const { tree } of free) {
    const loss = await treeLoss(tree, branches, window.run);
    if (typeof loss === 'string') stays.push(`${nameOf(tree)}: ${loss}`);
    else going.push({ tree, loss });
  }
  const answer = await askLoss(going.filter(({ loss }) => !losesNothing(loss)));
  if (answer === 'nothing') return tell([], stays);
  tell(await removeAll(going, { answer, branches, stays }, window), stays);
}

async function pick(listed: readonly ListedTree[]): Promise<readonly ListedTree[] | undefined> {
  const [free, used] = [true, false].map((wanted) => listed.filter(({ uses }) => (uses.length === 0) === wanted));
  const group = (label: string, rows: readonly ListedTree[] = []) =>
    rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows.map(treeItem)];
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { row?: ListedTree }>(
    [...group('Can be removed', free), ...group('In use: stays', used)],
    {
      title: 'Clean Up Worktrees',
      placeHolder: 'Selected: those whose changes are elsewhere, too',
      canPickMany: true,
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return picked?.flatMap(({ row }) => row ?? []);
}

/** Names of those that are gone. What stays is added to `stays`, with the reason. */
async function removeAll(
  going: readonly Going[],
  { answer, branches, stays }: { answer: LossAnswer; branches: readonly string[]; stays: string[] },
  window: TreeWindow,
): Promise<string[]> {
  const removed: string[] = [];
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Deft: removing worktrees' },
    async (progress) => {
      for (const { tree, loss } of going) {
        const name = nameOf(tree);
        progress.report({ message: name });
        // It may have been opened while the user was asked.
        const uses = await usesOf(tree, await repositoryRows(window), window);
        const end =
          uses.length > 0
            ? { stays: uses.join(' ') }
            : await removeTree(tree, loss, {
                withBranch: loss.commits.length === 0 || answer === 'with branches',
                going: branches,
                ...placesOf(window),
              });
        if (end.stays !== undefined) stays.push(`${name}: ${end.stays}`);
        else removed.push(`${name}${branchWords(tree, end.branch)}`);
      }
    },
  );
  return removed;
}

function branchWords({ branch }: MadeTree, went: true | string | undefined): string {
  if (branch === undefined || went === true) return '';
  return went === undefined ? ' (its branch is kept)' : ` (its branch was not deleted: ${went})`;
}

function tell(removed: readonly string[], stays: readonly string[]): void {
  if (removed.length > 0) inform(`${counted(removed.length, 'worktree')} removed: ${removed.join(', ')}.`);
  if (stays.length > 0)
    void vscode.window.showWarningMessage(`Deft: ${counted(stays.length, 'worktree')} not removed. ${stays.join(' ')}`);
}

function placesOf({ run, treesFolder }: TreeWindow) {
  return { run, folder: treesFolder };
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
