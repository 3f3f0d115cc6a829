// How the model reads a Bash call: output, notes, exit code, background line, in a fixed order.
import { cutMiddle } from '../../../shared/cut-text';
import { terminalText } from '../../../shared/terminal-text';
import { type ToolResultBlock, type ToolResultContent } from '../../wire/wire';
import { printedImage } from './bash-image';
import { type BashOutput } from './bash-output';

/** A failure's text keeps this much of its beginning and end. */
export const FAILURE_TEXT_LIMIT = 10_000;

/** An empty result reads as if something were missing. */
const SILENT = '(no output)';

/** Structured content, else an image with the notes after it, else text. */
export function bashResultBlock(
  output: BashOutput,
  toolUseId: string,
  failureLimit = FAILURE_TEXT_LIMIT,
): ToolResultBlock {
  const is_error = isBashError(output);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: structured(output) ?? image(output) ?? text(output, is_error ? failureLimit : undefined),
    ...(is_error ? { is_error } : {}),
  };
}

/** True unless the command did what it was asked to do, or continues. */
export function isBashError({ state, exitCode, returnCodeInterpretation }: BashOutput): boolean {
  if (state === 'background') return false;
  return state !== 'exited' || (exitCode !== 0 && returnCodeInterpretation === undefined);
}

function structured({ structuredContent }: BashOutput): ToolResultContent[] | undefined {
  return structuredContent && structuredContent.length > 0 ? (structuredContent as ToolResultContent[]) : undefined;
}

function image(output: BashOutput): ToolResultContent[] | undefined {
  // A log may say so of anything.
  const printed = output.isImage && !isBashError(output) ? printedImage(output.stdout) : undefined;
  if (printed === undefined) return undefined;
  const notes = text({ ...output, stdout: '' }, undefined);
  const shown: ToolResultContent = {
    type: 'image',
    source: { type: 'base64', media_type: printed.mediaType, data: printed.data },
  };
  return notes === '' ? [shown] : [shown, { type: 'text', text: notes }];
}

/** `failureLimit` is set for a failure. */
function text(output: BashOutput, failureLimit: number | undefined): string {
  const stdout = trimOutput(terminalText(output.stdout));
  const parts = [
    ...(failureLimit !== undefined && output.exitCode !== undefined ? [`Exit code ${output.exitCode}`] : []),
    failureLimit === undefined
      ? stdout
      : cutMiddle(stdout, failureLimit, (omitted) => omittedNote(omitted, output.outputPath)),
    output.stderr.trim(),
    ...(output.interrupted ? ['<error>Command was aborted before completion</error>'] : []),
    backgroundLine(output),
  ];
  return parts.filter((part) => part !== '').join('\n') || (output.isImage === true ? '' : SILENT);
}

function omittedNote(omitted: number, path: string): string {
  const where = path === '' ? '' : `; all of the output is in ${path}`;
  return `\n\n... [${omitted} characters truncated${where}] ...\n\n`;
}

/** Blank lines at the start and white space at the end say nothing. */
function trimOutput(stdout: string): string {
  return stdout.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

function backgroundLine({ backgroundTaskId, backgroundedByUser, outputPath }: BashOutput): string {
  if (backgroundTaskId === undefined) return '';
  const how = backgroundedByUser
    ? 'Command was manually backgrounded by user with ID'
    : 'Command running in background with ID';
  return `${how}: ${backgroundTaskId}. Output is being written to: ${outputPath}`;
}
