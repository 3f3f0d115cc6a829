// Deft for editors that speak the Agent Client Protocol: one process, JSON-RPC over standard input and output, any number of sessions.
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { setMaxListeners } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { DeftError } from '../../core/text/errors';
import { parseCommandLine } from '../command-line/command-line';
import { helpText } from '../command-line/help-text';
import { type RunOptions } from '../command-line/run-options';
import { exitAfter, warner } from '../command-line/exit';
import { watchInterruption } from '../interruption';
import { readVersion } from '../version';
import { createAcpAgent } from './acp-agent';

// Ten calls at once all listen to the turn's signal: that is no leak to warn of.
setMaxListeners(0);
const warn = warner('deft-acp');

/** The options of a run without those that say how a program is spoken to: the protocol does. Undefined where only a text was asked for. */
function givenOptions(installation: string): RunOptions | undefined {
  const commandLine = parseCommandLine(process.argv.slice(2));
  if (commandLine.kind === 'refused') throw new DeftError('command-line', commandLine.message, { audience: 'user' });
  if (commandLine.kind !== 'run') {
    const usage =
      'deft-acp speaks the Agent Client Protocol with an editor that starts it. It takes these options:\n\n';
    process.stdout.write(commandLine.kind === 'help' ? usage + helpText : `${readVersion(installation)} (Deft)\n`);
    return undefined;
  }
  const { options } = commandLine;
  if (options.prompt !== undefined)
    throw new DeftError('command-line', 'deft-acp takes no prompt: editors send it.', { audience: 'user' });
  const formats = { ...options.formats, input: 'stream-json', output: 'stream-json' } as const;
  return { ...options, formats, permissions: { ...options.permissions, asks: undefined }, setup: undefined };
}

async function serve(installation: string): Promise<number> {
  const options = givenOptions(installation);
  if (options === undefined) return 0;
  const interruption = watchInterruption(() => warn('Interrupted: stopping.'));
  const agent = createAcpAgent(options, {
    input: { stdin: process.stdin, piped: true, warn },
    warn,
    environment: process.env,
    version: readVersion(installation),
    installation,
  });
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = agent.app.connect(ndJsonStream(output, input));
  interruption.signal.addEventListener('abort', () => connection.close(), { once: true });
  await connection.closed;
  await agent.close();
  return interruption.exitCode() ?? 0;
}

/** `installation` is the folder of the built runner. */
export function main(installation: string): void {
  exitAfter(serve(installation), warn);
}
