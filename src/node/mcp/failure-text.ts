// What a server or the protocol's library said about a failure, as a sentence that is fit to be shown: no numbers in front, never a whole page.
import { headOf } from '../../shared/cut-text';
import { soundText } from '../../shared/sound-text';
import { messageOf } from '../../core/text/errors';
import { isObject } from '../../shared/plain-object';

/** An error of a server can be as large as a result, and no file takes what is too much of it. */
const maxFailure = 4_000;

export function failureText(error: unknown): string {
  // The library puts its numbers in front.
  const text = soundText(messageOf(error)).replace(/^MCP error -?\d+: (?:MCP error -?\d+: )?/, '');
  if (text.length > maxFailure) return `${headOf(text, maxFailure)}… [cut]`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** `data` of errors that Deft puts in the place of an answer that never came, or that nobody could read. */
export const ownError = { from: 'deft' };

/** The server answered with an error of the protocol. The library makes such errors itself, too, for its time limits and the end of a connection. */
export function isServersError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^MCP error -?\d+: /.test(error.message) &&
    !/: (Connection closed|Request timed out|Maximum total timeout exceeded|Request was cancelled)$/.test(
      error.message,
    ) &&
    !('data' in error && isObject(error.data) && error.data['from'] === ownError.from)
  );
}
