// Commands in the background as a feature: the model and the chat are notified when they end.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { redactPart, type Secrets } from '../../text/redact';
import { createBackgroundEnds } from './background-ends';
import { background } from './background-key';

export const backgroundFeature: FeatureFactory = ({ settings, ports, session, writer, messages }) => {
  const { records, agent } = settings;
  const secrets = (): Secrets => settings.secrets?.() ?? [];
  const ends = createBackgroundEnds({
    terminal: ports.terminal,
    log: ports.log,
    records,
    secrets,
    // A teammate rests after its turn: without a turn for it nobody would read of the end.
    remind: (text) =>
      agent !== undefined && session.team !== undefined ? messages.report(text) : messages.remind(text),
    write: (facts) => writer.write(facts),
  });
  return {
    ...provides(background, {
      async tail(id, maxBytes) {
        const output = await ports.terminal.output(id, maxBytes);
        return redactPart(output?.tail ?? '', secrets());
      },
    }),
    calls: { written: ({ id }) => ends.resultWritten(id) },
    background: { catchUp: ends.catchUp, commandEnded: ends.ended },
    controls: { end: (id) => ports.terminal.stop(id, 'user') },
    inAgents: () => backgroundFeature,
  };
};
