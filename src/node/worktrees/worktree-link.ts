// Whether a worktree's `.git` is what it was: whoever may write into the folder could put a repository there whose settings start programs.
import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Worktree } from '../../core/ports/worktrees';

/** Below the checkout that git keeps it in. */
export const worktreesFolder = path.join('.claude', 'worktrees');
const maxBytes = 16 * 1024;

/** git is to be asked nothing in a worktree that this is false of. */
export async function isLinkKept({ path: place, branch, link }: Worktree): Promise<boolean> {
  if (branch !== undefined) return isLinkOfGit(path.resolve(place));
  return link !== undefined && (await linkText(place)) === link;
}

/** What the file `.git` holds; nothing where it is a folder. Undefined for anything else. */
export async function linkText(place: string): Promise<string | undefined> {
  const file = path.join(place, '.git');
  try {
    const found = await lstat(file);
    if (found.isDirectory()) return '';
    return found.isFile() && found.size <= maxBytes ? await readFile(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** For one in the folder of worktrees: it names its own entry in the repository around, and that names it and no other repository. */
export async function isLinkOfGit(place: string): Promise<boolean> {
  try {
    const [entry, common] = await Promise.all([linked(place), commonFolder(path.resolve(place, '..', '..', '..'))]);
    if (entry === undefined || common === undefined || path.dirname(entry) !== path.join(common, 'worktrees'))
      return false;
    const [back, shared] = await Promise.all(
      ['gitdir', 'commondir'].map((name) => readFile(path.join(entry, name), 'utf8')),
    );
    const [own, named, holder] = await Promise.all([
      realpath(place),
      realpath(path.resolve(entry, (back ?? '').trim(), '..')),
      realpath(path.resolve(entry, (shared ?? '').trim())),
    ]);
    return named === own && holder === common;
  } catch {
    return false;
  }
}

/** Whether a folder lies where Deft puts worktrees. */
export function isInWorktreesFolder(place: string): boolean {
  return path.dirname(place).endsWith(path.sep + worktreesFolder);
}

/** What `.git` of a folder names, where it is a file and no link. */
async function linked(folder: string): Promise<string | undefined> {
  const target = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec((await linkText(folder)) ?? '')?.[1];
  return target === undefined ? undefined : realpath(path.resolve(folder, target));
}

/** Of the repository that a checkout belongs to, which need not be its first. */
async function commonFolder(root: string): Promise<string | undefined> {
  const file = path.join(root, '.git');
  const entry = (await lstat(file)).isFile() ? await linked(root) : await realpath(file);
  if (entry === undefined) return undefined;
  const shared = await readFile(path.join(entry, 'commondir'), 'utf8').catch(() => undefined);
  return shared === undefined ? entry : realpath(path.resolve(entry, shared.trim()));
}
