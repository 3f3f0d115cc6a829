// Gives new text the line endings of the text that it replaces, line by line.
import { diffArrays } from 'diff';
import { MAX_EDIT_LENGTH } from './diff-limits';
import { afterEnding, countLines, lineEnd, lineStart, splitWithEndings, type Line } from './text-lines';

/**
 * `text` with the endings of `base`: a line that stands in both keeps its own ending, a changed line takes that of the
 * line it replaces, a further one that of its neighbour. What endings `text` came with does not matter, only whether
 * its last line has one. `fallback` is for a base without endings; without it `text` stays as it is there.
 */
export function keepLineEndings(base: string, text: string, fallback?: string): string {
  const uniform = uniformEnding(base);
  if (uniform === 'none') return fallback === undefined ? text : withEnding(text, fallback);
  if (uniform !== 'mixed' && (fallback === undefined || fallback === uniform)) return withEnding(text, uniform);
  return matchEndings(splitWithEndings(base), splitWithEndings(text), fallback);
}

/** The one ending of all lines, `none`, or `mixed`. */
export function uniformEnding(text: string): '\n' | '\r\n' | '\r' | 'none' | 'mixed' {
  const carriage = text.indexOf('\r');
  if (carriage < 0) return text.includes('\n') ? '\n' : 'none';
  const pattern = text.charCodeAt(carriage + 1) === 10 ? /(?<!\r)\n|\r(?!\n)/ : /\n/;
  if (pattern.test(text)) return 'mixed';
  return text.charCodeAt(carriage + 1) === 10 ? '\r\n' : '\r';
}

/** The ending of the line at `offset`; on a last line without one, that of the line before, if there is one. */
export function endingAround(text: string, offset: number): string | undefined {
  const end = lineEnd(text, offset);
  const own = text.slice(end, afterEnding(text, end));
  if (own !== '') return own;
  const start = lineStart(text, offset);
  if (start === 0) return undefined;
  return text.endsWith('\r\n', start) ? '\r\n' : text.slice(start - 1, start);
}

function withEnding(text: string, ending: string): string {
  if (ending === '\n' && !text.includes('\r')) return text;
  return text.replace(/\r\n|\n|\r/g, ending);
}

function matchEndings(base: Line[], lines: Line[], fallback: string | undefined): string {
  const result: string[] = [];
  let previous: string | undefined;
  let baseIndex = 0;
  let lineIndex = 0;
  const take = (paired: string | undefined): void => {
    const line = lines[lineIndex++];
    if (!line) return;
    const wanted = paired || previous || followingEnding(base, baseIndex) || line.ending;
    const ending = line.ending === '' ? '' : wanted;
    if (ending !== '') previous = ending;
    result.push(line.text + ending);
  };
  for (const { kept, removed, added } of alignLines(base, lines)) {
    for (let index = 0; index < kept; index++) take(base[baseIndex++]?.ending || fallback);
    for (let index = 0; index < added; index++) {
      take(index < removed ? base[baseIndex + index]?.ending || fallback : undefined);
    }
    baseIndex += removed;
  }
  const joined = result.join('');
  // A new \r before an empty line that ends with \n would make one line of two: the plain ending is safe then.
  const merged = joined.includes('\r') && countLines(joined) !== lines.length;
  return merged ? withEnding(lines.map(whole).join(''), '\n') : joined;
}

function whole(line: Line): string {
  return line.text + line.ending;
}

function followingEnding(base: Line[], index: number): string | undefined {
  return base[index]?.ending || base[index - 1]?.ending;
}

interface Stretch {
  kept: number;
  removed: number;
  added: number;
}

/** Equal stretches and what is between them, over all lines of both sides in order. */
function alignLines(base: Line[], lines: Line[]): Stretch[] {
  const shorter = Math.min(base.length, lines.length);
  const prefix = countSame(shorter, (index) => base[index]?.text === lines[index]?.text);
  const suffix = countSame(shorter - prefix, (index) => base.at(-1 - index)?.text === lines.at(-1 - index)?.text);
  const oldMiddle = base.slice(prefix, base.length - suffix).map((line) => line.text);
  const newMiddle = lines.slice(prefix, lines.length - suffix).map((line) => line.text);
  const stretches: Stretch[] = [{ kept: prefix, removed: 0, added: 0 }];
  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength: MAX_EDIT_LENGTH });
  if (!changes) stretches.push({ kept: 0, removed: oldMiddle.length, added: newMiddle.length });
  for (const { added, removed, value } of changes ?? []) {
    if (added) changedStretch(stretches, 'added').added = value.length;
    else if (removed) changedStretch(stretches, 'removed').removed = value.length;
    else stretches.push({ kept: value.length, removed: 0, added: 0 });
  }
  stretches.push({ kept: suffix, removed: 0, added: 0 });
  return stretches;
}

/** The lines of one change come in two parts, removed and added, after the stretch that they follow. */
function changedStretch(stretches: Stretch[], part: 'removed' | 'added'): Stretch {
  const last = stretches.at(-1);
  if (last?.[part] === 0) return last;
  const next: Stretch = { kept: 0, removed: 0, added: 0 };
  stretches.push(next);
  return next;
}

function countSame(most: number, isSame: (index: number) => boolean): number {
  let count = 0;
  while (count < most && isSame(count)) count++;
  return count;
}
