// The settings keys `attribution` and `includeCoAuthoredBy` as sentences of the system prompt: what ends commit messages and pull requests.
import { type SettingsValues } from './settings-keys';

/** Longer ones are no line that ends a message. */
const maxLength = 1_000;

/** Undefined where nobody has set either. */
export function commitAttribution({ attribution, includeCoAuthoredBy }: Pick<SettingsValues, 'attribution' | 'includeCoAuthoredBy'>): string | undefined {
  const none = includeCoAuthoredBy === false ? '' : undefined;
  const sentences = [
    sentence('commit message', attribution?.commit ?? none),
    sentence('description of a pull request', attribution?.pr ?? none),
  ].filter((one) => one !== undefined);
  return sentences.length === 0 ? undefined : sentences.join('\n\n');
}

function sentence(what: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  if (text.trim() === '') return `Put no line into a ${what} that names you, a model or a tool as its author.`;
  return `End each ${what} that you write with an empty line and exactly this text:\n${plainLines(text)}`;
}

/** An empty line may stand before what git reads as trailers; more would look like the end of the text. */
function plainLines(text: string): string {
  return text.trim().replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
}
