// Where what belongs to the workspace happens, such as hooks and worktrees: a command may have led the session into an added folder.
import { type PermissionContext } from '../permissions/rules/verdict';
import { isInsideAny } from '../permissions/rules/workspace-path';

/** The session's folder, as long as that is one of its own or in its worktree; else the first of its own. */
export function ownFolder(
  { cwd, folders }: { cwd: string; folders: readonly string[] },
  { ignoreCase, worktree }: Pick<PermissionContext, 'ignoreCase' | 'worktree'>,
): string {
  const own = worktree === undefined ? folders : [...folders, worktree];
  return isInsideAny(cwd, own, ignoreCase) ? cwd : (folders[0] ?? cwd);
}
