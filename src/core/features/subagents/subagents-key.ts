// The key by which others find the agents of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SessionAgents } from './subagent-runs';

export const subagents = featureKey<SessionAgents>('subagents');
