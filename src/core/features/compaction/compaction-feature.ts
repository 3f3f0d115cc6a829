// Compaction as a feature: by hand, near the limit, and where the API has refused the conversation as too long.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { compaction } from './compaction-key';
import { createSessionCompaction } from './session-compaction';

export const compactionFeature: FeatureFactory = (access) => {
  const own = createSessionCompaction(access);
  return { ...provides(compaction, own), aroundRequests: own.aroundRequests, inAgents: () => compactionFeature };
};
