// Compaction as a feature: by hand, near the limit, and where the API has refused the conversation as too long.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { compaction } from './compaction-key';
import { SessionCompaction } from './session-compaction';
import { TurnCompaction } from './turn-compaction';

export const compactionFeature: FeatureFactory = (access) => {
  const own = new SessionCompaction(access);
  return {
    ...provides(compaction, own),
    aroundRequests(steps, signal) {
      const turn = new TurnCompaction(access, own, steps, signal);
      // Other features spread the steps that they wrap, which would lose a class's methods.
      return {
        request: (raise) => turn.request(raise),
        makeRoom: (reply, request, stopped) => turn.makeRoom(reply, request, stopped),
      };
    },
    inAgents: () => compactionFeature,
  };
};
