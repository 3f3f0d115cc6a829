// Where Deft keeps the worktrees of agents: outside every workspace, so that no linter, test runner or search of a project meets them.
import { createHash } from 'node:crypto';
import path from 'node:path';

/** A folder for each repository is in it. */
export function worktreesDirectory(home: string): string {
  return path.join(home, '.deft', 'worktrees');
}

/** The name of the folder for the repository with this common folder, links resolved. It says which repository a worktree in it belongs to. */
export function repositoryFolder(common: string): string {
  const name = path.basename(path.basename(common) === '.git' ? path.dirname(common) : common);
  const hash = createHash('sha256').update(common).digest('hex').slice(0, 16);
  return `${name.replace(/[^\w.-]/g, '-').slice(0, 40)}-${hash}`;
}
