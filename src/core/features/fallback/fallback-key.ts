// The key by which others find the fallback of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SessionFallback } from './session-fallback';

export const fallback = featureKey<Pick<SessionFallback, 'accept'>>('fallback');
