// --worktree: the run works in a git worktree of its own, which goes at the end if nothing was changed in it.
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { changesText } from '../../core/features/subagents/subagent-worktree';
import { DeftError } from '../../core/text/errors';
import { shellArgument } from '../../core/text/shell-quoted';
import { homeFolder } from '../../node/home-folder';
import { openNamedWorktree } from '../../node/worktrees/named-worktree';
import { createRunGit } from '../../node/worktrees/run-git';
import { worktreesDirectory } from '../../node/worktrees/worktrees-directory';

export interface RunWorktree {
  /** Where the run works. */
  cwd: string;
  /** `session` is its ID, where it was opened; `busy`: a process that it started still runs. */
  end(session: string | undefined, busy: boolean): Promise<void>;
}

export interface RunWorktreeRequest {
  /** Undefined: Deft chooses one. */
  name: string | undefined;
  /** The folder in which the run would work without it, links resolved. */
  cwd: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  warn(sentence: string): void;
}

/** Throws a DeftError where there can be none. */
export async function openRunWorktree(request: RunWorktreeRequest): Promise<RunWorktree> {
  const { cwd, environment, signal, warn } = request;
  const name = request.name ?? `session-${randomUUID().slice(0, 8)}`;
  const git = { run: createRunGit(async () => environment), folder: worktreesDirectory(homeFolder()) };
  const opened = await openNamedWorktree(git, { cwd, name }, signal);
  if (typeof opened === 'string')
    throw new DeftError('worktree', `--worktree: ${opened.replace(/ Start the agent without `isolation`.*$/, '')}`, {
      audience: 'user',
    });
  const { worktree, reused, uncommitted } = opened;
  const { path: place, branch, checkout } = worktree;
  const shown = shellArgument(place);
  warn(`Working in the worktree ${place} on the branch ${branch}${reused ? ', as before' : ''}.`);
  if (uncommitted > 0)
    warn(`It starts from the last commit: ${uncommitted} changed file(s) of ${checkout} are not in it.`);
  const inside = path.join(place, path.relative(checkout, cwd));
  const isThere = await stat(inside).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return {
    cwd: isThere ? inside : place,
    async end(session, busy) {
      const left = await opened.end(busy);
      if (left === undefined) return warn('Nothing was changed in the worktree, and it was removed.');
      const goOn = session === undefined ? '' : ` Go on in it with --worktree ${name} --resume ${session}.`;
      const running = busy ? ' A process that the run started still runs.' : '';
      warn(
        `The worktree ${place} on the branch ${branch} stays: ${changesText(left.changes)}.${running}${left.why === undefined ? '' : ` ${left.why}`}${goOn} \`git -C ${shown} status\` shows the changes, \`git worktree remove ${shown}\` removes it.`,
      );
    },
  };
}
