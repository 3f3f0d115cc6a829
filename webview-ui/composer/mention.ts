// Finds the "@path" that is being typed at the cursor, and writes the chosen one.
import { type MentionSuggestion } from '../../src/shared/answers';
import { mentionText, symbolMention } from '../../src/shared/mention-text';

export interface MentionQuery {
  /** Where the "@" stands. */
  start: number;
  /** What is typed behind it. */
  query: string;
}

/** Undefined where the cursor is in no mention. An "@" inside a word (an address) begins none. */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const before = text.slice(0, cursor);
  const match = /(?:^|[\s([{"'])@("[^"\n]*|[^\s"]*)$/.exec(before);
  const typed = match?.[1];
  if (typed === undefined) return undefined;
  return { start: cursor - typed.length - 1, query: typed.startsWith('"') ? typed.slice(1) : typed };
}

/** A folder stays open for more typing, also inside its quotes, and so does what a symbol's name goes behind; behind a file goes a space. */
export function applyMention(
  text: string,
  cursor: number,
  mention: MentionQuery,
  chosen: Pick<MentionSuggestion, 'path' | 'kind'>,
): { text: string; cursor: number } {
  const quoted = text[mention.start + 1] === '"';
  const rest = text.slice(cursor).replace(quoted ? /^[^"\n]*"/ : /^[^\s"()[\]{}]*/, '');
  const path = chosen.kind === 'folder' && !chosen.path.endsWith('/') ? `${chosen.path}/` : chosen.path;
  const stays = chosen.kind === 'folder' || path === symbolMention;
  // It ends with a sign that would put it into quotes, which the name would be behind.
  const written = path === symbolMention ? `@${path}` : mentionText(path);
  const space = /^\s/.test(rest) || stays ? '' : ' ';
  const before = text.slice(0, mention.start) + written + space;
  const inside = chosen.kind === 'folder' && written.endsWith('"');
  return { text: before + rest, cursor: before.length - (inside ? 1 : 0) };
}
