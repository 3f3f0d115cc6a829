// The ports of a session: its models stay as they were learned, its long calls are commands of its terminal, and what it writes and runs is known as its own.
import { defaultBackgroundMs, SessionCalls } from '../calls/background-calls';
import { type SessionSettings } from '../feature/session-settings';
import { historyEpoch, withPinnedCapabilities } from '../loop/pinned-capabilities';
import { withFastMode } from '../model/fast-mode';
import { type FileSystem } from '../ports/files';
import { type Notebooks } from '../ports/notebooks';
import { type Ports } from '../ports/ports';
import { sessionVariables } from '../ports/session-variables';
import { type Terminal } from '../ports/terminal';
import { type FeatureList } from './feature-list';

/** Undefined in agents, which wait for every call, and where no server is called. */
export function callsOf(ports: Ports, settings: SessionSettings, features: FeatureList): SessionCalls | undefined {
  if (settings.agent !== undefined || ports.mcp === undefined) return undefined;
  return new SessionCalls({
    terminal: ports.terminal,
    clock: ports.clock,
    uuid: ports.uuid,
    files: ports.files,
    log: ports.log,
    directory: settings.place.resultsDirectory,
    afterMs: settings.tools?.withoutBackground === true ? 0 : (settings.tools?.mcpBackgroundMs ?? defaultBackgroundMs),
    ended: (command) => features.commandEnded(command),
  });
}

export function sessionPorts(
  ports: Ports,
  { records, emit, agent, log }: SessionSettings,
  calls: SessionCalls | undefined,
  onFastRefused: () => void,
): Ports {
  const session = agent?.sessionId ?? log.id;
  return {
    ...ports,
    files: writtenIn(session, ports.files),
    ...(ports.notebooks && { notebooks: writtenBy(session, ports.notebooks) }),
    model: withFastMode(
      withPinnedCapabilities(ports.model, () => historyEpoch(records)),
      (message) => {
        onFastRefused();
        emit({ type: 'fast_refused', message });
      },
    ),
    terminal: runBy(session, calls?.terminal ?? ports.terminal),
  };
}

function writtenIn(session: string, files: FileSystem): FileSystem {
  const { move } = files;
  return {
    ...files,
    writeText: (change) => files.writeText({ ...change, session }),
    ...(move && { move: (change) => move({ ...change, session }) }),
  };
}

function writtenBy(session: string, notebooks: Notebooks): Notebooks {
  return { ...notebooks, write: (change) => notebooks.write({ ...change, session }) };
}

function runBy(session: string, terminal: Terminal): Terminal {
  const variables = sessionVariables(session);
  return {
    ...terminal,
    run: (request, onProgress, signal) => terminal.run({ ...request, variables, session }, onProgress, signal),
  };
}
