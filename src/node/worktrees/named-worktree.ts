// The worktree of a session, under a name that the user knows: a later session goes on in it.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isUnchanged, type Worktree, type WorktreeChanges } from '../../core/ports/worktrees';
import { resolveLinks } from '../files/real-path';
import { portPath } from '../files/port-path';
import { findRepository } from '../repository';
import { type AskGit, listedWorktrees } from './agent-branches';
import { createGitWorktrees } from './git-worktrees';
import { type RunGit } from './run-git';
import { isLinkOfGit } from './worktree-link';
import { isLeft } from './worktree-lock';
import { repositoryFolder } from './worktrees-directory';

export interface NamedWorktree {
  worktree: Worktree;
  /** It was there already. */
  reused: boolean;
  /** Changed files of the checkout, which a new one does not have. */
  uncommitted: number;
  /** Nobody works in it any more. Undefined where nothing was changed and it is gone. `busy`: something still runs there. */
  end(busy: boolean): Promise<LeftBehind | undefined>;
}

export interface LeftBehind {
  /** Undefined where it cannot be determined. */
  changes: WorktreeChanges | undefined;
  /** Why it stays without changes. */
  why?: string;
}

/** `folder`: where all worktrees are. A sentence where there can be none. */
export async function openNamedWorktree(
  { run, folder }: { run: RunGit; folder: string },
  { cwd, name }: { cwd: string; name: string },
  signal: AbortSignal,
): Promise<NamedWorktree | string> {
  const worktrees = createGitWorktrees(run, folder);
  const ask: AskGit = async (at, ...args) => {
    const end = await run(at, args, signal);
    return end.kind === 'ended' && end.code === 0 ? end.stdout.trim() : undefined;
  };
  const earlier = await earlierWorktree(ask, folder, { cwd, name });
  if (typeof earlier === 'string') return earlier;
  const made = earlier ?? (await worktrees.create(portPath(cwd), name, signal));
  if ('outcome' in made && made.outcome === 'refused') return made.message;
  const worktree = 'outcome' in made ? made.worktree : made;
  if (earlier !== undefined && !(await worktrees.reopen(earlier)))
    return existsSync(earlier.path)
      ? `${earlier.path} could not be locked for this run: somebody else may have begun to work in it.`
      : `The branch ${earlier.branch} could not be checked out in ${earlier.path}.`;
  /** The user stands in it. */
  const given = path.resolve(worktree.checkout) === path.resolve(worktree.path);
  return {
    worktree,
    reused: earlier !== undefined,
    uncommitted: 'outcome' in made ? made.uncommitted : 0,
    async end(busy) {
      const changes = await worktrees.changes(worktree);
      const stays = changes === undefined || !isUnchanged(changes) || busy;
      const why = stays ? undefined : given ? 'The command was given in it.' : await worktrees.remove(worktree);
      if (!stays && why === undefined) return undefined;
      await worktrees.release(worktree);
      return { changes, ...(why === undefined ? {} : { why }) };
    },
  };
}

/** Undefined where there is none of this name; a sentence where it is not to be used. */
async function earlierWorktree(
  ask: AskGit,
  folder: string,
  { cwd, name }: { cwd: string; name: string },
): Promise<Worktree | undefined | string> {
  const branch = `worktree-${name}`;
  const at = await ask(cwd, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
  const top = await ask(cwd, 'rev-parse', '--show-toplevel');
  const around = await findRepository(cwd);
  if (at === undefined || top === undefined || around === undefined) return undefined;
  const common = await realpath(path.join(around.mainRoot, '.git')).catch(() => '');
  const place = path.join(await resolveLinks(folder), repositoryFolder(common), name);
  const base = await beginning(ask, cwd, { branch, at });
  const listed = (await listedWorktrees(ask, top)).find((one) => one.branch === branch);
  if (listed === undefined && (base === undefined || base === at))
    return `There is a branch ${branch} already, without a worktree. Choose another name.`;
  if (base === undefined) return `The branch ${branch} has no commit in common with what is checked out.`;
  if (listed !== undefined && path.resolve(listed.path) !== place)
    return `The branch ${branch} is checked out in ${listed.path}. Choose another name.`;
  if (listed?.reason === '') return `Somebody has locked the worktree ${place}.`;
  if (listed?.reason !== undefined && !isLeft(listed.reason)) return `Somebody works in ${place}: ${listed.reason}`;
  if (existsSync(place) && !(await isLinkOfGit(place)))
    return `The \`.git\` of the worktree ${place} is not as git created it.`;
  return { path: portPath(place), checkout: portPath(path.resolve(top)), branch, base };
}

/** What only this branch has is work of before, also where the command was given on it. */
async function beginning(
  ask: AskGit,
  cwd: string,
  { branch, at }: { branch: string; at: string },
): Promise<string | undefined> {
  const base = await ask(cwd, 'merge-base', 'HEAD', at);
  if (base === undefined) return undefined;
  const others = ['--not', `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const own = await ask(cwd, 'rev-list', '--topo-order', '--reverse', base, ...others);
  const [oldest] = own?.split(/\r?\n/) ?? [];
  if (oldest === undefined || oldest === '') return oldest === undefined ? undefined : base;
  return (await ask(cwd, 'rev-parse', '--verify', '--quiet', `${oldest}^`)) ?? oldest;
}
