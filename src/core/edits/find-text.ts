// Finds an exact text, whatever line endings either side has.
import { type TextRange } from './text-range';

/**
 * Where `wanted` stands in `text`, from left to right, at most `limit` places. Every kind of line ending in `wanted`
 * matches every kind in `text`, and never half a \r\n. `overlapping` also finds places that share characters.
 */
export function findText(text: string, wanted: string, limit: number, overlapping = false): TextRange[] {
  if (wanted === '') return [];
  return text.includes('\r') && /[\r\n]/.test(wanted)
    ? findAcrossEndings(text, wanted, limit, overlapping)
    : findPlain(text, wanted.replace(/\r\n|\r/g, '\n'), limit, overlapping);
}

function findPlain(text: string, wanted: string, limit: number, overlapping: boolean): TextRange[] {
  const ranges: TextRange[] = [];
  const step = overlapping ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at >= 0 && ranges.length < limit; at = text.indexOf(wanted, at + step)) {
    ranges.push({ start: at, end: at + wanted.length });
  }
  return ranges;
}

/** The text goes into the pattern escaped, with every line ending as an alternative of all three. */
function findAcrossEndings(text: string, wanted: string, limit: number, overlapping: boolean): TextRange[] {
  const ranges: TextRange[] = [];
  const pattern = new RegExp(
    wanted
      .split(/\r\n|\n|\r/)
      .map(escapePattern)
      .join(ANY_ENDING),
    'g',
  );
  for (let match = pattern.exec(text); match && ranges.length < limit; match = pattern.exec(text)) {
    ranges.push({ start: match.index, end: match.index + match[0].length });
    if (overlapping) pattern.lastIndex = match.index + 1;
  }
  return ranges;
}

const ANY_ENDING = '(?:\\r\\n|(?<!\\r)\\n|\\r(?!\\n))';

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
