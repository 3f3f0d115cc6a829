// Tells whether a folder lies in a git repository.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Looks for `.git`, which is a folder, or a file in worktrees and submodules, in the folder and its parents. */
export function isInRepository(folder: string): boolean {
  // Not by promises: each of them waits for a thread, which takes longer than all of these looks together.
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}
