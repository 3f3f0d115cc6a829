// The key by which others find the agents of a session. It imports types alone, so that naming it loads nothing.
import { type AgentSession } from '../../feature/agent-session';
import { featureKey } from '../../feature/feature-key';
import { type SessionAgents } from './subagent-runs';

export const subagents = featureKey<SessionAgents>('subagents');

/** The user ends an agent or a command in the background. */
export async function stopTask(session: Pick<AgentSession, 'feature' | 'ports'>, id: string): Promise<boolean> {
  return (await session.feature(subagents)?.stop(id, 'user')) === true || session.ports.terminal.stop(id, 'user');
}
