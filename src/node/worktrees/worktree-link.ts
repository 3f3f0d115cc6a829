// Whether a worktree's `.git` is what it was: whoever may write into the folder could put a repository there whose settings start programs.
import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Worktree } from '../../core/ports/worktrees';
import { repositoryFolder } from './worktrees-directory';

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

/** For one in Deft's folder: it names an entry of the repository that its folder is named after, and that names it and no other repository. */
export async function isLinkOfGit(place: string): Promise<boolean> {
  try {
    const entry = await linkedEntry(place);
    if (entry === undefined || path.basename(path.dirname(entry)) !== 'worktrees') return false;
    const common = path.dirname(path.dirname(entry));
    const own = await realpath(place);
    if (path.basename(path.dirname(own)) !== repositoryFolder(common)) return false;
    const [back, shared] = await Promise.all(
      ['gitdir', 'commondir'].map((name) => readFile(path.join(entry, name), 'utf8')),
    );
    const [named, holder] = await Promise.all([
      realpath(path.resolve(entry, (back ?? '').trim(), '..')),
      realpath(path.resolve(entry, (shared ?? '').trim())),
    ]);
    return named === own && holder === common;
  } catch {
    return false;
  }
}

/** What `.git` of a folder names, where it is a file and no link. */
export async function linkedEntry(folder: string): Promise<string | undefined> {
  const target = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec((await linkText(folder)) ?? '')?.[1];
  return target === undefined ? undefined : realpath(path.resolve(folder, target));
}
