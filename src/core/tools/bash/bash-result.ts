// How the model reads a Bash call: output, notes, exit code, background line, in a fixed order.
import { headOf, tailOf } from '../../../shared/cut-text';
import { terminalText } from '../../../shared/terminal-text';
import { type ToolResultBlock, type ToolResultContent } from '../../wire/wire';
import { printedImage } from './bash-image';
import { formatSize } from '../../text/size-text';
import { type BashOutput } from './bash-output';
import { withoutPassedTests } from './passed-tests';
import { type Offers, said, words } from '../../text/words';

/** Output up to this many characters is whole, where no setting says otherwise. */
export const MAX_RESULT_CHARACTERS = 30_000;
/** What is kept of longer output: its end has the summaries of builds and tests. */
export const HEAD_CHARACTERS = 4_000;
export const TAIL_CHARACTERS = 8_000;

/** An empty result reads as if something were missing. */
const SILENT = '(no output)';

/** An image with the notes after it, else text. */
export function bashResultBlock(
  output: BashOutput,
  toolUseId: string,
  limit = MAX_RESULT_CHARACTERS,
  offers?: Offers,
): ToolResultBlock {
  const is_error = isBashError(output);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: image(output) ?? text(output, is_error, limit, offers),
    ...(is_error ? { is_error } : {}),
  };
}

/** True unless the command did what it was asked to do, or continues. */
export function isBashError({ state, exitCode, returnCodeInterpretation }: BashOutput): boolean {
  if (state === 'background') return false;
  return state !== 'exited' || (exitCode !== 0 && returnCodeInterpretation === undefined);
}

function image(output: BashOutput): ToolResultContent[] | undefined {
  // A log may say so of anything.
  const printed = output.isImage && !isBashError(output) ? printedImage(output.stdout) : undefined;
  if (printed === undefined) return undefined;
  const notes = text({ ...output, stdout: '' }, false, 0);
  const shown: ToolResultContent = {
    type: 'image',
    source: { type: 'base64', media_type: printed.mediaType, data: printed.data },
  };
  return notes === '' ? [shown] : [shown, { type: 'text', text: notes }];
}

function text(output: BashOutput, failed: boolean, limit: number, offers?: Offers): string {
  const stdout = trimOutput(terminalText(output.stdout));
  const parts = [
    ...(failed && output.exitCode !== undefined ? [`Exit code ${output.exitCode}`] : []),
    stdout.length <= limit ? stdout : shortened(stdout, { failed, limit, output, offers }),
    output.stderr.trim(),
    ...(output.interrupted ? ['<error>Command was aborted before completion</error>'] : []),
    backgroundLine(output),
  ];
  return parts.filter((part) => part !== '').join('\n') || (output.isImage === true ? '' : SILENT);
}

/** Of a run of tests that failed, what failed, if that is known; of anything else its beginning and end. */
function shortened(
  stdout: string,
  { failed, limit, output, offers }: { failed: boolean; limit: number; output: BashOutput; offers: Offers | undefined },
): string {
  const { text: rest, passed } = failed ? withoutPassedTests(stdout) : { text: stdout, passed: 0 };
  if (passed === 0) return headAndTail(stdout, limit, output, offers);
  const tests = `${passed} passed ${passed === 1 ? 'test is' : 'tests are'} left out`;
  const shown = trimOutput(rest);
  return `[${tests}${whereAll(output, offers)}]\n${shown.length <= limit ? shown : headAndTail(shown, limit, output, offers)}`;
}

/** Whole lines where there are any, around a line that says what is left out. */
function headAndTail(stdout: string, limit: number, output: BashOutput, offers?: Offers): string {
  const share = Math.min(1, limit / (HEAD_CHARACTERS + TAIL_CHARACTERS));
  const start = headOf(stdout, Math.floor(HEAD_CHARACTERS * share));
  const end = tailOf(stdout, Math.floor(TAIL_CHARACTERS * share));
  const head = start.includes('\n') ? start.slice(0, start.lastIndexOf('\n')) : start;
  const tail = end.includes('\n') ? end.slice(end.indexOf('\n') + 1) : end;
  const gap = stdout.slice(head.length, stdout.length - tail.length);
  const lines = gap.split('\n').filter((line) => line !== '').length;
  const missing =
    // Of a gap that the terminal has made, nobody has counted the lines.
    output.omittedBytes !== undefined
      ? 'Most of the output'
      : lines > 1
        ? `${lines} lines`
        : `${gap.length} characters`;
  return `${head}\n\n... [${missing} left out here${whereAll(output, offers)}] ...\n\n${tail}`;
}

function whereAll({ outputPath, notKept, totalBytes }: BashOutput, offers?: Offers): string {
  const all = notKept === true ? 'its beginning and end' : `all ${formatSize(totalBytes)} of it`;
  const use = said(words`{{Read|Grep: : use {{Read or Grep}}}}`, offers);
  return outputPath === '' ? '' : `; ${all} are in ${outputPath}${use}`;
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
