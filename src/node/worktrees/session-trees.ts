// Worktrees of chats: made on a branch that the user names, found again by what a session's log says of them, and what git says of each.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Path } from '../../core/ports/path';
import { type Worktree } from '../../core/ports/worktrees';
import { portPath } from '../files/port-path';
import { resolveLinks } from '../files/real-path';
import { findRepository } from '../repository';
import { type AskGit } from './agent-branches';
import { changed, fullStatus } from './git-output';
import { createGitWorktrees } from './git-worktrees';
import { type RunGit } from './run-git';
import { isLinkOfGit, linkedEntry } from './worktree-link';
import { repositoryFolder } from './worktrees-directory';

export interface TreeRepository {
  /** The checkout around the folder. */
  top: Path;
  /** Where git keeps what all checkouts share. */
  common: Path;
  /** Of a branch that is checked out. */
  head: string | undefined;
  branches: { name: string; remote: boolean; subject: string }[];
  /** Changed files, which no new worktree has. */
  uncommitted: number;
}

export interface TreeState {
  /** What is checked out there by now; undefined for a commit without a branch. */
  branch: string | undefined;
  /** Commits that the checkout does not have, and commits that only the checkout has. */
  ahead: number;
  behind: number;
  /** Changed and new files that are not committed. */
  files: number;
}

export interface FoundTree {
  worktree: Worktree;
  /** It was gone, and its branch was checked out again. */
  restored: boolean;
}

export interface SessionTrees {
  /** A sentence where no worktree can be made of it. */
  repository(folder: Path): Promise<TreeRepository | string>;
  /** A sentence where it could not be made. */
  create(
    of: { folder: Path; folders: readonly Path[]; branch: string; base: string },
    signal: AbortSignal,
  ): Promise<Worktree | string>;
  /** What a log names, if it is what Deft made in this repository; `restores`: one that is gone is checked out again. A sentence where it is gone, or is something else. */
  find(worktree: Worktree, folders: readonly Path[], restores: boolean): Promise<FoundTree | string>;
  /** Undefined where it cannot be determined. */
  state(worktree: Pick<Worktree, 'path' | 'checkout'>): Promise<TreeState | undefined>;
  /** Files that change when `state` may have: of git's, in the tree's entry and in the checkout. */
  watched(worktree: Worktree): Promise<{ folder: string; name: string }[]>;
}

/** `folder`: where all worktrees are, see worktreesDirectory(). */
export function createSessionTrees(run: RunGit, folder: string): SessionTrees {
  const ask = askOf(run);
  const worktrees = createGitWorktrees(run, folder);
  return {
    repository: (of) => readRepository(of, ask),
    async create({ folder: of, folders, branch, base }, signal) {
      const around = await findRepository(path.resolve(of));
      if (around === undefined) return `${of} is in no git repository.`;
      const parent = await folderOfRepository(folder, around.mainRoot);
      const made = await worktrees.create(of, freeName(parent, branch), signal, folders, { branch, base });
      if (made.outcome === 'refused') return made.message.replace(/ Start the agent without `isolation`.*$/s, '');
      // A chat goes on in it another day: nobody sweeps it up, and the user may remove it.
      await worktrees.release(made.worktree);
      return made.worktree;
    },
    async find(worktree, folders, restores) {
      const refused = await whyForeign(worktree, folders, folder);
      if (refused !== undefined) return refused;
      const { path: place, branch, checkout } = worktree;
      if (existsSync(place))
        return (await isLinkOfGit(path.resolve(place)))
          ? { worktree, restored: false }
          : `The \`.git\` of ${place} is not as git created it, so Deft does not work there.`;
      if (!restores) return `${place} is gone.`;
      const at = await ask(checkout, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
      if (at === undefined) return `${place} is gone, and so is its branch ${branch}.`;
      if (!(await worktrees.reopen(worktree)))
        return `${place} is gone, and its branch ${branch} could not be checked out there again: it may be checked out elsewhere.`;
      await worktrees.release(worktree);
      return { worktree, restored: true };
    },
    state: (worktree) => readState(worktree, ask),
    async watched({ path: place, checkout }) {
      const entries = await Promise.all(
        [place, checkout].map(async (one) => {
          const entry = await linkedEntry(path.resolve(one)).catch(() => undefined);
          return entry ?? path.join(one, '.git');
        }),
      );
      return entries.flatMap((entry) => [
        { folder: entry, name: 'HEAD' },
        { folder: path.join(entry, 'logs'), name: 'HEAD' },
      ]);
    },
  };
}

export function askOf(run: RunGit): AskGit {
  return async (at, ...args) => {
    const end = await run(at, args);
    return end.kind === 'ended' && end.code === 0 ? end.stdout.trim() : undefined;
  };
}

/** Where the worktrees of this repository are. */
export async function folderOfRepository(all: string, mainRoot: string): Promise<string> {
  const common = await realpath(path.join(mainRoot, '.git')).catch(() => '');
  return path.join(await resolveLinks(all), repositoryFolder(common));
}

/** Folders of agents are called so. */
export const agentPrefix = 'agent-';

/** What the folder of a worktree on this branch is called, but for a number where that is taken. */
export function treeName(branch: string): string {
  const name =
    branch
      .replace(/[^\w.-]+/g, '-')
      .slice(0, 60)
      .replace(/^[.-]+|[.-]+$/g, '') || 'tree';
  return name.startsWith(agentPrefix) ? `chat-${name}` : name;
}

function freeName(parent: string, branch: string): string {
  const own = treeName(branch);
  for (let number = 1; ; number++) {
    const tried = number === 1 ? own : `${own}-${number}`;
    if (!existsSync(path.join(parent, tried))) return tried;
  }
}

/** A log may have come from anywhere: what it names is a worktree only where Deft puts those of this repository. */
async function whyForeign(
  { path: place, checkout }: Worktree,
  folders: readonly Path[],
  all: string,
): Promise<string | undefined> {
  const around = folders[0] === undefined ? undefined : await findRepository(path.resolve(folders[0]));
  if (around === undefined) return `${place} is a worktree of a repository that is not open here.`;
  const parent = await folderOfRepository(all, around.mainRoot);
  const at = path.resolve(place);
  if (path.dirname(at) !== parent || (await resolveLinks(at)) !== at)
    return `${place} is no worktree that Deft made of ${portPath(around.mainRoot)}.`;
  const top = await resolveLinks(around.root);
  return path.resolve(checkout) === top ? undefined : `${place} was made from ${checkout}, which is not open here.`;
}

async function readRepository(folder: Path, ask: AskGit): Promise<TreeRepository | string> {
  const around = await findRepository(path.resolve(folder));
  if (around === undefined) return `${folder} is in no git repository, and a worktree needs one.`;
  const [top, common, head, refs, status] = await Promise.all([
    ask(folder, 'rev-parse', '--show-toplevel'),
    ask(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir'),
    ask(folder, 'symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask(
      folder,
      'for-each-ref',
      '--sort=-committerdate',
      '--format=%(refname)%09%(contents:subject)',
      'refs/heads',
      'refs/remotes',
    ),
    ask(folder, 'status', '--porcelain', '--ignore-submodules=all'),
  ]);
  if (top === undefined || common === undefined) return `git cannot read the repository around ${folder}.`;
  return {
    top: portPath(path.resolve(top)),
    common: portPath(path.resolve(common)),
    head,
    branches: (refs ?? '').split(/\r?\n/).flatMap((line) => {
      const [, kind, name = ''] = /^refs\/(heads|remotes)\/([^\t]+)/.exec(line) ?? [];
      if (kind === undefined || /^[^/]+\/HEAD$/.test(name)) return [];
      return [{ name, remote: kind === 'remotes', subject: line.split('\t')[1] ?? '' }];
    }),
    uncommitted: (status ?? '').split('\n').filter((line) => line !== '').length,
  };
}

async function readState(
  { path: place, checkout }: Pick<Worktree, 'path' | 'checkout'>,
  ask: AskGit,
): Promise<TreeState | undefined> {
  if (!(await isLinkOfGit(path.resolve(place)))) return undefined;
  const [status, branch, head] = await Promise.all([
    ask(place, ...fullStatus),
    ask(place, 'symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask(place, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
  ]);
  if (status === undefined || head === undefined) return undefined;
  const sides = await ask(checkout, 'rev-list', '--left-right', '--count', `HEAD...${head}`);
  const [behind, ahead] = (sides ?? '').split(/\s+/).map(Number);
  if (behind === undefined || ahead === undefined || Number.isNaN(behind)) return undefined;
  return { branch, ahead, behind, files: changed(status).length };
}
