// The key by which others find the budget of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SessionBudget } from './session-budget';

export const budget = featureKey<SessionBudget>('budget');
