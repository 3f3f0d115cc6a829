// Why an exact text is not found: where the nearest one stands and what differs, in a sentence or two.
import { explainBlankLines } from './blank-lines';
import { alignText } from './align-lines';
import { describeAlignment } from './alignment-text';
import { findText } from './find-text';
import { lineAt, splitLines } from './text-lines';
import { type TextRange } from './text-range';

/** Native searches of the whole text that one explanation may cost, and candidate places it compares. */
const MAX_SEARCHES = 12;
const MAX_CANDIDATES = 40;
const MIN_ANCHOR = 4;
/** Characters that a pattern is made of. */
const MAX_PATTERN = 300;

/**
 * Sentences that say what is nearest to `wanted` in `text` and how the two differ; undefined where nothing is
 * alike. The cost is a bounded number of searches, whatever the size of the text.
 */
export function explainNotFound(text: string, wanted: string): string | undefined {
  return (
    explainPrefixes(text, wanted) ??
    explainEscapes(text, wanted) ??
    explainOmission(text, wanted) ??
    explainBlankLines(text, wanted) ??
    explainNearest(text, wanted)
  );
}

function explainPrefixes(text: string, wanted: string): string | undefined {
  const lines = splitLines(wanted);
  if (lines.length === 0 || !lines.every((line) => /^\s*\d+\t/.test(line))) return undefined;
  const [range] = findText(text, lines.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n'), 1);
  if (!range) return undefined;
  return `Without the line numbers it is at ${placeOf(text, range)}: leave out the number and the tab before each line.`;
}

/** "..." or "// ... existing code ..." for lines that were not written out. */
function explainOmission(text: string, wanted: string): string | undefined {
  const lines = splitLines(wanted);
  const index = lines.findIndex((line) => omitted.test(line) && findText(text, line.trim(), 1).length === 0);
  if (index === -1 || lines.length < 2) return undefined;
  const near = explainNearest(text, lines.filter((line) => !omitted.test(line)).join('\n'));
  const advice = 'give every line exactly, or make a separate edit for each part that changes.';
  return `Line ${index + 1} of old_string is a placeholder for omitted text, which is not in the file: ${advice}${near === undefined ? '' : ` Of the other lines: ${near}`}`;
}

/** The whole range, of which the end may be a line's start. */
function placeOf(text: string, { start, end }: TextRange): string {
  const [first, last] = [lineAt(text, start), lineAt(text, Math.max(start, end - 1))];
  return first === last ? `line ${first}` : `lines ${first}\u2013${last}`;
}

/** Without the sign of a comment in front, code right after the dots makes them a spread. */
const omitted = /^\s*(?:(?:\/\/|#|\/\*|--|<!--|\{\/\*)\s*(?:\.\.\.|…)|…|\.\.\.(?![\w$([{'"`]))/;

function explainEscapes(text: string, wanted: string): string | undefined {
  const [entity] = /&(?:lt|gt|amp|quot|#39);/.exec(wanted) ?? [];
  if (entity !== undefined) {
    const [place] = findText(
      text,
      wanted.replace(/&(?:lt|gt|quot|#39);/g, (code) => ENTITIES[code] ?? code).replaceAll('&amp;', '&'),
      1,
    );
    if (place)
      return `With ${entity} and the like as plain characters it is at ${placeOf(text, place)}: write <, >, & and quotes themselves.`;
  }
  if (!/\\[nrt"'`\\]/.test(wanted)) return undefined;
  const [range] = findText(text, unescaped(wanted), 1);
  if (!range) return undefined;
  const advice = 'write real line breaks, tabs and quotes instead of \\n, \\t and \\"';
  return `With its backslash escapes resolved it is at ${placeOf(text, range)}: ${advice}.`;
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** Without line numbers, or with its escapes resolved where that is nearer. */
function explainNearest(text: string, wanted: string): string | undefined {
  const bare = unnumbered(wanted);
  const own = bare === wanted ? undefined : nearest(text, bare, UNNUMBERED);
  if (own !== undefined) return own.sentence;
  const plain = nearest(text, wanted, '');
  const resolved = unescaped(wanted);
  const other =
    splitLines(resolved).length > splitLines(wanted).length ? nearest(text, resolved, UNESCAPED) : undefined;
  return ((other?.score ?? 0) > (plain?.score ?? 0) ? other : plain)?.sentence;
}

const UNNUMBERED = 'old_string has line numbers, which are not in the file. ';
const UNESCAPED = 'old_string has line breaks or quotes with a backslash, which the file has without. ';

function nearest(text: string, wanted: string, lead: string): { sentence: string; score: number } | undefined {
  const lines = splitLines(wanted);
  const places = (): { line: number; index: number }[] =>
    taken(candidates(text, lines), MAX_CANDIDATES).map(({ start, index }) => ({
      line: lineAt(text, start) - 1,
      index,
    }));
  const found = alignText(splitLines(text), lines, places);
  return found && { sentence: `${lead}${describeAlignment(lines, found)}`, score: found.score };
}

function taken<Value>(values: Iterable<Value>, most: number): Value[] {
  const first: Value[] = [];
  for (const value of values) if (first.push(value) >= most) break;
  return first;
}

/** Without the numbers that Read and Grep show, where every line has one. */
function unnumbered(wanted: string): string {
  const lines = splitLines(wanted);
  const number = /^\s*\d+(?:\t|\u2192|[:-](?=.)|$)/;
  return lines.every((line) => line.trim() === '' || number.test(line))
    ? lines.map((line) => line.replace(number, '')).join('\n')
    : wanted;
}

function unescaped(wanted: string): string {
  return wanted.replace(/\\([nrt"'`\\])/g, (_whole, code: string) => ESCAPES[code] ?? code);
}

interface Candidate {
  start: number;
  /** The wanted line that the place was found by. */
  index: number;
}

/** Places that hold a whole wanted line, then places that hold part of one, the longest lines first. */
function* candidates(text: string, lines: string[]): Generator<Candidate> {
  const anchors = lines
    .map((line, index) => ({ line: line.trim(), index }))
    .filter(({ line }) => line.length >= MIN_ANCHOR)
    .sort((left, right) => right.line.length - left.line.length);
  let searches = 0;
  const search = function* (pattern: string | RegExp, index: number): Generator<Candidate> {
    searches++;
    for (const start of places(text, pattern)) yield { start, index };
  };
  for (const { line, index } of anchors.slice(0, MAX_SEARCHES / 3)) yield* search(line, index);
  for (const { line, index } of anchors.slice(0, 2)) {
    for (const pattern of looserPatterns(line)) {
      if (searches < MAX_SEARCHES) yield* search(pattern, index);
    }
  }
}

/** The line with other case, spacing or quotes; then its halves and its longest words. */
function looserPatterns(line: string): RegExp[] {
  const words = line.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const isShort = words.length > 0 && words.length <= 40 && line.length <= MAX_PATTERN;
  const parts = isShort ? [words.join('[^\\p{L}\\p{N}_\\r\\n]{1,12}')] : [];
  const half = Math.floor(line.length / 2);
  const halves = [line.slice(0, half).trim(), line.slice(half).trim()];
  const longest = [...words].sort((left, right) => right.length - left.length).slice(0, 2);
  const literals = [...halves, ...longest]
    .map((part) => part.slice(0, MAX_PATTERN))
    .filter((part) => part.length >= MIN_ANCHOR && !/\p{Surrogate}/u.test(part))
    .map(escapePattern);
  return [...parts, ...literals].map((source) => new RegExp(source, 'giu'));
}

function* places(text: string, pattern: string | RegExp): Generator<number> {
  let found = 0;
  if (typeof pattern === 'string') {
    for (let at = text.indexOf(pattern); at >= 0 && found < MAX_CANDIDATES; at = text.indexOf(pattern, at + 1)) {
      found++;
      yield at;
    }
    return;
  }
  for (let match = pattern.exec(text); match && found < MAX_CANDIDATES; match = pattern.exec(text)) {
    found++;
    yield match.index;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
