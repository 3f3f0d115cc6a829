// What git's own files say of a folder: the checkout around it, its branch, and the main checkout. No git is started.
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Looks for `.git`, which is a folder, or a file in worktrees and submodules, in the folder and its parents. */
export function isInRepository(folder: string): boolean {
  // Not by promises: each of them waits for a thread, which takes longer than all of these looks together.
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}

export interface Repository {
  root: string;
  /** The checkout that a worktree belongs to; the root itself where it is not a further worktree. */
  mainRoot: string;
  /** Undefined where no branch is checked out. */
  branch: string | undefined;
}

/** The repository around a folder; undefined where there is none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let at = folder; ; at = path.dirname(at)) {
    const git = path.join(at, '.git');
    const inside = await readOrNothing(path.join(git, 'HEAD'));
    if (inside !== undefined) return { root: at, mainRoot: at, branch: branchOf(inside) };
    const link = await linkedFolder(git);
    const head = link === undefined ? undefined : await readOrNothing(path.join(link, 'HEAD'));
    if (link !== undefined && head !== undefined)
      return { root: at, mainRoot: (await mainRootOf(at, link)) ?? at, branch: branchOf(head) };
    if (at === path.dirname(at)) return undefined;
  }
}

/** The folders that this repository is checked out in, the main one first; those that are gone are left out. */
export async function checkoutsOf({ mainRoot }: Pick<Repository, 'mainRoot'>): Promise<string[]> {
  const folder = path.join(mainRoot, '.git', 'worktrees');
  const names = await readdir(folder).catch(() => [] as string[]);
  const roots = await Promise.all(
    names.map(async (name) => {
      const file = (await readOrNothing(path.join(folder, name, 'gitdir')))?.trim();
      return file !== undefined && existsSync(file) ? [path.dirname(file)] : [];
    }),
  );
  return [mainRoot, ...roots.flat().sort()];
}

/** What a `.git` file names; undefined where there is none. */
async function linkedFolder(git: string): Promise<string | undefined> {
  const link = /^gitdir: (.+)$/m.exec((await readOrNothing(git)) ?? '')?.[1];
  return link === undefined ? undefined : path.resolve(path.dirname(git), link.trim());
}

/**
 * Of a further worktree, whose folder in the main repository names it in turn: a file alone, which anybody can put into a
 * folder, makes no folder part of another repository. Undefined for a submodule.
 */
async function mainRootOf(root: string, link: string): Promise<string | undefined> {
  const [common, back] = await Promise.all([
    readOrNothing(path.join(link, 'commondir')),
    readOrNothing(path.join(link, 'gitdir')),
  ]);
  if (common === undefined || back === undefined) return undefined;
  const shared = path.resolve(link, common.trim());
  const named = path.resolve(link, back.trim());
  const [own, other] = await Promise.all(
    [path.join(root, '.git'), named].map((file) => realpath(file).catch(() => file)),
  );
  return own === other && path.basename(shared) === '.git' ? path.dirname(shared) : undefined;
}

function branchOf(head: string): string | undefined {
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
}

function readOrNothing(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
