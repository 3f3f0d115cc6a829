// Worktrees by git: under `.claude/worktrees` of the main checkout, each with a branch of its own, ignored by the repository's own exclude file.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
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
import { isInWorktreesFolder, isLinkKept, isLinkOfGit, linkText, worktreesFolder } from './worktree-link';
import { hasEnded, lockReason, readLockReason } from './worktree-lock';
import type { Path } from '../../core/ports/path';

const ignoredMark = '!! ';
/** Installed packages and caches. */
const remade = /(^|\/)(node_modules|\.venv|venv|__pycache__|\.(pytest|mypy|ruff)_cache|\.gradle|\.tox)\/$|\.pyc$/;
const excluded = '/.claude/worktrees/';

/** Those that agents of this process work in, whichever session is theirs. */
const active = new Set<string>();
/** git locks the list of worktrees while it adds one, and fails where two come at once. */
let adding: Promise<unknown> = Promise.resolve();

export function createGitWorktrees(run: RunGit): Worktrees {
  return new GitWorktrees(run);
}

class GitWorktrees implements Worktrees {
  readonly #run: RunGit;

  constructor(run: RunGit) {
    this.#run = run;
  }

  create(
    folder: Path,
    name: string,
    signal: AbortSignal,
    folders: readonly Path[] = [folder],
  ): Promise<WorktreeCreation> {
    const created = adding.then(async () => {
      try {
        return await this.#create(path.resolve(folder), name, signal, folders);
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
    if (!existsSync(worktree.path)) return false;
    active.add(worktree.path);
    // A lock in the name of an ended process would stay, and a sweep would take the worktree for abandoned.
    if (worktree.branch !== undefined) await this.#ask(worktree.checkout, 'worktree', 'unlock', worktree.path);
    await this.#lock(worktree);
    return true;
  }

  async changes(worktree: Worktree): Promise<WorktreeChanges | undefined> {
    const { path: place, base, branch } = worktree;
    if (base === undefined || !(await isLinkKept(worktree))) return undefined;
    const [status, folders, ahead, branchAhead] = await Promise.all([
      // Not into submodules: git obeys the settings of what lies there, and an agent may have put it there.
      this.#ask(
        place,
        'status',
        '--porcelain',
        '--untracked-files=all',
        '--ignore-submodules=dirty',
        '--ignored=matching',
      ),
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
    const changed = lines(status).filter((line) => !line.startsWith(ignoredMark)).length;
    return {
      files: changed + filled.filter(Boolean).length,
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

  async release(worktree: Worktree): Promise<void> {
    active.delete(worktree.path);
    if (worktree.branch !== undefined) await this.#ask(worktree.checkout, 'worktree', 'unlock', worktree.path);
  }

  async sweep(folder: Path): Promise<{ removed: Worktree[]; left: LeftWorktree[] }> {
    const found: { removed: Worktree[]; left: LeftWorktree[] } = { removed: [], left: [] };
    // Every session asks, and hardly any has one: git is not started for the others.
    const around = await findRepository(path.resolve(folder));
    if (around === undefined || !existsSync(path.join(around.mainRoot, worktreesFolder))) return found;
    const repository = await this.#repositoryOf(folder);
    if (typeof repository === 'string') return found;
    const parent = path.join(await resolveLinks(repository.root), worktreesFolder);
    for (const { path: place, branch, reason } of listed(
      (await this.#ask(repository.top, 'worktree', 'list', '--porcelain')) ?? '',
    )) {
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
      const worktree: Worktree = {
        path: portPath(real),
        checkout: portPath(repository.top),
        branch,
        base: owner.base,
      };
      // Somebody has taken the folder away by hand: nothing of it is left but git's entry.
      const now = existsSync(real) ? await this.changes(worktree) : { files: 0, commits: 0 };
      // An agent may have gone on in it meanwhile.
      if (active.has(portPath(real))) continue;
      const stays = now === undefined || !isUnchanged(now) || (await this.remove(worktree)) !== undefined;
      if (!stays) found.removed.push(worktree);
      else {
        await this.release(worktree);
        found.left.push({ ...worktree, changes: now });
      }
    }
    return found;
  }

  /** Its output; undefined where it failed. */
  async #ask(folder: string, ...args: string[]): Promise<string | undefined> {
    const end = await this.#run(folder, args);
    return end.kind === 'ended' && end.code === 0 ? end.stdout.trim() : undefined;
  }

  async #repositoryOf(
    folder: string,
    signal?: AbortSignal,
  ): Promise<{ top: string; root: string; common: string } | string> {
    const end = await this.#run(folder, ['rev-parse', '--show-toplevel', '--git-common-dir'], signal);
    if (end.kind === 'missing')
      return 'git was not found on the PATH, and a worktree needs it. Start the agent without `isolation`, or tell the user.';
    const [top = '', common = ''] = end.stdout.trim().split(/\r?\n/);
    if (end.code !== 0 || top === '')
      return `\`${portPath(folder)}\` is not in a usable git repository, and a worktree needs one: ${reasonOf(end.stderr)} Start the agent without \`isolation\`.`;
    const shared = path.resolve(folder, common);
    // Inside a worktree: further ones go next to it.
    return {
      top: path.resolve(top),
      root: path.basename(shared) === '.git' ? path.dirname(shared) : path.resolve(top),
      common: shared,
    };
  }

  async #lock(worktree: Worktree): Promise<void> {
    active.add(worktree.path);
    if (worktree.branch !== undefined && worktree.base !== undefined)
      await this.#ask(worktree.checkout, 'worktree', 'lock', '--reason', lockReason(worktree.base), worktree.path);
  }

  async #create(
    folder: string,
    name: string,
    signal: AbortSignal,
    folders: readonly string[],
  ): Promise<WorktreeCreation> {
    const repository = await this.#repositoryOf(folder, signal);
    if (typeof repository === 'string') return { outcome: 'refused', message: repository };
    const { top, root, common } = repository;
    if (isInWorktreesFolder(top) && !(await isLinkOfGit(top)))
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
    const base = await this.#ask(top, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    if (base === undefined)
      return {
        outcome: 'refused',
        message: `The repository ${portPath(top)} has no commit yet, and a worktree starts from one. Start the agent without \`isolation\`.`,
      };
    const parent = path.join(root, worktreesFolder);
    // A project may contain a link of this name that leads anywhere.
    if ((await resolveLinks(parent)) !== path.join(await resolveLinks(root), worktreesFolder))
      return {
        outcome: 'refused',
        message: `${portPath(parent)} is a symlink, so no worktree is created in it. Start the agent without \`isolation\`, or tell the user.`,
      };
    const place = path.join(parent, name);
    const branch = `worktree-${name}`;
    await mkdir(parent, { recursive: true });
    await this.#exclude(root, path.join(common, 'info', 'exclude'), place);
    const end = await this.#run(top, ['worktree', 'add', '--quiet', '--no-track', '-b', branch, place, base], signal);
    if (end.kind === 'missing' || end.code !== 0)
      return {
        outcome: 'refused',
        message: `git could not create a worktree: ${end.kind === 'missing' ? 'git was not found.' : reasonOf(end.stderr)} Start the agent without \`isolation\`, or tell the user.`,
      };
    const worktree: Worktree = { path: portPath(await resolveLinks(place)), checkout: portPath(top), branch, base };
    await this.#lock(worktree);
    return {
      outcome: 'created',
      worktree,
      uncommitted: lines((await this.#ask(top, 'status', '--porcelain', '--ignore-submodules=all')) ?? '').length,
    };
  }

  /** In the repository's own list, which is not a file of the project. */
  async #exclude(root: string, file: string, place: string): Promise<void> {
    if ((await this.#ask(root, 'check-ignore', '--quiet', '--no-index', place)) !== undefined) return;
    const before = await readFile(file, 'utf8').catch(() => '');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${excluded}\n`);
  }
}

/** What `git worktree list --porcelain` says of those that are locked. */
function listed(text: string): { path: string; branch: string | undefined; reason: string }[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const field = (name: string): string | undefined => new RegExp(`^${name} (.*)$`, 'm').exec(block)?.[1];
    const [place, reason] = [field('worktree'), field('locked')];
    return place === undefined || reason === undefined
      ? []
      : [{ path: place, branch: field('branch')?.replace(/^refs\/heads\//, ''), reason }];
  });
}

async function holdsOneOf(top: string, folders: readonly string[]): Promise<boolean> {
  const [root = top, ...places] = await Promise.all([top, ...folders].map((one) => resolveLinks(one)));
  return places.some((place) => holds(root, place));
}

/** The folder itself counts. */
function holds(outer: string, inner: string): boolean {
  const way = path.relative(outer, inner);
  return !path.isAbsolute(way) && way.split(path.sep)[0] !== '..';
}

/** What `git status` says of ignored files and folders, but for those that a tool makes anew. */
function ignoredIn(status: string): string[] {
  return lines(status)
    .flatMap((line) => (line.startsWith(ignoredMark) ? [line.slice(ignoredMark.length)] : []))
    .filter((name) => !remade.test(name));
}

/** Of what `git ls-tree -r -d -z` says. */
function submodulesIn(listing: string): string[] {
  return listing.split('\0').flatMap((entry) => /^160000 commit \S+\t(.+)$/s.exec(entry)?.[1] ?? []);
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** git's own words, on one line. */
function reasonOf(stderr: string): string {
  const text = lines(stderr)
    .map((line) => line.replace(/^fatal: /, '').trim())
    .slice(0, 3)
    .join(' ');
  return text === '' ? 'git gave no reason.' : /[.!?]$/.test(text) ? text : `${text}.`;
}
