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
  /** The user rejected without a reason: the turn ends. */
  endsTurn: boolean;
  durationMs: number;
}

type ErrorOptions = { state?: ExecutedCall['state']; endsTurn?: boolean; newMessages?: UserBlock[] };

/** An error that the tool or the user gave: plain text. */
export function errorResult(call: ToolCall, message: string, options: ErrorOptions = {}): ExecutedCall {
  // Errors quote files, commands and servers.
  const content = cutMiddle(
    neutralText(message.trim() === '' ? 'The call failed without a message.' : message),
    MAX_ERROR_CHARACTERS,
  );
  return {
    block: { type: 'tool_result', tool_use_id: call.id, content, is_error: true },
    structured: `Error: ${content}`,
    state: options.state ?? 'failed',
    newMessages: options.newMessages ?? [],
    endsTurn: options.endsTurn ?? false,
    durationMs: 0,
  };
}

/** An error in the call's shape: wrapped, so that the model sees that nothing ran. */
export function useErrorResult(call: ToolCall, message: string): ExecutedCall {
  // Short enough to stay whole with its tags.
  return errorResult(call, `<tool_use_error>${cutMiddle(message, MAX_ERROR_CHARACTERS - 100)}</tool_use_error>`);
}

/** `offers`: the tools that its words may name. */
export function failureResult(call: ToolCall, { failure }: ToolFailure, offers: Offers | undefined): ExecutedCall {
  return errorResult(call, said(failure.message, offers), {
    state: failure.stopped === true ? 'stopped' : 'failed',
    endsTurn: failure.endsTurn === true,
  });
}

export const interruptedText = 'This call was interrupted by the user.';

export const stillRunningText = `${interruptedText} It did not stop in time: it may still be running, or it may have finished. Check before you rely on either.`;

/** For a call that an abort or the end of its turn kept from running. */
export function notRunResult(call: ToolCall, why: string): ExecutedCall {
  return errorResult(call, `This call was not run: ${why}`, { state: 'stopped' });
}
