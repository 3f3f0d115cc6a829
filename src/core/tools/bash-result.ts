// How the model reads a Bash call: output, notes, exit code, background line, in a fixed order.
import { cutMiddle } from '../../shared/cut-text';
import { type ImageMediaType, type ToolResultBlock, type ToolResultContent } from '../model/wire';
import { IMAGE_DATA_URL, type BashOutput } from './bash-output';

/** A failure's text keeps this much of its beginning and end. */
export const FAILURE_TEXT_LIMIT = 10_000;

/** Structured content, else an image, else text. */
export function bashResultBlock(output: BashOutput, toolUseId: string, failureLimit = FAILURE_TEXT_LIMIT): ToolResultBlock {
  const is_error = isBashError(output);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: structured(output) ?? image(output) ?? text(output, is_error ? failureLimit : undefined),
    ...(is_error ? { is_error } : {}),
  };
}

/** True unless the command did what it was asked to do, or goes on. */
export function isBashError({ state, exitCode, returnCodeInterpretation }: BashOutput): boolean {
  if (state === 'background') return false;
  return state !== 'exited' || (exitCode !== 0 && returnCodeInterpretation === undefined);
}

function structured({ structuredContent }: BashOutput): ToolResultContent[] | undefined {
  return structuredContent && structuredContent.length > 0 ? (structuredContent as ToolResultContent[]) : undefined;
}

function image({ isImage, stdout }: BashOutput): ToolResultContent[] | undefined {
  const match = isImage ? IMAGE_DATA_URL.exec(stdout.trim()) : undefined;
  const [, type, data] = match ?? [];
  if (type === undefined || data === undefined) return undefined;
  return [{ type: 'image', source: { type: 'base64', media_type: type as ImageMediaType, data: data.replace(/\s/g, '') } }];
}

/** `failureLimit` is set for a failure. */
function text(output: BashOutput, failureLimit: number | undefined): string {
  const stdout = trimOutput(output.stdout);
  const parts = [
    ...(failureLimit !== undefined && output.exitCode !== undefined ? [`Exit code ${output.exitCode}`] : []),
    failureLimit === undefined ? stdout : cutMiddle(stdout, failureLimit),
    output.stderr.trim(),
    ...(output.interrupted ? ['<error>Command was aborted before completion</error>'] : []),
    backgroundLine(output),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Blank lines at the start and white space at the end say nothing. */
function trimOutput(stdout: string): string {
  return stdout.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

function backgroundLine({ backgroundTaskId, backgroundedByUser, outputPath }: BashOutput): string {
  if (backgroundTaskId === undefined) return '';
  const how = backgroundedByUser ? 'Command was manually backgrounded by user with ID' : 'Command running in background with ID';
  return `${how}: ${backgroundTaskId}. Output is being written to: ${outputPath}`;
}
