// Agents as a feature: tools start them, the user sees and stops them, and agents start further ones.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { type AgentHost } from './agent-host';
import { createRunningAgents, type RunningAgents } from './running-agents';
import { SubagentRuns } from './subagent-runs';
import { subagents } from './subagents-key';
import { answerWorktrees, worktreesCommand } from './worktrees-command';

export function subagentsFeature(host: AgentHost): FeatureFactory {
  return (access) => withAgents(createRunningAgents(host, access.registry))(access);
}

/** A conversation and its agents have one list of those that run. */
function withAgents(running: RunningAgents): FeatureFactory {
  return (access) => {
    const own = new SubagentRuns(access, running);
    return {
      ...provides(subagents, own),
      forTools: { subagents: own },
      agents: {
        offered: async () => ({ agents: await own.offered() }),
        decisions: () => running.running().flatMap(({ run }) => run?.decisions ?? []),
      },
      calls: { written: ({ id }) => own.resultWritten(id) },
      background: { catchUp: () => own.catchUp(), commandEnded: (command) => own.commandEnded(command) },
      controls: {
        end: (id) => own.stop(id, 'user'),
        commands: { [worktreesCommand.name]: (text) => answerWorktrees(own.worktrees, text) },
      },
      inAgents: () => withAgents(running),
      close: () => own.close(),
    };
  };
}
