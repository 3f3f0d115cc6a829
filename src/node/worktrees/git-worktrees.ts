// Worktrees by git: in a folder of Deft's own, by repository, each with a branch of its own, which is what stays of an agent's work.
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rmdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type AgentBranch,
  isUnchanged,
  type LeftWorktree,
  type Worktree,
  type WorktreeChanges,
  type WorktreeCreation,
  type Worktrees,
} from '../../core/ports/worktrees';
import { portPath } from '../files/port-path';
import { findRepository } from '../repository';
import { resolveLinks } from '../files/real-path';
import { type RunGit } from './run-git';
import { agentBranches, listedWorktrees, removeMerged } from './agent-branches';
import { changed, fullStatus, ignoredIn, lines, reasonOf, submodulesIn } from './git-output';
import { isLinkKept, isLinkOfGit, linkedEntry, linkText } from './worktree-link';
import { dropLeftLock, hasEnded, isLeft, lockReason, readLockReason } from './worktree-lock';
import { repositoryFolder } from './worktrees-directory';
import type { Path } from '../../core/ports/path';

/** Those that agents of this process work in, whichever session is theirs. */
const active = new Set<string>();
/** git locks the list of worktrees while it adds one, and fails where two come at once. */
let adding: Promise<unknown> = Promise.resolve();

/** In place of a branch of Deft's own naming from what is checked out. */
export interface NamedBranch {
  branch: string;
  /** A commit, or what names one. */
  base: string;
}

export interface NamingWorktrees extends Worktrees {
  create(...as: [...Parameters<Worktrees['create']>, named?: NamedBranch]): Promise<WorktreeCreation>;
}

/** `folder`: where they are, see worktreesDirectory(). */
export function createGitWorktrees(run: RunGit, folder: string): NamingWorktrees {
  return new GitWorktrees(run, folder);
}

class GitWorktrees implements NamingWorktrees {
  readonly #run: RunGit;
  readonly #folder: string;

  constructor(run: RunGit, folder: string) {
    this.#run = run;
    this.#folder = folder;
  }

  create(
    folder: Path,
    name: string,
    signal: AbortSignal,
    folders: readonly Path[] = [folder],
    named: NamedBranch = { branch: `worktree-${name}`, base: 'HEAD' },
  ): Promise<WorktreeCreation> {
    const created = adding.then(async () => {
      try {
        return await this.#create(path.resolve(folder), name, signal, folders, named);
      } catch (error) {
        if (signal.aborted) throw error;
        return {
          outcome: 'refused',
          message: `No worktree could be created: ${error instanceof Error ? error.message : String(error)} Start the agent without \`isolation\`.`,
        } satisfies WorktreeCreation;
      }
    });
    adding = created.catch(() => undefined);
    return created;
  }

  async adopt(made: Path, folder: Path, taken: readonly Path[] = []): Promise<Worktree | string> {
    const place = await resolveLinks(made);
    const repository = await this.#repositoryOf(folder);
    const checkout = typeof repository === 'string' ? folder : repository.top;
    if (!path.isAbsolute(made) || !existsSync(place)) return `${JSON.stringify(made)} is not an existing folder.`;
    for (const one of [checkout, ...taken])
      if (holds(place, await resolveLinks(one)))
        return `${made} is or holds ${portPath(one)}, so an agent would work on the original.`;
    const top = await this.#ask(place, 'rev-parse', '--show-toplevel');
    const own = top !== undefined && (await resolveLinks(top)) === place;
    const base = own ? await this.#ask(place, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}') : undefined;
    const link = base === undefined ? undefined : await linkText(place);
    if (base === undefined || link === undefined) return { path: portPath(place), checkout: portPath(checkout) };
    const ignored = ignoredIn(
      (await this.#ask(
        place,
        'status',
        '--porcelain',
        '--untracked-files=all',
        '--ignore-submodules=all',
        '--ignored=matching',
      )) ?? '',
    );
    return {
      path: portPath(place),
      checkout: portPath(checkout),
      base,
      link,
      ...(ignored.length === 0 ? {} : { ignored }),
    };
  }

  async reopen(worktree: Worktree): Promise<boolean> {
    if (!existsSync(worktree.path) && !(await this.#restore(worktree))) return false;
    // A lock in the name of an ended process would stay, and a sweep would take the worktree for abandoned.
    const reason = worktree.branch === undefined ? undefined : await this.#lockedBy(worktree);
    if (reason !== undefined) {
      const entry = isLeft(reason) ? await linkedEntry(path.resolve(worktree.path)).catch(() => undefined) : undefined;
      if (entry === undefined || !(await dropLeftLock(entry))) return false;
    }
    return (await this.#lock(worktree)) === undefined;
  }

  async changes(worktree: Worktree): Promise<WorktreeChanges | undefined> {
    const { path: place, base, branch } = worktree;
    if (base === undefined || !(await isLinkKept(worktree))) return undefined;
    const [status, folders, ahead, branchAhead] = await Promise.all([
      // Not into submodules: git obeys the settings of what lies there, and an agent may have put it there.
      this.#ask(place, ...fullStatus),
      this.#ask(place, 'ls-tree', '-r', '-d', '-z', 'HEAD'),
      this.#ask(place, 'rev-list', '--count', `${base}..HEAD`),
      branch === undefined ? '0' : this.#ask(place, 'rev-list', '--count', `${base}..refs/heads/${branch}`),
    ]);
    if (status === undefined || folders === undefined || ahead === undefined || branchAhead === undefined)
      return undefined;
    const filled = await Promise.all(
      submodulesIn(folders).map(async (name) => (await readdir(path.join(place, name)).catch(() => [])).length > 0),
    );
    const before = new Set(worktree.ignored);
    const ignored = ignoredIn(status).filter((name) => !before.has(name)).length;
    return {
      files: changed(status).length + filled.filter(Boolean).length,
      commits: Math.max(Number(ahead), Number(branchAhead)),
      ...(ignored === 0 ? {} : { ignored }),
    };
  }

  async remove(worktree: Worktree): Promise<string | undefined> {
    const { path: place, checkout, branch, base } = worktree;
    await this.release(worktree);
    if (branch === undefined || base === undefined)
      return existsSync(place) ? `${place} was not removed: git did not create it.` : undefined;
    const end = await this.#run(checkout, ['worktree', 'remove', place]);
    if (end.kind === 'missing' || end.code !== 0)
      return `${place} was not removed: ${end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr)}`;
    // Only where it still is what it was: a commit on it would be lost otherwise.
    await this.#ask(checkout, 'update-ref', '-d', `refs/heads/${branch}`, base);
    return undefined;
  }

  async keep(worktree: Worktree): Promise<string | undefined> {
    const { path: place, branch, base } = worktree;
    const stays = (why: string): string => `${place} was not removed: ${why}`;
    if (branch === undefined || base === undefined) return stays('git did not create it.');
    if (!(await isLinkKept(worktree))) return stays('its `.git` is not as git created it.');
    if ((await this.#ask(place, 'symbolic-ref', '--quiet', 'HEAD')) !== `refs/heads/${branch}`)
      return stays('another branch is checked out there.');
    const changes = await this.changes(worktree);
    const status = await this.#ask(place, ...fullStatus);
    if (changes === undefined || status === undefined) return stays('its changes cannot be determined.');
    // Of a repository in it, a commit would have nothing but a name.
    if (changes.files !== changed(status).length || changed(status).some((line) => line.endsWith('/')))
      return stays('a further repository is in it.');
    const failure = changes.files === 0 ? undefined : await this.#commit(place);
    if (failure !== undefined) return stays(failure);
    if ((changes.ignored ?? 0) > 0) return stays('it has files that git ignores.');
    await this.release(worktree);
    const end = await this.#run(worktree.checkout, ['worktree', 'remove', place]);
    return end.kind === 'ended' && end.code === 0
      ? undefined
      : stays(end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr));
  }

  async release(worktree: Worktree): Promise<void> {
    active.delete(worktree.path);
    if (worktree.branch !== undefined) await this.#unlock(worktree);
  }

  async sweep(folder: Path): Promise<{ removed: Worktree[]; left: LeftWorktree[] }> {
    const found: { removed: Worktree[]; left: LeftWorktree[] } = { removed: [], left: [] };
    const repository = await this.#used(folder);
    if (repository === undefined) return found;
    const { top, parent } = repository;
    for (const { path: place, branch, reason = '' } of await listedWorktrees(this.#asking, top)) {
      const owner = readLockReason(reason);
      const real = path.resolve(place);
      if (
        owner === undefined ||
        branch === undefined ||
        path.dirname(real) !== parent ||
        active.has(portPath(real)) ||
        !hasEnded(owner)
      )
        continue;
      const worktree: Worktree = { path: portPath(real), checkout: portPath(top), branch, base: owner.base };
      // Somebody has taken the folder away by hand: nothing of it is left but git's entry.
      const now = existsSync(real) ? await this.changes(worktree) : { files: 0, commits: 0 };
      // An agent may have gone on in it meanwhile.
      if (active.has(portPath(real))) continue;
      const stays = now === undefined || !isUnchanged(now) || (await this.remove(worktree)) !== undefined;
      if (!stays) found.removed.push(worktree);
      else {
        const kept = now !== undefined && (await this.keep(worktree)) === undefined;
        if (!kept) await this.release(worktree);
        found.left.push({ ...worktree, changes: now, ...(kept ? { kept } : {}) });
      }
    }
    await this.#removeMerged(top);
    // Nothing is left: the next session need not ask git.
    if ((await agentBranches(this.#asking, top)).length === 0) await rmdir(parent).catch(() => undefined);
    return found;
  }

  async list(folder: Path): Promise<AgentBranch[]> {
    const repository = await this.#used(folder);
    if (repository === undefined) return [];
    await this.#removeMerged(repository.top);
    return agentBranches(this.#asking, repository.top);
  }

  async discard(folder: Path, name: string): Promise<string | undefined> {
    const repository = await this.#used(folder);
    const branch = (await this.list(folder)).find((one) => one.name === name);
    if (repository === undefined || branch === undefined) return `There is no branch ${name} of an agent.`;
    if (branch.path !== undefined) {
      if (active.has(branch.path)) return `An agent works in ${branch.path}.`;
      await this.#unlock({ path: branch.path, checkout: portPath(repository.top) });
      const end = await this.#run(repository.top, ['worktree', 'remove', '--force', branch.path]);
      if (end.kind === 'missing' || end.code !== 0)
        return `${branch.path} was not removed: ${end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr)}`;
    }
    await this.#ask(repository.top, 'update-ref', '-d', `refs/heads/${name}`);
    return undefined;
  }

  readonly #asking = (folder: string, ...args: string[]): Promise<string | undefined> => this.#ask(folder, ...args);

  /** Not while git adds one: its branch is there before it is. */
  async #removeMerged(top: string): Promise<void> {
    const removed = adding.then(() => removeMerged(this.#asking, top));
    adding = removed.catch(() => undefined);
    await removed;
  }

  /** Of a repository that agents have worked in: every session asks, and git is not started for the others. */
  async #used(folder: string): Promise<{ top: string; parent: string } | undefined> {
    const around = await findRepository(path.resolve(folder));
    if (around === undefined || !existsSync(this.#folder)) return undefined;
    const common = await realpath(path.join(around.mainRoot, '.git')).catch(() => '');
    const parent = path.join(await resolveLinks(this.#folder), repositoryFolder(common));
    if (!existsSync(parent)) return undefined;
    const repository = await this.#repositoryOf(folder);
    return typeof repository === 'string' ? undefined : { top: repository.top, parent };
  }

  /** Its branch is checked out again where it was. */
  async #restore({ path: place, checkout, branch }: Worktree): Promise<boolean> {
    if (branch === undefined) return false;
    await mkdir(path.dirname(place), { recursive: true });
    await this.#ask(checkout, 'worktree', 'prune');
    const end = await this.#run(checkout, ['worktree', 'add', '--quiet', place, branch]);
    return end.kind === 'ended' && end.code === 0;
  }

  /** A sentence where it failed. No hook runs, and nobody signs. */
  async #commit(place: string): Promise<string | undefined> {
    const message = `Work of ${path.basename(place)}`;
    const committing = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', message];
    const steps = [['add', '--all'], committing];
    for (const args of steps) {
      let end = await this.#run(place, args);
      // Whoever has told git no name has one here: the commit is Deft's.
      if (args === committing && end.kind === 'ended' && end.code !== 0)
        end = await this.#run(place, ['-c', 'user.name=Deft', '-c', 'user.email=deft@localhost', ...args]);
      if (end.kind === 'missing') return 'git was not found.';
      if (end.code !== 0) return reasonOf(end.stderr);
    }
    return undefined;
  }

  /** Its output; undefined where it failed. */
  async #ask(folder: string, ...args: string[]): Promise<string | undefined> {
    const end = await this.#run(folder, args);
    return end.kind === 'ended' && end.code === 0 ? end.stdout.trim() : undefined;
  }

  async #repositoryOf(folder: string, signal?: AbortSignal): Promise<{ top: string; common: string } | string> {
    const end = await this.#run(folder, ['rev-parse', '--show-toplevel', '--git-common-dir'], signal);
    if (end.kind === 'missing')
      return 'git was not found on the PATH, and a worktree needs it. Start the agent without `isolation`, or tell the user.';
    const [top = '', common = ''] = end.stdout.trim().split(/\r?\n/);
    if (end.code !== 0 || top === '')
      return `\`${portPath(folder)}\` is not in a usable git repository, and a worktree needs one: ${reasonOf(end.stderr)} Start the agent without \`isolation\`.`;
    return { top: path.resolve(top), common: path.resolve(folder, common) };
  }

  /** git's words where it refuses, as it does where another one was quicker. */
  async #lock({ path: place, checkout, branch, base }: Worktree): Promise<string | undefined> {
    const before = active.has(place);
    active.add(place);
    if (branch === undefined || base === undefined) return undefined;
    const end = await this.#run(checkout, ['worktree', 'lock', '--reason', lockReason(base), place]);
    if (end.kind === 'ended' && end.code === 0) return undefined;
    if (!before) active.delete(place);
    return end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr);
  }

  async #lockedBy({ path: place, checkout }: Pick<Worktree, 'path' | 'checkout'>): Promise<string | undefined> {
    const listed = await listedWorktrees(this.#asking, checkout);
    return listed.find((one) => portPath(path.resolve(one.path)) === place)?.reason;
  }

  /** Only a lock of this process, or of one that has ended. */
  async #unlock(worktree: Pick<Worktree, 'path' | 'checkout'>): Promise<void> {
    const reason = await this.#lockedBy(worktree);
    if (reason !== undefined && isLeft(reason)) await this.#ask(worktree.checkout, 'worktree', 'unlock', worktree.path);
  }

  async #create(
    folder: string,
    name: string,
    signal: AbortSignal,
    folders: readonly string[],
    { branch, base: from }: NamedBranch,
  ): Promise<WorktreeCreation> {
    const repository = await this.#repositoryOf(folder, signal);
    if (typeof repository === 'string') return { outcome: 'refused', message: repository };
    const { top, common } = repository;
    const folderOfAll = await resolveLinks(this.#folder);
    if (path.dirname(path.dirname(await resolveLinks(top))) === folderOfAll && !(await isLinkOfGit(top)))
      return {
        outcome: 'refused',
        message: `The \`.git\` of the worktree ${portPath(top)} is not as git created it, so no worktree is created from it. Tell the user.`,
      };
    // A repository below the workspace may be one that a command has put there, with settings that start programs.
    if (!(await holdsOneOf(top, folders)))
      return {
        outcome: 'refused',
        message: `No folder of the workspace lies in the repository ${portPath(top)}, so no worktree of it is created. Start the agent without \`isolation\`.`,
      };
    const base = await this.#ask(top, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${from}^{commit}`);
    if (base === undefined && from !== 'HEAD')
      return { outcome: 'refused', message: `${from} names no commit of ${portPath(top)}.` };
    if (base === undefined)
      return {
        outcome: 'refused',
        message: `The repository ${portPath(top)} has no commit yet, and a worktree starts from one. Start the agent without \`isolation\`.`,
      };
    const parent = path.join(folderOfAll, repositoryFolder(await realpath(common)));
    const place = path.join(parent, name);
    await mkdir(parent, { recursive: true });
    const end = await this.#run(top, ['worktree', 'add', '--quiet', '--no-track', '-b', branch, place, base], signal);
    if (end.kind === 'missing' || end.code !== 0)
      return {
        outcome: 'refused',
        message: `git could not create a worktree: ${end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr)} Start the agent without \`isolation\`, or tell the user.`,
      };
    const worktree: Worktree = { path: portPath(await resolveLinks(place)), checkout: portPath(top), branch, base };
    const unlocked = await this.#lock(worktree);
    if (unlocked !== undefined)
      return {
        outcome: 'refused',
        message: `The new worktree ${worktree.path} could not be locked: ${unlocked} Start the agent without \`isolation\`, or tell the user.`,
      };
    return {
      outcome: 'created',
      worktree,
      uncommitted: lines((await this.#ask(top, 'status', '--porcelain', '--ignore-submodules=all')) ?? '').length,
    };
  }
}

async function holdsOneOf(top: string, folders: readonly string[]): Promise<boolean> {
  const [root = top, ...places] = await Promise.all([top, ...folders].map((one) => resolveLinks(one)));
  return places.some((place) => holds(root, place));
}

/** The folder itself counts. */
export function holds(outer: string, inner: string): boolean {
  const way = path.relative(outer, inner);
  return !path.isAbsolute(way) && way.split(path.sep)[0] !== '..';
}
