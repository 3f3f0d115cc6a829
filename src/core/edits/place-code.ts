// Where a piece of code from an answer goes in a file: it replaces the whole file or one block of it, or it has no place beyond doubt.
import { diffTexts } from './diff-hunks';
import { keepLineEndings } from './line-endings';

export type PlacedCode =
  | { outcome: 'placed'; text: string; whole: boolean }
  | { outcome: 'same' }
  /** `why` follows the words "The code has no clear place in a.ts: ". */
  | { outcome: 'nowhere'; why: string };

/** Lines of the beginning that may be needed to tell its place from others like it. */
const MOST_ANCHORS = 6;

export function placeCode(current: string, code: string): PlacedCode {
  const file = linesOf(current);
  const lines = trimmed(linesOf(code));
  if (lines.length === 0) return nowhere('it is empty');
  if (current.trim() === '') return placed(current, `${lines.join('\n')}\n`, true);
  const pieces = piecesOf(lines);
  const isWhole = pieces.length === 1 && isWholeFile(current, file, lines);
  if (isWhole) return placed(current, [...lines, ...(current.endsWith('\n') ? [''] : [])].join('\n'), true);
  let text = file;
  for (const [index, piece] of pieces.entries()) {
    const made = replaceBlock(text, piece, pieces.length > 1 ? (index < pieces.length - 1 ? 'cut' : 'last') : 'only');
    if (typeof made === 'string') return nowhere(made);
    text = made;
  }
  return placed(current, text.join('\n'), false);
}

const nowhere = (why: string): PlacedCode => ({ outcome: 'nowhere', why });

function placed(current: string, text: string, whole: boolean): PlacedCode {
  const kept = current === '' ? text : keepLineEndings(current, text);
  return kept === current ? { outcome: 'same' } : { outcome: 'placed', text: kept, whole };
}

/** It begins and ends as the file does and holds half of it at least, or holds nearly all of it. */
function isWholeFile(current: string, file: readonly string[], lines: readonly string[]): boolean {
  const shown = trimmed(file);
  const kept = 1 - diffTexts(`${shown.join('\n')}\n`, `${lines.join('\n')}\n`).removed / shown.length;
  const framed = same(shown[0], lines[0]) && same(shown.at(-1), lines.at(-1)) && current.trim() !== '';
  return kept >= 0.9 || (framed && kept >= 0.5);
}

/** "// ... existing code ...": what is not written out divides the code into pieces. */
function piecesOf(lines: readonly string[]): string[][] {
  const pieces: string[][] = [[]];
  for (const line of lines)
    if (omitted.test(line)) pieces.push([]);
    else pieces.at(-1)?.push(line);
  return pieces.map(trimmed).filter((piece) => piece.length > 0);
}

const omitted = /^\s*(?:\/\/|#|\/\*|--|<!--|\{\/\*|;|%)?\s*(?:\.{3}|…)(?:\s.*|\s*(?:\*\/|-->|\*\/\})?)?$/;

/** The lines with this piece in them; a reason where it has no place. `cut`: more of its block was left out behind it. */
function replaceBlock(file: readonly string[], piece: readonly string[], part: 'only' | 'cut' | 'last') {
  const inFile = placesOf(file, piece.filter(isText));
  // What only frames the rest changes nothing.
  if (
    part !== 'only' &&
    (inFile.length > 0 || piece.every((line) => file.some((other) => same(other, line)))) &&
    piece.length < 3
  )
    return [...file];
  const start = startOf(file, piece);
  if (typeof start === 'string') return start;
  const end = endOf(file, piece, start, part === 'only');
  if (end === undefined) return 'where it ends there cannot be told';
  if (end - start > 4 * piece.length + 10)
    return 'the block that begins like it is much longer, so something seems to be left out';
  return [...file.slice(0, start), ...indentedLike(file[start] ?? '', piece), ...file.slice(end)];
}

function startOf(file: readonly string[], piece: readonly string[]): number | string {
  const anchors = piece.filter(isText).slice(0, MOST_ANCHORS);
  let found = placesOf(file, anchors.slice(0, 1));
  if (found.length === 0) return 'its first line is not there';
  for (let count = 2; found.length > 1 && count <= anchors.length; count++) {
    const narrower = placesOf(file, anchors.slice(0, count));
    if (narrower.length === 0) break;
    found = narrower;
  }
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : `its first line is there ${found.length} times`;
}

/** Behind the last line that it replaces: one like its own last line, else the end of the block that its first line opens. */
function endOf(file: readonly string[], piece: readonly string[], start: number, isOnly: boolean): number | undefined {
  const [head = '', tail = ''] = [piece[0], piece.at(-1)];
  if (piece.length === 1) return isOnly ? undefined : start + 1;
  const deeper = indentOf(tail).length - indentOf(head).length;
  const base = indentOf(file[start] ?? '').length;
  const last = file.findIndex((line, at) => at > start && same(line, tail) && indentOf(line).length - base === deeper);
  if (last >= 0) return last + 1;
  const opens = piece.slice(1).find(isText);
  if (!isOnly || opens === undefined || indentOf(opens).length <= indentOf(head).length) return undefined;
  let end = start + 1;
  for (let at = start + 1; at < file.length; at++) {
    const line = file[at] ?? '';
    if (!isText(line)) continue;
    if (indentOf(line).length <= base) break;
    end = at + 1;
  }
  return end;
}

/** The lines that begin with these, blank ones between them apart. */
function placesOf(file: readonly string[], anchors: readonly string[]): number[] {
  return file.flatMap((line, at) => {
    if (!same(line, anchors[0])) return [];
    let next = at;
    const isThere = anchors.every((anchor) => {
      while (next < file.length && !isText(file[next] ?? '')) next++;
      return same(file[next++], anchor);
    });
    return isThere ? [at] : [];
  });
}

function indentedLike(first: string, piece: readonly string[]): string[] {
  const own = indentOf(piece[0] ?? '');
  const wanted = indentOf(first);
  return piece.map((line) => (isText(line) && line.startsWith(own) ? wanted + line.slice(own.length) : line));
}

const isText = (line: string): boolean => line.trim() !== '';
const same = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.trim() === other.trim();
const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';
const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** Without blank lines at either end. */
function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex(isText);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}
