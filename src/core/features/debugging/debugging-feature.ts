// A program that Debug started ends with the turn, however that ends, unless it was to be kept; and always with the session.
import { type FeatureFactory } from '../../feature/session-feature';
import { type Debuggee } from '../../ports/debugger';
import { messageOf } from '../../text/errors';

export const debuggingFeature: FeatureFactory = ({ ports }) => {
  if (ports.debugger === undefined) return { name: 'debugging' };
  let held: Debuggee | undefined;
  let keeps = false;
  const shown = new Map<string, string>();
  const end = async (): Promise<void> => {
    const ending = held;
    held = undefined;
    await ending?.end();
  };
  const endUnlessKept = (): void => {
    shown.clear();
    if (keeps) return;
    end().catch((error: unknown) => ports.log.warn(`A debugged program did not end: ${messageOf(error)}`));
  };
  return {
    name: 'debugging',
    forTools: {
      debugging: {
        current: () => held,
        hold(debuggee, keep) {
          held = debuggee;
          keeps = keep;
        },
        end,
        shown,
      },
    },
    // A turn that broke off had no end.
    turnBegins: endUnlessKept,
    afterTurn: endUnlessKept,
    inAgents: () => debuggingFeature,
    close: end,
  };
};
