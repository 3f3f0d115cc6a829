// A call on its way through the pipeline, and what comes out at the end.
import { cutMiddle } from '../../shared/cut-text';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { neutralText } from '../text/system-reminder';
import { type SessionChange, type ToolFailure } from '../tool/tool';
import { type Offers, said } from '../text/words';

/** Long error text keeps its head and tail. */
const MAX_ERROR_CHARACTERS = 10_000;

export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** The input could not be read at all. */
  inputError?: string;
}

export interface ExecutedCall {
  block: ToolResultBlock;
  /** What the transcript keeps next to the block: the structured output, or "Error: …". */
  structured: unknown;
  state: 'done' | 'failed' | 'denied' | 'stopped';
  newMessages: UserBlock[];
  change?: SessionChange;
  /** The files that it has read or changed. */
  files?: readonly string[];
  /** It has touched no others, as far as Deft knows: no command, server or agent was at work. */
  noOthers?: boolean;
  /** The user rejected without a reason: the turn ends. */
  endsTurn: boolean;
  durationMs: number;
}

type ErrorOptions = { state?: ExecutedCall['state']; endsTurn?: boolean; newMessages?: UserBlock[] };

const emptyError = 'The call failed without a message.';

/** Errors quote files, commands and servers. */
function errorWords(message: string, limit: number): string {
  return cutMiddle(neutralText(message.trim() === '' ? emptyError : message), limit);
}

function failedCall(call: ToolCall, content: string, words: string, options: ErrorOptions): ExecutedCall {
  return {
    block: { type: 'tool_result', tool_use_id: call.id, content, is_error: true },
    structured: `Error: ${words}`,
    state: options.state ?? 'failed',
    newMessages: options.newMessages ?? [],
    endsTurn: options.endsTurn ?? false,
    durationMs: 0,
  };
}

/** What the user or their rules decided, and what became of a call that was interrupted: plain text. */
export function errorResult(call: ToolCall, message: string, options: ErrorOptions = {}): ExecutedCall {
  const words = errorWords(message, MAX_ERROR_CHARACTERS);
  return failedCall(call, words, words, options);
}

const open = '<tool_use_error>';
const close = '</tool_use_error>';

/** What Deft and its tools say about a call that did not do what it was asked: wrapped, so that it reads as no output. */
export function useErrorResult(call: ToolCall, message: string, options: ErrorOptions = {}): ExecutedCall {
  // Short enough to stay whole with its tags.
  const words = errorWords(message, MAX_ERROR_CHARACTERS - 100);
  return failedCall(call, `${open}${words}${close}`, words, options);
}

/** The words of an error without the tags, for hooks and the user. */
export function plainError(text: string): string {
  return text.startsWith(open) && text.endsWith(close) ? text.slice(open.length, -close.length) : text;
}

/** What the user decided is no fault of the call. `offers`: the tools that its words may name. */
export function failureResult(call: ToolCall, { failure }: ToolFailure, offers: Offers | undefined): ExecutedCall {
  const { stopped = false, endsTurn = false } = failure;
  const message = said(failure.message, offers);
  return stopped
    ? errorResult(call, message, { state: 'stopped', endsTurn })
    : useErrorResult(call, message, { state: 'failed', endsTurn });
}

export const interruptedText = 'This call was interrupted by the user.';

export const stillRunningText = `${interruptedText} It did not stop in time: it may still be running, or it may have finished. Check before you rely on either.`;

/** For a call that an abort or the end of its turn kept from running. */
/** Why a call is not run where the user has rejected another one without a reason. */
export const turnEndedText = 'the user ended the turn by rejecting another call.';

export function notRunResult(call: ToolCall, why: string): ExecutedCall {
  return errorResult(call, `This call was not run: ${why}`, { state: 'stopped' });
}
