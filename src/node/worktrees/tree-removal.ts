// Worktrees of chats that are no longer needed: which there are, what would be lost with each, and how they go. Agents' are removed when they end.
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Path } from '../../core/ports/path';
import { portPath } from '../files/port-path';
import { findRepository } from '../repository';
import { listedWorktrees } from './agent-branches';
import { operationUnderWay } from './git-operation';
import { ignoredIn, reasonOf, submodulesIn } from './git-output';
import { createGitWorktrees, holds } from './git-worktrees';
import { type RunGit } from './run-git';
import { agentPrefix, askOf, folderOfRepository, treeName } from './session-trees';
import { uncommittedNames, wholeOutput } from './tree-changes';
import { isLinkOfGit } from './worktree-link';
import { isLeft } from './worktree-lock';

export interface MadeTree {
  path: Path;
  /** The checkout that it is compared with. */
  checkout: Path;
  /** What is checked out there; undefined for a commit without a branch. */
  branch: string | undefined;
  head: string;
  /** The branch is the one that the worktree was made with, and nothing else has it checked out: it may go with it. */
  ownsBranch: boolean;
  /** The reason of a lock that somebody still holds. */
  locked: string | undefined;
  /** Its folder was taken away by hand; git still lists it. */
  gone: boolean;
}

/** What is nowhere else. */
export interface TreeLoss {
  /** Changed and new files that no commit has, and submodules that are checked out. */
  files: string[];
  /** Ignored by git, and not the same in the checkout. What a tool makes anew is left out. */
  ignored: string[];
  /** That no other branch or tag has, the newest first. */
  commits: { id: string; subject: string }[];
}

export interface TreePlaces {
  run: RunGit;
  /** Where all worktrees are. */
  folder: string;
}

export function losesNothing({ files, ignored, commits }: TreeLoss): boolean {
  return files.length + ignored.length + commits.length === 0;
}

/** Those of the repository around a folder. A sentence where there is none. */
export async function madeTrees(of: Path, { run, folder }: TreePlaces): Promise<MadeTree[] | string> {
  const around = await findRepository(path.resolve(of));
  const ask = askOf(run);
  const top = around && (await ask(of, 'rev-parse', '--show-toplevel'));
  if (around === undefined || top === undefined) return `${of} is in no git repository.`;
  const parent = await folderOfRepository(folder, around.mainRoot);
  const listed = await listedWorktrees(ask, top);
  const branches = (await ask(top, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'))?.split(/\r?\n/) ?? [];
  return listed.flatMap(({ path: place, branch, head, reason }) => {
    const at = path.resolve(place);
    const name = path.basename(at);
    if (path.dirname(at) !== parent || name.startsWith(agentPrefix) || head === undefined) return [];
    const isOther = (one: { path: string; branch: string | undefined }) => one.path !== place && one.branch === branch;
    return [
      {
        path: portPath(at),
        checkout: portPath(path.resolve(top)),
        branch,
        head,
        ownsBranch: branch !== undefined && isNamedAfter(name, branch, branches) && !listed.some(isOther),
        locked: reason === undefined || isLeft(reason) ? undefined : reason || 'no reason given',
        gone: !existsSync(at),
      },
    ];
  });
}

/** A branch that was checked out there later is none of Deft's. Headless runs put a word in front. */
function isNamedAfter(folder: string, branch: string, branches: readonly string[]): boolean {
  const name = treeName(branch);
  if (folder === name || branch === `worktree-${folder}`) return true;
  const isNumbered = folder.startsWith(name) && /^-\d+$/.test(folder.slice(name.length));
  // The number is of the folder, unless another branch has it in its name.
  return isNumbered && !branches.some((other) => treeName(other) === folder);
}

/** The branch that may go with the worktree, if there is one. */
export function branchToGo({ branch, ownsBranch }: MadeTree): string[] {
  return branch === undefined || !ownsBranch ? [] : [branch];
}

/** `going`: branches that go with it. A sentence where it cannot be determined. */
export async function treeLoss(tree: MadeTree, going: readonly string[], run: RunGit): Promise<TreeLoss | string> {
  const { path: place, checkout, head, gone } = tree;
  const excluded = [...new Set([...going, ...branchToGo(tree)])];
  const others = [...excluded.map((name) => `--exclude=${name}`), '--branches', '--tags', '--remotes'];
  const log = await wholeOutput(run, checkout, ['log', '--format=%h%x09%s', head, '--not', ...others]);
  if (log === undefined) return `git cannot read the commits of ${place}.`;
  const commits = log.split('\n').flatMap((line) => {
    const [id = '', subject = ''] = line.split('\t');
    return id === '' ? [] : [{ id, subject }];
  });
  if (gone) return { files: [], ignored: [], commits };
  if (!(await isLinkOfGit(path.resolve(place)))) return `the \`.git\` of ${place} is not as git created it.`;
  const ask = askOf(run);
  const entry = await ask(place, 'rev-parse', '--absolute-git-dir');
  const operation = entry && operationUnderWay(entry);
  if (operation) return `git is in the middle of a ${operation} there.`;
  const [names, ignored, folders, now] = await Promise.all([
    uncommittedNames(run, place),
    ignoredNames(place, run),
    ask(place, 'ls-tree', '-r', '-d', '-z', 'HEAD'),
    ask(place, 'rev-parse', 'HEAD'),
  ]);
  if (names === undefined || ignored === undefined || folders === undefined)
    return `git cannot read the state of ${place}.`;
  if (now !== head) return 'a commit was made there just now.';
  const filled = await Promise.all(
    submodulesIn(folders).map(async (name) => ((await entriesOf(path.join(place, name))).length > 0 ? [name] : [])),
  );
  const own: string[] = [];
  for (const name of ignoredIn(ignored.join('\n')))
    if (!(await isCopy(path.join(place, name), path.join(checkout, name), { left: mostCopies }))) own.push(name);
  return { files: [...names, ...filled.flat()], ignored: own, commits };
}

/** As `git status` lists them: a folder of which everything is ignored is one entry. */
async function ignoredNames(place: string, run: RunGit): Promise<string[] | undefined> {
  const args = 'status --porcelain -z --no-renames --untracked-files=all --ignore-submodules=all --ignored=matching';
  return (await wholeOutput(run, place, args.split(' ')))?.split('\0').filter((line) => line.startsWith('!! '));
}

/** A folder with more is taken for its own. */
const mostCopies = 2_000;

/** The checkout has the same, or it is a link: nothing is lost with it. */
async function isCopy(file: string, original: string, budget: { left: number }): Promise<boolean> {
  if (budget.left-- <= 0) return false;
  const [found, other] = await Promise.all([file, original].map((one) => lstat(one).catch(() => undefined)));
  if (found === undefined || found.isSymbolicLink()) return true;
  if (found.isDirectory()) {
    for (const { name } of await entriesOf(file))
      if (!(await isCopy(path.join(file, name), path.join(original, name), budget))) return false;
    return true;
  }
  if (other?.isFile() !== true || !found.isFile() || found.size !== other.size) return false;
  const [one, two] = await Promise.all([readFile(file), readFile(original)]);
  return one.equals(two);
}

export interface RemovedTree {
  /** A sentence where it stays. */
  stays?: string;
  /** It went too; a sentence where it should have and did not. */
  branch?: true | string;
}

/** `agreed`: what the user knows to be lost; if it would be anything else by now, the worktree stays. */
export async function removeTree(
  tree: MadeTree,
  agreed: TreeLoss,
  { withBranch, going, run, folder }: { withBranch: boolean; going: readonly string[] } & TreePlaces,
): Promise<RemovedTree> {
  const { path: place, checkout, branch, head, gone } = tree;
  const now = await treeLoss(tree, going, run);
  if (typeof now === 'string') return { stays: now };
  if (JSON.stringify(now) !== JSON.stringify(agreed)) return { stays: 'it was changed meanwhile.' };
  // A lock of a run that has ended; those of others are kept, and git refuses.
  await createGitWorktrees(run, folder).release({ path: place, checkout, ...(branch === undefined ? {} : { branch }) });
  if (!gone) await unlinkBorrowed(place, run);
  const force = now.files.length > 0 ? ['--force'] : [];
  const end = await run(checkout, ['worktree', 'remove', ...force, place]);
  if (end.kind === 'missing') return { stays: 'git was not found.' };
  if (end.code !== 0) return { stays: reasonOf(end.stderr) };
  const [own] = withBranch ? branchToGo(tree) : [];
  if (own === undefined) return {};
  // Only where it still is what it was: a commit on it would be lost otherwise.
  const deleted = await run(checkout, ['update-ref', '-d', `refs/heads/${own}`, head]);
  if (deleted.kind === 'ended' && deleted.code === 0) return { branch: true };
  return { branch: deleted.kind === 'missing' ? 'git was not found.' : reasonOf(deleted.stderr) };
}

/** On Windows git follows the junctions of a linked folder, and would delete what they lead to in the checkout. */
async function unlinkBorrowed(place: string, run: RunGit): Promise<void> {
  for (const line of (await ignoredNames(place, run)) ?? []) {
    const ignored = path.join(place, line.slice('!! '.length));
    for (const entry of await entriesOf(ignored))
      if (entry.isSymbolicLink()) await unlink(path.join(ignored, entry.name)).catch(() => undefined);
  }
}

/** Programs that stand in it, by their names; where the system does not tell, none. */
export async function programsIn(place: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found = new Set<string>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const folder = await readlink(`/proc/${name}/cwd`).catch(() => undefined);
    if (folder === undefined || !holds(path.resolve(place), folder)) continue;
    const program = (await readFile(`/proc/${name}/comm`, 'utf8').catch(() => '')).trim();
    // Whoever looks at it, Deft included, for a moment.
    if (program !== 'git') found.add(`${program || 'a program'} (process ${name})`);
  }
  return [...found];
}

/** Links are not followed. `more`: there are further files that nobody counted. */
export async function sizeOfTree(place: string, mostFiles: number): Promise<{ bytes: number; more: boolean }> {
  const size = { bytes: 0, more: false };
  let files = 0;
  const folders = [place];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await entriesOf(folder)) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(at);
      if (!entry.isFile()) continue;
      if (++files > mostFiles) return { ...size, more: true };
      size.bytes += (await lstat(at).catch(() => undefined))?.size ?? 0;
    }
  return size;
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
