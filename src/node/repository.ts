// Tells whether a folder lies in a git repository.
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Looks for `.git`, which is a folder, or a file in worktrees and submodules, in the folder and its parents. */
export async function isInRepository(folder: string): Promise<boolean> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const found = await access(path.join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (found) return true;
    if (at === path.dirname(at)) return false;
  }
}
