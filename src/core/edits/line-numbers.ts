// Texts that still have the line numbers of Read before their lines.
import { findText } from './find-text';
import { lineAt, lineStart } from './text-lines';

const numbered = /^\s*(\d+)\t/;

/**
 * Both texts without the numbers, where these say which lines are meant: they count up, and the old text stands at those lines and nowhere
 * else. Undefined where they do not, or where only some lines of the new text have one.
 */
export function withoutLineNumbers(
  text: string,
  oldText: string,
  newText: string,
): { oldText: string; newText: string } | undefined {
  const numbers = numbersOf(oldText);
  const [first] = numbers ?? [];
  if (numbers === undefined || first === undefined || numbers.some((number, index) => number !== first + index))
    return undefined;
  const bare = strip(oldText);
  const [place, other] = findText(text, bare, 2);
  if (
    place === undefined ||
    other !== undefined ||
    lineAt(text, place.start) !== first ||
    lineStart(text, place.start) !== place.start
  )
    return undefined;
  if (numbersOf(newText) !== undefined) return { oldText: bare, newText: strip(newText) };
  return newText.split('\n').some((line) => numbered.test(line)) ? undefined : { oldText: bare, newText };
}

/** Undefined where a line has none; a line break at the end begins no line. */
function numbersOf(text: string): number[] | undefined {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  const numbers = lines.map((line) => numbered.exec(line)?.[1]);
  return numbers.some((number) => number === undefined) ? undefined : numbers.map(Number);
}

function strip(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(numbered, ''))
    .join('\n');
}
