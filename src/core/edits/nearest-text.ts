// Why an exact text is not found: where the nearest one stands and what differs, in a sentence or two.
import { explainBlankLines } from './blank-lines';
import { describeDifference } from './line-difference';
import { findText } from './find-text';
import { afterEnding, lineAt, lineEnd, lineStart, splitLines } from './text-lines';

/** Native searches of the whole text that one explanation may cost, and candidate places it compares. */
const MAX_SEARCHES = 12;
const MAX_CANDIDATES = 40;
const MIN_ANCHOR = 4;
/** Characters that a pattern is made of. */
const MAX_PATTERN = 300;
/** Characters of a line that are compared. */
const MAX_COMPARED = 2_000;
/** Share of the wanted lines that must be alike for a place to be worth naming. */
const MIN_ALIKE = 0.5;

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
  const line = lineAt(text, range.start);
  return `Without the line numbers it is at line ${line}: leave out the number and the tab that Read puts before each line.`;
}

/** "..." or "// ... existing code ..." for lines that were not written out. */
function explainOmission(text: string, wanted: string): string | undefined {
  const lines = splitLines(wanted);
  const index = lines.findIndex((line) => omitted.test(line) && findText(text, line.trim(), 1).length === 0);
  if (index === -1 || lines.length < 2) return undefined;
  return `Line ${index + 1} of old_string is a placeholder for omitted text, which is not in the file: give every line exactly, or make a separate edit for each part that changes.`;
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
      return `With ${entity} and the like as plain characters it is at line ${lineAt(text, place.start)}: write <, >, & and quotes themselves.`;
  }
  if (!/\\[nrt"'`\\]/.test(wanted)) return undefined;
  const unescaped = wanted.replace(/\\([nrt"'`\\])/g, (_whole, code: string) => ESCAPES[code] ?? code);
  const [range] = findText(text, unescaped, 1);
  if (!range) return undefined;
  const line = lineAt(text, range.start);
  const advice = 'write real line breaks, tabs and quotes instead of \\n, \\t and \\"';
  return `With its backslash escapes resolved it is at line ${line}: ${advice}.`;
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function explainNearest(text: string, wanted: string): string | undefined {
  const lines = splitLines(wanted);
  let best: { window: string[]; line: number; score: number } | undefined;
  const seen = new Set<number>();
  for (const { start, index } of candidates(text, lines)) {
    const top = stepBack(text, lineStart(text, start), index);
    if (seen.has(top)) continue;
    seen.add(top);
    const window = linesFrom(text, top, lines.length);
    const score = alike(lines, window);
    if (!best || score > best.score) best = { window, line: top, score };
    if (score === lines.length || seen.size >= MAX_CANDIDATES) break;
  }
  if (!best || best.score < lines.length * MIN_ALIKE) return undefined;
  return describeDifference(lines, best.window, lineAt(text, best.line));
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

function stepBack(text: string, start: number, lines: number): number {
  let offset = start;
  for (let index = 0; index < lines && offset > 0; index++) offset = lineStart(text, offset - 1);
  return offset;
}

function linesFrom(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  let offset = start;
  while (lines.length < count && offset < text.length) {
    const end = lineEnd(text, offset);
    lines.push(text.slice(offset, end));
    offset = afterEnding(text, end);
  }
  return lines;
}

/** How many lines are alike: 1 for the same letters, a share of 1 for common words. */
function alike(wanted: string[], window: string[]): number {
  return wanted.reduce((sum, line, index) => sum + lineLikeness(line, window[index]), 0);
}

function lineLikeness(wanted: string, found: string | undefined): number {
  if (found === undefined) return 0;
  const left = bare(wanted);
  const right = bare(found);
  if (left === right || (left !== '' && right.includes(left))) return 1;
  const theirs = new Set(wordsOf(found));
  const ours = wordsOf(wanted);
  const common = ours.filter((word) => theirs.has(word)).length;
  return (0.9 * common) / Math.max(theirs.size, ours.length, 1);
}

function wordsOf(line: string): string[] {
  return (
    line
      .slice(0, MAX_COMPARED)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}

function bare(line: string): string {
  return line.slice(0, MAX_COMPARED).replace(/\s+/g, '').toLowerCase();
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
