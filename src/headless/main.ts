// The command line: wires this process's arguments, streams and signals to a run, and ends with its exit code.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { DeftError, messageOf } from '../core/text/errors';
import { parseCommandLine } from './command-line/command-line';
import { helpText } from './command-line/help-text';
import { exitAfter, warner } from './command-line/exit';
import { standardInput } from './input';
import { watchInterruption } from './interruption';
import { createOutput } from './output';
import { run } from './run';
import { readVersion } from './version';

// Ten calls at once, each with its hooks and processes, all listen to the turn's signal: that is no leak to warn of.
setMaxListeners(0);
const warn = warner('deft');

async function runCommandLine(installation: string): Promise<number> {
  const commandLine = parseCommandLine(process.argv.slice(2));
  if (commandLine.kind === 'refused') throw new DeftError('command-line', commandLine.message, { audience: 'user' });
  if (commandLine.kind !== 'run') {
    process.stdout.write(commandLine.kind === 'help' ? helpText : `${readVersion(installation)} (Deft)\n`);
    return 0;
  }
  const interruption = watchInterruption(() => warn('Interrupted: stopping. Press Ctrl+C again to quit at once.'));
  // Whoever read our output has gone: there is nobody left to work for.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && interruption.exitCode() === undefined)
      warn(`Cannot write to standard output: ${messageOf(error)}. The model's reply is saved in the session.`);
    interruption.stop(1);
  });
  const write = (text: string): void => void process.stdout.write(text);
  const output = createOutput(commandLine.options.formats.output, write);
  try {
    const code = await run(commandLine.options, {
      input: standardInput(warn),
      write,
      output,
      warn,
      interruption,
      environment: process.env,
      version: readVersion(installation),
      installation,
    });
    const interrupted = interruption.exitCode();
    if (interrupted !== undefined) output.failed(randomUUID(), 'The run was interrupted.');
    return interrupted ?? code;
  } catch (error) {
    const interrupted = interruption.exitCode();
    output.failed(randomUUID(), interrupted === undefined ? messageOf(error) : 'The run was interrupted.');
    if (interrupted === undefined) throw error;
    return interrupted;
  }
}

/** `installation` is the folder of the built runner. */
export function main(installation: string): void {
  exitAfter(runCommandLine(installation), warn);
}
