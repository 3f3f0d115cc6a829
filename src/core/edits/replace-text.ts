// The edit itself: one exact text becomes another, and not a byte outside it changes.
import { findText } from './find-text';
import { endingAround, keepLineEndings } from './line-endings';
import { lineAt } from './text-lines';
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
 * their kind; what is inserted takes those of its surroundings. An empty `oldText` is never found.
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
    done = range.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
