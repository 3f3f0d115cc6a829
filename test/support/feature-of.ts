// A feature of a session that a test counts on.
import { type AgentSession } from '../../src/core/feature/agent-session';
import { type FeatureKey } from '../../src/core/feature/feature-key';

export function featureOf<Api>(session: Pick<AgentSession, 'feature'>, key: FeatureKey<Api>): Api {
  const found = session.feature(key);
  if (found === undefined) throw new Error(`The session has no feature ${key.name}.`);
  return found;
}
