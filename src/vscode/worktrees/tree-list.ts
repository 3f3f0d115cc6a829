// What the list of worktrees says of each: its branch, what is only in it, who uses it, how old and how large it is; and which need not be asked about.
import { stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { type TreeState } from '../../node/worktrees/session-trees';
import { treeChanges } from '../../node/worktrees/tree-changes';
import {
  branchToGo,
  losesNothing,
  type MadeTree,
  sizeOfTree,
  treeLoss,
  type TreeLoss,
} from '../../node/worktrees/tree-removal';
import { counted } from '../../shared/counted';
import { ignoresCase } from '../session/session-tree';
import { planBringing } from './bring-plan';
import { repositoryRows, sessionsIn, type TreeSession, type Uses, usesOf } from './tree-uses';
import { type TreeWindow } from './tree-window';

export interface ListedTree {
  tree: MadeTree;
  uses: string[];
  /** A sentence where it cannot be determined. */
  loss: TreeLoss | string;
  /** The checkout has all that it changed. */
  brought: boolean;
  state: TreeState | undefined;
  titles: string[];
  /** When somebody worked in it last. */
  usedAt: number;
  size: { bytes: number; more: boolean };
  preselected: boolean;
}

type Looked = Uses & Pick<TreeWindow, 'trees' | 'run' | 'files'>;

/** Counted in a tenth of a second. */
const mostFiles = 5_000;

export function nameOf({ branch, head }: MadeTree): string {
  return branch ?? head.slice(0, 9);
}

export async function listTrees(trees: readonly MadeTree[], window: Looked): Promise<ListedTree[]> {
  const rows = await repositoryRows(window);
  const listed: ListedTree[] = [];
  for (const tree of trees) listed.push(await look(tree, rows, window));
  const candidates = listed.filter(mayGo);
  // Two may have the same commits, and nobody else: then each is safe only as long as the other stays.
  const going = candidates.flatMap(({ tree }) => branchToGo(tree));
  for (const one of candidates) {
    const together = await treeLoss(one.tree, going, window.run);
    one.preselected = typeof together !== 'string' && (one.brought || losesNothing(together));
  }
  return listed.sort((one, other) => other.usedAt - one.usedAt);
}

async function look(tree: MadeTree, rows: readonly TreeSession[], window: Looked): Promise<ListedTree> {
  const sessions = sessionsIn(tree.path, rows);
  const uses = await usesOf(tree, rows, window);
  const [loss, state, size, made] = await Promise.all([
    treeLoss(tree, [], window.run),
    window.trees().then((all) => all.state(tree)),
    sizeOfTree(tree.path, mostFiles),
    stat(tree.path).catch(() => undefined),
  ]);
  return {
    ...{ tree, uses, loss, state, size },
    brought: typeof loss !== 'string' && loss.commits.length > 0 && !tree.gone && (await isBrought(tree, window)),
    titles: sessions.map(({ title }) => title),
    usedAt: Math.max(made?.mtimeMs ?? 0, ...sessions.map(({ updatedAt }) => updatedAt)),
    preselected: false,
  };
}

function mayGo({ uses, loss, brought }: ListedTree): boolean {
  if (uses.length > 0 || typeof loss === 'string') return false;
  return losesNothing(brought ? { ...loss, commits: [] } : loss);
}

/** By its texts: commits are others when they were brought as edits, or squashed. */
async function isBrought(tree: MadeTree, { run, files }: Looked): Promise<boolean> {
  const changes = await treeChanges(tree, run);
  if (typeof changes === 'string') return false;
  const { path, checkout } = tree;
  const plan = await planBringing(changes, {
    view: { path, checkout, names: [], ignoreCase: ignoresCase },
    files,
    run,
  });
  return plan.files.length === 0 && plan.left.length === 0;
}

export function treeItem(row: ListedTree): vscode.QuickPickItem & { row: ListedTree } {
  const { tree, uses, loss, titles, preselected } = row;
  return {
    label: `$(git-branch) ${nameOf(tree)}`,
    description: facts(row).join(' · '),
    detail: [...uses, typeof loss === 'string' ? `Not known: ${loss}` : lossWords(row, loss), titles.join(', ')]
      .filter((part) => part !== '')
      .join(' · '),
    picked: preselected,
    row,
  };
}

function facts({ tree, state, usedAt, size }: ListedTree): string[] {
  if (tree.gone) return ['its folder is gone'];
  const { ahead = 0, behind = 0, files = 0 } = state ?? {};
  return [
    ...(ahead === 0 && behind === 0 ? [] : [`↑${ahead} ↓${behind}`]),
    ...(files === 0 ? [] : [`${counted(files, 'file')} not committed`]),
    ...(usedAt === 0 ? [] : [`used ${ago(Date.now() - usedAt)}`]),
    `${size.more ? 'more than ' : ''}${(size.bytes / 1_000_000).toFixed(1)} MB`,
  ];
}

function lossWords({ brought }: ListedTree, loss: TreeLoss): string {
  if (losesNothing(loss)) return 'Nothing is only here';
  const { files, ignored, commits } = loss;
  const parts = [
    ...(files.length === 0 ? [] : [counted(files.length, 'file')]),
    ...(ignored.length === 0 ? [] : [`${counted(ignored.length, 'entry', 'entries')} that git ignores`]),
    ...(commits.length === 0 ? [] : [counted(commits.length, 'commit')]),
  ];
  return `Only here: ${parts.join(', ')}${brought ? '; your checkout has its texts' : ''}`;
}

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ago(ms: number): string {
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const [unit, length] = steps.find(([, least]) => ms >= least) ?? steps[2];
  return ms < 60_000 ? 'just now' : words.format(-Math.floor(ms / length), unit);
}
