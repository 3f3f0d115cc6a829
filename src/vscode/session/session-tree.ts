// The worktree that a session of this window works in, by its log: what it sees of the workspace there.
import * as vscode from 'vscode';
import { DeftError } from '../../core/text/errors';
import { type Environment } from '../../core/text/environment-reminder';
import { type SessionRecord } from '../../core/ports/record';
import { viewWorktree, worktreeFolders, type WorktreeView } from '../../core/subagents/worktree-view';
import { environmentInTree, loggedWorktree } from '../../core/worktrees/session-worktree';
import { type SessionFactoryOptions } from './session-factory-options';

export interface SessionTree {
  view: WorktreeView;
  /** With its folders in place of those of the workspace. */
  environment: Environment;
  /** It was gone, and was checked out again. */
  restored: boolean;
}

export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** Undefined where it works in the workspace. Rejects where its worktree is gone: it never works in another place instead. */
export async function treeOfSession(
  records: readonly SessionRecord[],
  environment: Environment,
  { trees, ports, rules }: Pick<SessionFactoryOptions, 'trees' | 'ports' | 'rules'>,
): Promise<SessionTree | undefined> {
  const logged = loggedWorktree(records);
  if (logged === undefined) return undefined;
  const { files } = ports;
  // A checkout runs what the repository's settings name.
  const found = await trees.find(logged, environment.folders, vscode.workspace.isTrusted);
  if (typeof found === 'string') throw goneError(found);
  const current = rules.current();
  const view = await viewWorktree(
    found.worktree,
    [...environment.folders, ...current.folders, environment.cwd, ...current.rules.map(({ root }) => root)],
    { realPath: (one) => files.realPath(one), ignoreCase: ignoresCase },
  );
  if (worktreeFolders(environment.folders, view).length === 0)
    throw goneError(`No folder of the workspace is in ${found.worktree.checkout}, which its worktree was made from.`);
  const exists = async (path: string): Promise<boolean> => (await files.stat(path))?.type === 'directory';
  return { view, environment: await environmentInTree(environment, view, exists), restored: found.restored };
}

function goneError(why: string): DeftError {
  return new DeftError('worktree-gone', `The worktree of this session cannot be used. ${why}`, { audience: 'user' });
}
