// The command line as data: every option checked, and one clear sentence for what does not fit.
import { readArguments } from './given-arguments';
import { firstObjection } from './objections';
import { runOptions, type RunOptions } from './run-options';

export type CommandLine =
  { kind: 'run'; options: RunOptions } | { kind: 'help' } | { kind: 'version' } | { kind: 'refused'; message: string };

/** `argv` without the program and the script. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const given = readArguments(argv);
  if (typeof given === 'string') return { kind: 'refused', message: given };
  if (given.has('help')) return { kind: 'help' };
  if (given.has('version')) return { kind: 'version' };
  const message = firstObjection(given);
  return message === undefined ? { kind: 'run', options: runOptions(given) } : { kind: 'refused', message };
}
