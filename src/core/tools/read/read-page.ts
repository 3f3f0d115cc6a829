// Which lines of a text one Read shows, within its limits.
import { cutLine, hasControls, MAX_LINE_LENGTH } from '../../edits/number-lines';
import { afterEnding, countLines, lineEnd, offsetOfLine } from '../../edits/text-lines';

/** Lines that a Read without a limit shows. */
const DEFAULT_LINES = 2_000;
/** Tokens that one Read may cost, and how many bytes of code make one, on the cautious side. */
export const MAX_TOKENS = 25_000;
const BYTES_PER_TOKEN = 3.2;
export const MAX_BYTES = MAX_TOKENS * BYTES_PER_TOKEN;

export interface ReadRange {
  /** 1-based. */
  offset?: number | undefined;
  limit?: number | undefined;
}

export interface ShownPage {
  outcome: 'page';
  lines: string[];
  /** 1-based number of the first line. */
  start: number;
  total: number;
  /** Numbers of the lines that are longer than what is shown of them. */
  cut: number[];
  /** Numbers of the lines with control characters, which are written out in what is shown of them. */
  odd: number[];
  /** One line that was asked for alone: however long it is, all of it is shown. */
  alone: boolean;
  /** More lines follow, and no limit left them out. */
  partial: boolean;
}

export type ReadPage =
  | ShownPage
  | { outcome: 'empty' }
  | { outcome: 'past_end'; total: number }
  | { outcome: 'too_long'; tokens: number; fitting: number };

/**
 * A range without a limit is cut to what fits and marked as partial; a limit that asks for more than fits is
 * `too_long`, with the number of lines that would fit.
 */
export function readPage(text: string, range: ReadRange): ReadPage {
  const total = countLines(text);
  if (total === 0) return { outcome: 'empty' };
  const start = Math.max(1, range.offset ?? 1);
  if (start > total) return { outcome: 'past_end', total };
  const wanted = Math.min(range.limit ?? DEFAULT_LINES, total - start + 1);
  const { lines, bytes } = takeLines(text, start, wanted);
  if (range.limit !== undefined && lines.length < wanted) {
    const estimate = Math.ceil(((bytes / lines.length) * wanted) / BYTES_PER_TOKEN);
    return { outcome: 'too_long', tokens: Math.max(estimate, MAX_TOKENS + 1), fitting: lines.length };
  }
  const alone = range.limit === 1 && lines.every(isShownAlone);
  const cut = lines.flatMap((line, index) => (line.length > MAX_LINE_LENGTH && !alone ? [start + index] : []));
  const odd = lines.flatMap((line, index) => (hasControls(line) ? [start + index] : []));
  const partial = range.limit === undefined && start + lines.length - 1 < total;
  return { outcome: 'page', lines, start, total, cut, odd, alone, partial };
}

/**
 * Whether a Read of this one line shows what is in it. Control characters are written out, of which the model is notified:
 * where the line contains the same words literally, it could not distinguish them.
 */
export function isShownAlone(line: string): boolean {
  if (byteLength(line) > MAX_BYTES) return false;
  return !hasControls(line) || (line.length <= MAX_LINE_LENGTH && !/\\x[0-9a-f]{2}/.test(line));
}

/** At least one line, then as many as fit. */
function takeLines(text: string, start: number, wanted: number): { lines: string[]; bytes: number } {
  const lines: string[] = [];
  let bytes = 0;
  let offset = offsetOfLine(text, start);
  while (lines.length < wanted) {
    const end = lineEnd(text, offset);
    const line = text.slice(offset, end);
    const size = byteLength(cutLine(line)) + String(start + lines.length).length + 2;
    if (lines.length > 0 && bytes + size > MAX_BYTES) break;
    bytes += size;
    lines.push(line);
    offset = afterEnding(text, end);
  }
  return { lines, bytes };
}

/** In UTF-8: closer to tokens than characters are, where a text is not English. */
function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}
