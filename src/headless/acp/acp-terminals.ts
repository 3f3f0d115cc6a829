// Commands in the terminals of an editor: it starts the wrapper and shows the output, the wrapper's files say how the command ended.
import { type AgentContext, type TerminalHandle } from '@agentclientprotocol/sdk';
import { messageOf } from '../../core/text/errors';
import { type Launch, type Launcher } from '../../node/terminal/launcher';
import { launchPlainProcess } from '../../node/terminal/process-launcher';

export interface AcpTerminalOptions {
  client: AgentContext;
  sessionId: string;
  cwd: string;
  /** The terminal shows this call from now on. */
  onOpened(toolUseId: string, terminalId: string): void;
  warn(message: string): void;
}

/** The last part of the output that the editor keeps; the agent reads the file that the wrapper writes. */
const shownBytes = 1_000_000;

export function createAcpLauncher({ client, sessionId, cwd, onOpened, warn }: AcpTerminalOptions): Launcher {
  return async (request) => {
    if (request.shell !== 'bash') return launchPlainProcess(request);
    await request.prepare({ input: 'nothing', display: 'all' });
    const env = Object.entries(request.environment).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    );
    let terminal: TerminalHandle;
    try {
      terminal = await client.createTerminal({
        ...{ sessionId, cwd, env, outputByteLimit: shownBytes },
        command: request.bash,
        args: [request.files.wrapper],
      });
    } catch (error) {
      warn(`The editor opened no terminal, so the command runs without one. ${messageOf(error)}`);
      return launchPlainProcess(request);
    }
    if (request.id !== undefined) onOpened(request.id, terminal.id);
    return launchOf(terminal);
  };
}

function launchOf(terminal: TerminalHandle): Launch {
  const quietly = (done: Promise<unknown>): void => void done.catch(() => undefined);
  return {
    over: terminal.waitForExit().then(
      () => ({ kind: 'ended' }),
      () => ({ kind: 'closed' }),
    ),
    abandon: () => quietly(terminal.kill()),
    // Calls that show it keep its output.
    finished: () => quietly(terminal.release()),
  };
}
