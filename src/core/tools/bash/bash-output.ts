// What a Bash call returns as data, and how a terminal's result becomes it.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { type CommandEnd } from '../../ports/command-end';
import { type CommandResult } from '../../ports/terminal';
import { printedImage } from './bash-image';
import { formatSize } from '../../text/size-text';

export const bashOutputSchema = z.object({
  /** Both streams as one, as a terminal shows them. */
  stdout: z.string(),
  /** Deft's own notes, one a line. */
  stderr: z.string(),
  /** Ended by an abort or by the user's Ctrl+C. */
  interrupted: z.boolean(),
  /** `stdout` is one whole image as a data URL, and the command did not fail. */
  isImage: z.boolean().optional(),
  backgroundTaskId: z.string().optional(),
  backgroundedByUser: z.boolean().optional(),
  /** What a non-zero exit code means where it is not a failure. */
  returnCodeInterpretation: z.string().optional(),
  exitCode: z.number().optional(),
  state: z.enum([
    'exited',
    'signalled',
    'background',
    'killed',
    'interrupted',
    'suspended',
    'closed',
    'not-started',
    'lost',
  ]),
  /** Bytes that were missing when the result was made. */
  incomplete: z.boolean(),
  /** The file that holds the whole output; empty where nothing ran. */
  outputPath: z.string(),
  /** It ran in the sandbox. */
  sandboxed: z.boolean().optional(),
  totalBytes: z.number(),
  /** Bytes that `stdout` leaves out of the middle; left out where it has all. */
  omittedBytes: z.number().optional(),
  /** The file does not hold them either: it would have filled the disk. */
  notKept: z.boolean().optional(),
  durationMs: z.number(),
});
export type BashOutput = z.infer<typeof bashOutputSchema>;

/** `notes` come first in what the model is sent in addition to the output; `meaningOf` a code is undefined where it is a failure. */
export function bashOutput(
  timeoutMs: number,
  result: CommandResult,
  notes: readonly string[],
  meaningOf: (code: number) => string | undefined,
): BashOutput {
  const { end } = result;
  const meaning = end.state === 'exited' && end.code !== 0 ? meaningOf(end.code) : undefined;
  const sentences = [
    ...notes,
    ...endNotes(end, timeoutMs, meaning),
    ...(result.omittedBytes > 0
      ? [
          `This result has only the beginning and the end of ${formatSize(result.totalBytes)} of output; ${result.cut === true ? 'the rest was not kept, since it would have filled the disk' : `all of it is in ${result.outputPath}`}.`,
        ]
      : []),
    ...(result.incomplete ? ['The output may be incomplete: its end was not captured.'] : []),
    ...(result.survivors.length > 0
      ? [
          `Still running in the background: ${result.survivors.map(({ pid, command: line }) => `${pid} (${line})`).join(', ')}.`,
        ]
      : []),
    ...result.notes,
  ];
  return {
    stdout: result.output,
    stderr: sentences.join('\n'),
    interrupted: end.state === 'interrupted' || (end.state === 'killed' && end.by === 'abort'),
    ...(end.state === 'exited' && end.code === 0 && printedImage(result.output) !== undefined ? { isImage: true } : {}),
    ...(end.state === 'background' ? { backgroundTaskId: end.taskId, backgroundedByUser: end.reason === 'user' } : {}),
    ...defined({ returnCodeInterpretation: meaning }),
    ...('code' in end && end.code !== undefined ? { exitCode: end.code } : {}),
    state: end.state,
    incomplete: result.incomplete,
    outputPath: result.outputPath,
    totalBytes: result.totalBytes,
    ...(result.omittedBytes > 0 ? { omittedBytes: result.omittedBytes } : {}),
    ...(result.cut === true ? { notKept: true } : {}),
    durationMs: result.durationMs,
  };
}

function endNotes(end: CommandEnd, timeoutMs: number, meaning: string | undefined): string[] {
  switch (end.state) {
    case 'exited':
      return meaning === undefined ? [] : [`Exit code ${end.code}: ${meaning}.`];
    case 'signalled':
      return [`The command was killed by ${end.signal}.`];
    case 'background':
      return end.reason === 'timeout'
        ? [`The command did not finish within ${seconds(timeoutMs)} and continues in the background.`]
        : [];
    case 'killed':
      return killNotes(end.by, timeoutMs);
    case 'interrupted':
      return ['The user interrupted the command with Ctrl+C.'];
    case 'suspended':
      return ['The command was suspended before it finished.'];
    case 'closed':
      return ['The user closed the terminal before the command finished.'];
    case 'not-started':
      return [`The command was not started: ${end.message}`];
    case 'lost':
      return [end.message];
  }
}

function killNotes(by: Extract<CommandEnd, { state: 'killed' }>['by'], timeoutMs: number): string[] {
  switch (by) {
    case 'timeout':
      return [
        `The command did not finish within ${seconds(timeoutMs)} and was killed. Give a longer timeout, or run it in the background.`,
      ];
    case 'limit':
      return ['The command was killed because it printed too much. Write long output to a file, or filter it.'];
    case 'user':
      return ['The user stopped the command.'];
    case 'agent':
      return ['You stopped the command.'];
    case 'abort':
      return [];
  }
}

/** Whoever gives so little may have thought of seconds. */
const seconds = (ms: number) =>
  ms < 1_000 ? `${ms} ms (timeout counts milliseconds)` : `${Math.round(ms / 100) / 10} s`;
