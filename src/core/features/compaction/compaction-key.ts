// The key by which others find the compaction of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SessionCompaction } from './session-compaction';

export const compaction = featureKey<Pick<SessionCompaction, 'byHand' | 'undo' | 'edit'>>('compaction');
