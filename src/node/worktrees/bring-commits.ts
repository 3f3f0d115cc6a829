// Commits of a worktree onto what is checked out: tried in a worktree of their own first, so that the checkout gets all of them or stays as it is.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Worktree } from '../../core/ports/worktrees';
import { operationUnderWay } from './git-operation';
import { reasonOf } from './git-output';
import { type RunGit } from './run-git';
import { askOf } from './session-trees';
import { type TreeChanges, uncommittedNames, wholeOutput } from './tree-changes';

export type BroughtCommits = { outcome: 'brought'; count: number } | { outcome: 'refused'; why: string };

/** `unsaved`: files that an editor holds changes of. Nothing is stashed, and nothing half done stays. */
export async function bringCommits(
  { checkout }: Pick<Worktree, 'checkout'>,
  { base, head, commits }: Pick<TreeChanges, 'base' | 'head' | 'commits'>,
  { run, unsaved }: { run: RunGit; unsaved: (name: string) => boolean },
): Promise<BroughtCommits> {
  const refused = (why: string): BroughtCommits => ({ outcome: 'refused', why });
  const ask = askOf(run);
  if (commits.length === 0) return refused('There is no commit that your checkout does not have.');
  const here = await ask(checkout, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (here === undefined) return refused(`git cannot read ${checkout}.`);
  const gitFolder = await ask(checkout, 'rev-parse', '--absolute-git-dir');
  const operation = gitFolder && operationUnderWay(gitFolder);
  if (operation) return refused(`Your checkout is in the middle of a ${operation}: finish that first.`);
  const dirty = await dirtyAmong({ checkout, base, head }, run);
  if (dirty === undefined) return refused(`git cannot read the state of ${checkout}.`);
  if (dirty.length > 0)
    return refused(`These files have changes in your checkout that are not committed: ${listed(dirty)}.`);
  const names = await changedNames({ checkout, base, head }, run);
  const open = (names ?? []).filter(unsaved);
  if (open.length > 0) return refused(`These files have unsaved changes in the editor: ${listed(open)}.`);
  const merges = Number((await ask(checkout, 'rev-list', '--count', '--merges', `${here}..${head}`)) ?? 0);
  const forward = here === base;
  if (!forward && merges > 0)
    return refused('There are merges among the commits, and your checkout has others: merge the branch instead.');
  const tip = forward ? head : await picked({ checkout, base, head, here }, run);
  if (typeof tip !== 'string') return refused(tip.why);
  // git looks once more, and moves nothing where a file is in the way.
  const end = await run(checkout, ['merge', '--ff-only', '--quiet', '--no-verify-signatures', tip]);
  if (end.kind === 'missing') return refused('git was not found.');
  return end.code === 0 ? { outcome: 'brought', count: commits.length } : refused(reasonOf(end.stderr));
}

interface Range {
  checkout: string;
  base: string;
  head: string;
}

async function changedNames({ checkout, base, head }: Range, run: RunGit): Promise<string[] | undefined> {
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--ignore-submodules=all', base, head];
  return (await wholeOutput(run, checkout, diff))?.split('\0').filter((name) => name !== '');
}

async function dirtyAmong(range: Range, run: RunGit): Promise<string[] | undefined> {
  const [names, uncommitted] = await Promise.all([changedNames(range, run), uncommittedNames(run, range.checkout)]);
  if (names === undefined || uncommitted === undefined) return undefined;
  const changed = new Set(uncommitted);
  return names.filter((name) => changed.has(name));
}

/** The commits on top of what is checked out, made elsewhere: no file of the checkout is touched. */
async function picked(
  { checkout, base, head, here }: Range & { here: string },
  run: RunGit,
): Promise<string | { why: string }> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-pick-')));
  const place = path.join(folder, 'tree');
  try {
    const made = await run(checkout, ['worktree', 'add', '--quiet', '--detach', place, here]);
    if (made.kind === 'missing') return { why: 'git was not found.' };
    if (made.code !== 0) return { why: reasonOf(made.stderr) };
    const end = await run(place, ['-c', 'commit.gpgSign=false', 'cherry-pick', '--allow-empty', `${base}..${head}`]);
    if (end.kind === 'missing') return { why: 'git was not found.' };
    if (end.code === 0)
      return (await askOf(run)(place, 'rev-parse', 'HEAD')) ?? { why: 'git did not say what it made.' };
    const unmerged = await run(place, ['diff', '--name-only', '-z', '--diff-filter=U']);
    const files = unmerged.kind === 'ended' ? unmerged.stdout.split('\0').filter((name) => name !== '') : [];
    return {
      why:
        files.length === 0
          ? reasonOf(end.stderr)
          : `Your checkout has other changes in the same places of ${listed(files)}.`,
    };
  } finally {
    await run(checkout, ['worktree', 'remove', '--force', place]);
    await rm(folder, { recursive: true, force: true });
  }
}

const mostNames = 8;

export function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
