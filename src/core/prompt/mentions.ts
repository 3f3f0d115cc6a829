// Finds @file and @folder mentions in what the user typed.
import { linesAtEnd } from '../../shared/mention-text';

export interface Mention {
  /** As typed, without "@" and quotes. */
  path: string;
  /** From `#12` or `#12-30`; 1-based, inclusive. */
  range?: { start: number; end: number };
}

// "@" counts at the start and after white space or an opening bracket, so that e-mail addresses and decorators in code stay text.
const mentionPattern = /(?<=^|[\s([{])@(?:"((?:\\"|[^"\n])+)"(#L?\d+(?:-L?\d+)?(?![\w-]))?|([^\s"'`,;()[\]{}<>]+))/g;

/** Each mention once, in the order of the text. Whether such a file exists is the caller's question. */
export function findMentions(text: string): Mention[] {
  const mentions = new Map<string, Mention>();
  for (const match of text.matchAll(mentionPattern)) {
    const [, quoted, behind = '', plain = ''] = match;
    const written = plain.replace(/[.:!?]+$/, '');
    const range = linesAtEnd.exec(quoted === undefined ? written : behind);
    const path = quoted?.replaceAll('\\"', '"') ?? (range === null ? written : written.slice(0, range.index));
    if (path === '') continue;
    const start = Number(range?.[1]);
    const mention: Mention = range === null ? { path } : { path, range: { start, end: Number(range[2] ?? start) } };
    mentions.set(JSON.stringify(mention), mention);
  }
  return [...mentions.values()];
}
