// "/worktrees": what agents have left in the repository, to merge or to remove.
import { type CommandAnswer, type CommandFacts } from '../../feature/feature-command';
import { type AgentBranch } from '../../ports/worktrees';
import { type SessionAgents } from './subagent-runs';

export const worktreesCommand: CommandFacts = {
  name: 'worktrees',
  description: 'List what agents left in branches and worktrees of their own, merge or remove it',
  argumentHint: '[merge | remove <branch>]',
};

export async function answerWorktrees(worktrees: SessionAgents['worktrees'], text: string): Promise<CommandAnswer> {
  const says = (title: string, detail = ''): CommandAnswer => ({ notice: { level: 'info', title, detail } });
  const branches = await worktrees.list();
  if (branches.length === 0) return says('Agents have left no branches and no worktrees here.');
  const [action = '', written = ''] = text.trim().split(/\s+/);
  if (action === '') return says('Left by agents', [...branches.map(branchText), usage].join('\n'));
  const named = branches.filter(({ name }) => name === written || name.endsWith(`-${written}`));
  const [branch, ...others] = named;
  if (!['merge', 'remove'].includes(action) || branch === undefined || others.length > 0)
    return says('Nothing was changed.', [...branches.map(branchText), usage].join('\n'));
  if (action === 'merge')
    return {
      prompt: {
        text: `Merge the branch ${branch.name}, on which an agent worked: look at \`git diff HEAD...${branch.name}\`, then run \`git merge ${branch.name}\`.${branch.path === undefined ? '' : ` What is not committed in ${branch.path} is not part of it: tell me about it.`}`,
        shownAs: `/worktrees merge ${branch.name}`,
        mentionsIn: '',
      },
    };
  const stays = await worktrees.discard(branch.name);
  return stays === undefined ? says(`Removed ${branch.name}.`) : says(`${branch.name} was not removed.`, stays);
}

const usage = '/worktrees merge <branch> has it merged; /worktrees remove <branch> removes it with everything in it.';

export function branchText({ name, commits, path }: AgentBranch): string {
  const count = `${commits} ${commits === 1 ? 'commit' : 'commits'} that ${commits === 1 ? 'is' : 'are'} not merged`;
  return `${name}: ${count}${path === undefined ? '' : `, and a worktree in ${path}`}`;
}
