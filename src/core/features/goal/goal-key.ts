// The key by which others find the goal of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SessionGoal } from './session-goal';

export const goal = featureKey<SessionGoal>('goal');
