// The edit itself: one exact text becomes another, and not a byte outside it changes.
import { findText } from './find-text';
import { endingAround, keepLineEndings } from './line-endings';
import { afterEnding, lineAt, lineEnd, lineStart } from './text-lines';
import { type TextRange } from './text-range';

export type Replacement =
  | {
      outcome: 'replaced';
      text: string;
      /** How many places changed. */
      count: number;
    }
  | { outcome: 'not_found' }
  | {
      outcome: 'not_unique';
      /** Places found; COUNT_LIMIT means that many or more. */
      count: number;
      /** The 1-based lines of the first places. */
      lines: number[];
    }
  /** The result would be the text itself, as where only line endings differ. */
  | { outcome: 'same' };

/** Places counted before the count stops. */
export const COUNT_LIMIT = 10_000;
const LINES_NAMED = 10;

/**
 * Replaces `oldText`, which must be in `text` exactly once, or everywhere with `all`. Line endings match whatever
 * their kind; what is inserted takes those of its surroundings. An empty `oldText` is never found. Whole lines that are
 * replaced by nothing go with their line ending: an empty line is left only where one was.
 */
export function replaceText(text: string, oldText: string, newText: string, all: boolean): Replacement {
  const ranges = all ? findText(text, oldText, Infinity) : findText(text, oldText, COUNT_LIMIT, true);
  if (ranges.length === 0) return { outcome: 'not_found' };
  if (!all && ranges.length > 1) {
    const lines = ranges.slice(0, LINES_NAMED).map((range) => lineAt(text, range.start));
    return { outcome: 'not_unique', count: ranges.length, lines };
  }
  const replaced = replaceRanges(text, ranges, newText);
  return replaced === text ? { outcome: 'same' } : { outcome: 'replaced', text: replaced, count: ranges.length };
}

function replaceRanges(text: string, ranges: TextRange[], newText: string): string {
  const adapts = /[\r\n]/.test(newText) && (text.includes('\r') || newText.includes('\r'));
  const parts: string[] = [];
  let done = 0;
  for (const range of ranges) {
    const inserted = adapts
      ? keepLineEndings(text.slice(range.start, range.end), newText, endingAround(text, range.end))
      : newText;
    parts.push(text.slice(done, range.start), inserted);
    done = newText === '' ? endOfLines(text, range) : range.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** After the line ending where the range is whole lines, the first and the last not empty, without the ending of the last one. */
function endOfLines(text: string, { start, end }: TextRange): number {
  const begins = lineStart(text, start) === start && lineEnd(text, start) > start;
  return begins && lineEnd(text, end) === end && lineStart(text, end) < end ? afterEnding(text, end) : end;
}
