// The question before a worktree goes that holds something that is nowhere else: it names what would be lost.
import * as vscode from 'vscode';
import { listed } from '../../node/worktrees/bring-commits';
import { branchToGo, type MadeTree, type TreeLoss } from '../../node/worktrees/tree-removal';
import { counted } from '../../shared/counted';
import { nameOf } from './tree-list';

/** What becomes of branches with commits that no other has. */
export type LossAnswer = 'without branches' | 'with branches' | 'nothing';

interface Lossy {
  tree: MadeTree;
  loss: TreeLoss;
}

export async function askLoss(lossy: readonly Lossy[]): Promise<LossAnswer> {
  if (lossy.length === 0) return 'without branches';
  const [keep, all, show] = ['Remove, Keep Branches', 'Remove With Branches', 'Show All'];
  const remove = 'Remove';
  const named = lossy.some(({ tree, loss }) => loss.commits.length > 0 && branchToGo(tree).length > 0);
  const short = lossy.map((one) => words(one, listed)).join('\n\n');
  const whole = lossy.map((one) => words(one, (names) => names.join('\n    '))).join('\n\n');
  const isCut = lossy.some((one) => words(one, listed) !== words(one, (names) => names.join(', ')));
  const answer = await vscode.window.showWarningMessage(
    `Remove ${counted(lossy.length, 'worktree')} with something that is nowhere else?`,
    { modal: true, detail: `${short}\n\n${consequence(lossy, named)}` },
    ...(named ? [keep, all] : [remove]),
    ...(isCut ? [show] : []),
  );
  if (answer === show) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: `${whole}\n` }));
    return 'nothing';
  }
  if (answer === all) return 'with branches';
  return answer === keep || answer === remove ? 'without branches' : 'nothing';
}

function words({ tree, loss }: Lossy, names: (all: readonly string[]) => string): string {
  const part = (what: string, all: readonly string[]): string[] => (all.length === 0 ? [] : [`${what}: ${names(all)}`]);
  return [
    nameOf(tree),
    ...part('  not committed', loss.files),
    ...part('  ignored by git', loss.ignored),
    ...part(
      '  commits that no branch that stays has',
      loss.commits.map(({ id, subject }) => `${id} ${subject}`),
    ),
  ].join('\n');
}

function consequence(lossy: readonly Lossy[], named: boolean): string {
  const files = lossy.some(({ loss }) => loss.files.length + loss.ignored.length > 0);
  const bare = lossy.some(({ tree, loss }) => loss.commits.length > 0 && tree.branch === undefined);
  return [
    ...(files ? ['The files are deleted.'] : []),
    ...(bare ? ['Commits without a branch are lost.'] : []),
    ...(named ? ['The commits stay as long as their branches are kept.'] : []),
  ].join(' ');
}
