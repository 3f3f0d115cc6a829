// The worktree that a session works in: which one its log names, and what its folders, rules and surroundings are there.
import { type ContextSource, versionKey } from '../context/context-source';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type Path } from '../ports/path';
import { type SessionRecord } from '../ports/record';
import { type Worktree } from '../ports/worktrees';
import { systemRecords } from '../sessions/log-index';
import { inWorktree, movedRules, worktreeFolders, type WorktreeView } from '../subagents/worktree-view';
import { type Environment } from '../text/environment-reminder';

/** As the log has it; whether it is one, nobody has looked. */
export function loggedWorktree(records: readonly SessionRecord[]): Worktree | undefined {
  const worktree = systemRecords(records, 'session_worktree').at(-1)?.worktree;
  const { path, checkout, branch, base } = worktree ?? {};
  return [path, checkout, branch, base].every((one) => typeof one === 'string') ? worktree : undefined;
}

/** Behind the records of a session whose worktree is gone: it works in this folder from then on. */
export function leftWorktree(records: readonly SessionRecord[], cwd: Path, uuid: () => string): SessionRecord[] {
  const last = systemRecords(records, 'session_worktree').at(-1);
  if (last === undefined) return [];
  const { worktree: _gone, gitBranch: _other, ...envelope } = last;
  const at = { ...envelope, cwd, parentUuid: null };
  return [
    { ...at, uuid: uuid() },
    { ...at, uuid: uuid(), subtype: 'setting', name: 'cwd', value: cwd },
  ];
}

/** Of a session that worked in a worktree before; undefined for all others. */
export function createLeftWorktreeSource(records: readonly SessionRecord[], cwd: Path): ContextSource | undefined {
  const [last, before] = systemRecords(records, 'session_worktree').slice(-2).reverse();
  if (last === undefined || last.worktree !== undefined || before?.worktree === undefined) return undefined;
  const { path, branch } = before.worktree;
  const text = `The worktree ${path} (branch ${branch}), in which this conversation worked before, is gone. You work in ${cwd} now: what was changed in the worktree is not here unless it was merged, so read files again.`;
  return { present: async () => [{ key: versionKey('worktree', `left ${path}`), text }] };
}

/** What the session may do is judged by the tree: the checkout is outside of its workspace. `folders`: those that the session begins with. */
export function permissionInTree<Context extends Pick<PermissionContext, 'rules' | 'folders' | 'home'>>(
  context: Context,
  view: WorktreeView,
  folders: readonly Path[],
): Context & Pick<PermissionContext, 'worktree'> {
  return {
    ...context,
    worktree: view.path,
    folders: [...new Set([...folders, ...worktreeFolders(context.folders, view)])],
    rules: movedRules(context.rules, view, context.home),
  };
}

/** `exists`: whether a folder is in the tree: the commit that it began at may not have it. */
export async function environmentInTree(
  environment: Environment,
  view: WorktreeView,
  exists: (path: Path) => Promise<boolean>,
): Promise<Environment> {
  const folders: Path[] = [];
  for (const folder of worktreeFolders(environment.folders, view)) if (await exists(folder)) folders.push(folder);
  const wanted = inWorktree(environment.cwd, view);
  const cwd = wanted !== undefined && (await exists(wanted)) ? wanted : (folders[0] ?? view.path);
  const { gitBranch: _checkedOut, ...shared } = environment;
  return {
    ...shared,
    cwd,
    folders: folders.length === 0 ? [view.path] : folders,
    ...(view.branch === undefined ? {} : { gitBranch: view.branch }),
  };
}

/** `restored`: the folder was gone, and its branch was checked out again. */
export function createWorktreeSource(view: WorktreeView, restored: boolean): ContextSource {
  const text = noteText(view, restored);
  return {
    present: async () => [{ key: versionKey('worktree', `${view.path}${restored ? ' again' : ''}`), text }],
  };
}

function noteText({ path, checkout, branch }: Worktree, restored: boolean): string {
  return [
    `This conversation works in its own git worktree, ${path} (branch ${branch}), separate from the user's checkout ${checkout}. Use the files in the worktree: where a path in ${checkout} is meant, use the same path under ${path}. The user brings changes into the checkout themselves; leave it alone.`,
    'Uncommitted changes of the checkout, and most files that git ignores, are not here. Stashes, git settings and other branches are shared with the checkout: do not change them.',
    ...(restored
      ? ['The folder was gone and was checked out again from the branch: what was not committed is lost.']
      : []),
  ].join('\n');
}
