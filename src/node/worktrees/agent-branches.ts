// The branches that agents have left in a repository: which there are, which are merged, and how they go.
import { type AgentBranch } from '../../core/ports/worktrees';
import { portPath } from '../files/port-path';

/** Output of git in a folder; undefined where it failed. */
export type AskGit = (folder: string, ...args: string[]) => Promise<string | undefined>;

export interface ListedWorktree {
  path: string;
  branch: string | undefined;
  /** The commit that is checked out there. */
  head: string | undefined;
  /** Of its lock: empty where nobody gave one, undefined where it is not locked. */
  reason: string | undefined;
}

/** As Deft names them: no branch of the user's is taken for one. */
const named = /^worktree-agent-a[0-9a-f]{6,12}(?:-[0-9a-f]{4})?$/;

/** What `git worktree list --porcelain` says. */
export async function listedWorktrees(ask: AskGit, top: string): Promise<ListedWorktree[]> {
  const text = (await ask(top, 'worktree', 'list', '--porcelain')) ?? '';
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const field = (name: string): string | undefined => {
      const match = new RegExp(`^${name}(?: (.*))?$`, 'm').exec(block);
      return match === null ? undefined : (match[1] ?? '');
    };
    const place = field('worktree');
    return place === undefined
      ? []
      : [
          {
            path: place,
            branch: field('branch')?.replace(/^refs\/heads\//, ''),
            head: field('HEAD'),
            reason: field('locked'),
          },
        ];
  });
}

export async function agentBranches(ask: AskGit, top: string): Promise<AgentBranch[]> {
  const names = await branchNames(ask, top);
  if (names.length === 0) return [];
  const places = new Map((await listedWorktrees(ask, top)).map(({ path, branch }) => [branch, path]));
  return Promise.all(
    names.map(async (name) => {
      const place = places.get(name);
      const commits = Number((await ask(top, 'rev-list', '--count', `HEAD..refs/heads/${name}`)) ?? 0);
      return { name, commits, ...(place === undefined ? {} : { path: portPath(place) }) };
    }),
  );
}

/** Removes those that hold nothing that is not in what is checked out, unless somebody works in one. */
export async function removeMerged(ask: AskGit, top: string): Promise<void> {
  for (const { name, commits, path } of await agentBranches(ask, top)) {
    if (commits > 0 || path !== undefined) continue;
    const at = await ask(top, 'rev-parse', '--verify', '--quiet', `refs/heads/${name}`);
    const merged = at !== undefined && (await ask(top, 'merge-base', '--is-ancestor', at, 'HEAD')) !== undefined;
    // Only where it still is what it was.
    if (merged) await ask(top, 'update-ref', '-d', `refs/heads/${name}`, at);
  }
}

async function branchNames(ask: AskGit, top: string): Promise<string[]> {
  const text = (await ask(top, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/worktree-agent-*')) ?? '';
  return text.split(/\r?\n/).filter((name) => named.test(name));
}
