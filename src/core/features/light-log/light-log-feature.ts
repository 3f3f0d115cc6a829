// Keeps a session that was compacted light: what its model is not sent any more stays in its file, and in memory no longer.
import { type FeatureFactory } from '../../feature/session-feature';
import { createLogLightener } from '../../sessions/lighten-log';

export const lightLogFeature: FeatureFactory = ({ settings: { records, log }, ports }) => {
  const lightener = createLogLightener(records, log);
  let running: Promise<void> | undefined;
  /** Beside the session's work. Whatever goes wrong, the contents stay where they are. */
  const run = (): void => {
    running ??= lightener
      .run()
      .catch((error: unknown) => ports.log.debug('What was compacted stays in memory.', error))
      .then(() => {
        running = undefined;
      });
  };
  return {
    name: 'light-log',
    afterTurn: run,
    // A turn may go on for hours after it was compacted.
    aroundRequests: (steps) => ({
      ...steps,
      request(raise, mayCompact) {
        run();
        return steps.request(raise, mayCompact);
      },
    }),
    inAgents: () => lightLogFeature,
    close: async () => running,
  };
};
