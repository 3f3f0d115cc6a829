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

/** Equal stretches and what lies between them, over all lines of both sides in order. */
function alignLines(base: Line[], lines: Line[]): Stretch[] {
  let prefix = 0;
  while (prefix < base.length && prefix < lines.length && base[prefix]?.text === lines[prefix]?.text) prefix++;
  const room = Math.min(base.length, lines.length) - prefix;
  let suffix = 0;
  while (suffix < room && base[base.length - 1 - suffix]?.text === lines[lines.length - 1 - suffix]?.text) suffix++;
  const oldMiddle = base.slice(prefix, base.length - suffix).map((line) => line.text);
  const newMiddle = lines.slice(prefix, lines.length - suffix).map((line) => line.text);
  const stretches: Stretch[] = [{ kept: prefix, removed: 0, added: 0 }];
  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength: MAX_EDIT_LENGTH });
  if (!changes) stretches.push({ kept: 0, removed: oldMiddle.length, added: newMiddle.length });
  for (const change of changes ?? []) {
    const last = stretches[stretches.length - 1];
    const { length } = change.value;
    if (!change.added && !change.removed) stretches.push({ kept: length, removed: 0, added: 0 });
    else if (last && (change.added ? last.added === 0 : last.removed === 0)) {
      // The lines of one change come in two parts, removed and added, behind the stretch that they follow.
      if (change.added) last.added = length;
      else last.removed = length;
    } else stretches.push({ kept: 0, removed: change.removed ? length : 0, added: change.added ? length : 0 });
  }
  stretches.push({ kept: suffix, removed: 0, added: 0 });
  return stretches;
}
