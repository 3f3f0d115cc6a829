// The settings keys `attribution` and `includeCoAuthoredBy` as sentences of the system prompt, and as the text itself: what ends commit messages and pull requests.
import { neutralText } from '../text/system-reminder';
import { type SettingsValues } from './settings-keys';

/** Longer ones are no line that ends a message. */
const maxLength = 1_000;

export type AttributionSettings = Pick<SettingsValues, 'attribution' | 'includeCoAuthoredBy'>;

/** Undefined where nobody has set either. */
export function commitAttribution({ attribution, includeCoAuthoredBy }: AttributionSettings): string | undefined {
  const none = includeCoAuthoredBy === false ? '' : undefined;
  const sentences = [
    sentence('commit message', attribution?.commit ?? none),
    sentence('description of a pull request', attribution?.pr ?? none),
  ].filter((one) => one !== undefined);
  return sentences.length === 0 ? undefined : sentences.join('\n\n');
}

/** The text that ends a commit message, '' for none; undefined where nobody has set it. */
export function commitEnding({ attribution, includeCoAuthoredBy }: AttributionSettings): string | undefined {
  const text = attribution?.commit ?? (includeCoAuthoredBy === false ? '' : undefined);
  return text === undefined || text.length > maxLength ? undefined : text.trim();
}

/** The message with that end, once. */
export function endedWith(message: string, ending: string): string {
  const text = withoutEnd(message, ending);
  return ending === '' ? text : `${text}\n\n${ending}`.trimStart();
}

export function withoutEnd(message: string, ending: string): string {
  const text = message.trimEnd();
  return ending !== '' && text.endsWith(ending) ? text.slice(0, -ending.length).trimEnd() : text;
}

export function noAuthor(what: string): string {
  return `Put no line into a ${what} that names you, a model or a tool as its author.`;
}

function sentence(what: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  if (text.trim() === '') return noAuthor(what);
  return `End each ${what} that you write with an empty line and exactly this text:\n${neutralText(plainLines(text))}`;
}

/** An empty line may stand before what git reads as trailers; more would look like the end of the text. */
function plainLines(text: string): string {
  return text
    .trim()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
}
