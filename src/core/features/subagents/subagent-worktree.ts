// The worktree of an isolated agent: created before it starts and removed at its end; what it changed stays in its branch.
import { type PermissionContext } from '../../permissions/rules/verdict';
import { type Ports } from '../../ports/ports';
import { type Path } from '../../ports/path';
import {
  type AgentBranch,
  isUnchanged,
  type LeftWorktree,
  type Worktree,
  type WorktreeChanges,
} from '../../ports/worktrees';
import { type SessionRecord } from '../../ports/record';
import { shellArgument } from '../../text/shell-quoted';
import { inWorktree, viewWorktree, worktreeFolders, type WorktreeView } from '../../subagents/worktree-view';
import { noOutcome } from '../../hooks/hook-outcome';
import { type RecordWriter } from '../../events/record-writer';
import { type AnnounceEvent } from '../../feature/session-parts';
import { failed, type Failure } from './subagent-texts';

export interface AgentWorktree {
  worktree: WorktreeView;
  /** Where it begins, inside. */
  cwd: string;
  /** For its system prompt. */
  note: string;
  /** Once nothing of the agent runs any more except what `busy` reports; the sentences belong to its report. */
  end(busy: boolean): Promise<string>;
}

export interface WorktreeServices {
  ports: Pick<Ports, 'worktrees' | 'files' | 'uuid'>;
  records: readonly SessionRecord[];
  permission: () => Pick<PermissionContext, 'trusted' | 'rules' | 'folders' | 'home' | 'ignoreCase'>;
  /** The workspace folders. */
  folders: () => readonly Path[];
  cwd: () => string;
  event: AnnounceEvent;
  writer: RecordWriter;
}

const never = new AbortController().signal;

export class AgentWorktrees {
  readonly #services: WorktreeServices;

  constructor(services: WorktreeServices) {
    this.#services = services;
  }

  /** `again`: the agent has worked before; it gets the worktree that it had, or where that is gone a new one. */
  async open(
    agentId: string,
    { again, earlier }: { again: boolean; earlier: Worktree | undefined },
    signal: AbortSignal,
  ): Promise<AgentWorktree | Failure> {
    const { ports, permission, folders, cwd, writer } = this.#services;
    const { worktrees } = ports;
    const reused =
      earlier !== undefined && worktrees !== undefined && (await worktrees.reopen(earlier))
        ? { worktree: earlier, uncommitted: 0 }
        : undefined;
    const made = reused ?? (await this.#make(agentId, again, signal));
    if ('kind' in made) return made;
    const { uncommitted } = made;
    const { rules, folders: added, ignoreCase } = permission();
    const worktree = await viewWorktree(
      made.worktree,
      [...folders(), ...added, cwd(), ...rules.map(({ root }) => root)],
      { realPath: (one) => ports.files.realPath(one), ignoreCase },
    );
    // Without one of them it could do more than its session: everything in the repository, or what no rule about the workspace speaks of.
    if (worktreeFolders(folders(), worktree).length === 0) {
      await worktrees?.release(made.worktree);
      return failed(
        'no-worktree',
        `No workspace folder is inside the checkout ${worktree.checkout} of this worktree. Start the agent without \`isolation\`.`,
      );
    }
    if (reused === undefined) writer.write({ type: 'system', subtype: 'worktree', agentId, worktree: made.worktree });
    const wanted = inWorktree(cwd(), worktree);
    const inside =
      wanted !== undefined && (await ports.files.stat(wanted))?.type === 'directory' ? wanted : worktree.path;
    return {
      worktree,
      cwd: inside,
      note: noteText(worktree, uncommitted, earlier !== undefined && reused === undefined),
      end: (busy) => this.#end(worktree, busy),
    };
  }

  /** That the agent worked in, by this session's log. */
  last(agentId: string): Worktree | undefined {
    const record = this.#services.records.findLast(
      (one) => one.type === 'system' && one.subtype === 'worktree' && one.agentId === agentId,
    );
    return record?.type === 'system' && record.subtype === 'worktree' && typeof record.worktree.path === 'string'
      ? record.worktree
      : undefined;
  }

  /** What ended processes have left behind, in a sentence. */
  async leftBehind(): Promise<string | undefined> {
    const { ports, permission, cwd } = this.#services;
    const { worktrees } = ports;
    if (worktrees === undefined || !permission().trusted) return undefined;
    const { left } = await worktrees.sweep(cwd());
    return left.length === 0
      ? undefined
      : `Agents of a closed window or process left changes. ${left.map(keptText).join(' ')}`;
  }

  /** What all agents have left in the repository. */
  async list(): Promise<AgentBranch[]> {
    const { ports, permission, cwd } = this.#services;
    return permission().trusted ? ((await ports.worktrees?.list(cwd())) ?? []) : [];
  }

  /** What agents of this session have left. */
  async left(): Promise<AgentBranch[]> {
    const own = new Set(
      this.#services.records.flatMap((record) =>
        record.type === 'system' && record.subtype === 'worktree' ? [record.worktree.branch] : [],
      ),
    );
    return own.size === 0 ? [] : (await this.list()).filter(({ name }) => own.has(name));
  }

  async discard(name: string): Promise<string | undefined> {
    const { ports, cwd, event } = this.#services;
    const found = (await this.list()).find((one) => one.name === name);
    if (ports.worktrees === undefined || found === undefined) return `There is no branch ${name} of an agent.`;
    const { path } = found;
    if (path !== undefined) await event('WorktreeRemove', () => ({ worktree_path: path }), never);
    return ports.worktrees.discard(cwd(), name);
  }

  async #make(
    agentId: string,
    again: boolean,
    signal: AbortSignal,
  ): Promise<{ worktree: Worktree; uncommitted: number } | Failure> {
    const { ports, permission, folders, cwd, event } = this.#services;
    const { worktrees } = ports;
    if (worktrees === undefined)
      return failed(
        'no-worktrees',
        'Worktrees cannot be created here: the workspace is not on disk. Start the agent without `isolation`.',
      );
    if (!permission().trusted)
      return failed(
        'untrusted',
        'The workspace is not trusted, so no worktree is created in it. Start the agent without `isolation`.',
      );
    // An earlier branch of that name may be the user's by now.
    const name = again ? `agent-${agentId}-${ports.uuid().slice(-4)}` : `agent-${agentId}`;
    const outcome = await event('WorktreeCreate', () => ({ name }), signal);
    if (outcome === noOutcome) {
      const made = await worktrees.create(cwd(), name, signal, folders());
      return made.outcome === 'created' ? made : failed('no-worktree', made.message);
    }
    if (outcome.worktreePath === undefined)
      return failed(
        'no-worktree',
        `The WorktreeCreate hook created no worktree: ${[...outcome.problems, outcome.block ?? ''].join(' ').trim() || 'it returned no path.'} Start the agent without \`isolation\`, or tell the user.`,
      );
    const adopted = await worktrees.adopt(outcome.worktreePath, cwd(), [
      ...folders(),
      ...permission().folders,
      permission().home,
    ]);
    return typeof adopted === 'string'
      ? failed('no-worktree', `The path from the WorktreeCreate hook is not a worktree: ${adopted} Tell the user.`)
      : { worktree: adopted, uncommitted: 0 };
  }

  async #end(worktree: Worktree, busy: boolean): Promise<string> {
    const { ports, event } = this.#services;
    const { worktrees } = ports;
    if (worktrees === undefined) return '';
    if (busy)
      return `A process that the agent started is still running in its worktree ${worktree.path}, so the worktree is kept for now.`;
    const changes = await worktrees.changes(worktree);
    let why = '';
    if (changes !== undefined && isUnchanged(changes)) {
      await event('WorktreeRemove', () => ({ worktree_path: worktree.path }), never);
      const stays = await worktrees.remove(worktree);
      if (stays === undefined) return 'Its worktree had no changes and was removed.';
      why = ` ${stays}`;
    } else if (changes !== undefined && worktree.branch !== undefined) {
      await event('WorktreeRemove', () => ({ worktree_path: worktree.path }), never);
      const stays = await worktrees.keep(worktree);
      if (stays === undefined) return keptText({ ...worktree, changes, kept: true });
      why = ` ${stays}`;
    }
    await worktrees.release(worktree);
    return `${keptText({ ...worktree, changes })}${why}`;
  }
}

function noteText({ path, checkout, branch }: Worktree, uncommitted: number, anew: boolean): string {
  return [
    '# Worktree',
    `You work in your own git worktree, ${path}${branch === undefined ? '' : ` (branch ${branch})`}, separate from the checkout ${checkout}. Use the files in the worktree only: where the task gives a path in ${checkout}, use the same path under ${path}.`,
    ...(anew ? ['Your earlier worktree is gone and this one is new: your earlier changes are not here.'] : []),
    ...(uncommitted === 0
      ? []
      : [
          `It starts from the last commit: ${uncommitted} changed ${uncommitted === 1 ? 'file' : 'files'} of the checkout ${uncommitted === 1 ? 'is' : 'are'} not included.`,
        ]),
    'Files that git ignores, such as installed packages, are not there either. Your changes stay for the agent that started you, committed or not.',
  ].join('\n');
}

function keptText({ path, checkout, branch, base, changes, kept }: LeftWorktree): string {
  const first = base?.slice(0, 12);
  const shown = shellArgument(path);
  const merge =
    branch === undefined
      ? ''
      : ` \`git merge ${branch}\` in ${checkout} brings ${kept === true ? 'them in' : 'its commits in'}; Deft removes the branch once it is merged.`;
  if (kept === true)
    return `Its changes are the branch ${branch}, not in ${checkout}; its worktree was removed. \`git diff ${first}...${branch}\` shows them, new files too.${merge}`;
  const where = `${path}${branch === undefined ? '' : ` on the branch ${branch}`}`;
  const since =
    base === undefined
      ? ''
      : ` \`git -C ${shown} status --short\` lists them, new files too, and \`git -C ${shown} diff ${first}\` shows those of files that git knows.`;
  return `Worktree ${where}: ${changesText(changes)}, not in ${checkout}.${since}${merge}`;
}

export function changesText(changes: WorktreeChanges | undefined): string {
  if (changes === undefined) return 'changes unknown';
  const count = (number: number, one: string): string[] =>
    number === 0 ? [] : [`${number} ${one}${number === 1 ? '' : 's'}`];
  return (
    [
      ...count(changes.commits, 'commit'),
      ...count(changes.files, 'uncommitted file'),
      ...count(changes.ignored ?? 0, 'ignored path'),
    ].join(' and ') || 'no changes'
  );
}
