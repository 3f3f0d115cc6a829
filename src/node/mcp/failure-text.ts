// What a server or the protocol's library said about a failure, as a sentence that is fit to be shown: no numbers in front, never a whole page.
import { headOf } from '../../shared/cut-text';
import { soundText } from '../../shared/sound-text';
import { messageOf } from '../../core/text/errors';

/** An error of a server can be as large as a result, and no file takes what is too much of it. */
const maxFailure = 4_000;

export function failureText(error: unknown): string {
  // The library puts its numbers in front.
  const text = soundText(messageOf(error)).replace(/^MCP error -?\d+: (?:MCP error -?\d+: )?/, '');
  if (text.length > maxFailure) return `${headOf(text, maxFailure)}… [cut]`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
