// A search pattern in ripgrep's syntax as a JavaScript regular expression, and the lines of a text that it matches.
import { headOf } from '../../shared/cut-text';
import { type GrepQuery } from '../ports/search';

export interface LineMatch {
  /** 1-based. */
  line: number;
  text: string;
}

/** Longer lines are looked at as far as this: a pattern may take quadratic time. */
const maxLineCharacters = 10_000;

/** Throws SyntaxError with the engine's words. */
export function searchExpression(query: Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline'>): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(query.pattern);
  const body = query.pattern.slice(inline?.[0].length ?? 0).replaceAll('(?P<', '(?<');
  const wanted = new Set(`gm${inline?.[1] ?? ''}${query.ignoreCase ? 'i' : ''}${query.multiline ? 's' : ''}`);
  const flags = [...wanted].join('');
  try {
    return new RegExp(body, `${flags}u`);
  } catch {
    // Unicode mode refuses escapes that ripgrep takes, such as `\-`.
    return new RegExp(body, flags);
  }
}

export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The matching lines, or with `onlyMatching` the matches: one entry for each line that a match touches. */
export function matchesIn(
  lines: readonly string[],
  expression: RegExp,
  query: Pick<GrepQuery, 'multiline' | 'onlyMatching'>,
): LineMatch[] {
  return query.multiline
    ? acrossLines(lines, expression, query.onlyMatching)
    : lineByLine(lines, expression, query.onlyMatching);
}

function lineByLine(lines: readonly string[], expression: RegExp, onlyMatching: boolean): LineMatch[] {
  return lines.flatMap((whole, index) => {
    const text = headOf(whole, maxLineCharacters);
    if (!onlyMatching) return text.search(expression) >= 0 ? [{ line: index + 1, text }] : [];
    return [...text.matchAll(expression)]
      .filter(([match]) => match !== '')
      .map(([match]) => ({ line: index + 1, text: match }));
  });
}

function acrossLines(lines: readonly string[], expression: RegExp, onlyMatching: boolean): LineMatch[] {
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.length + 1;
  }
  const found = new Map<number, LineMatch>();
  const parts: LineMatch[] = [];
  let at = 0;
  for (const match of lines.join('\n').matchAll(expression)) {
    while (at + 1 < starts.length && (starts[at + 1] ?? 0) <= match.index) at++;
    const pieces = match[0].split('\n');
    // A newline at the end of a match does not make the next line part of it.
    if (pieces.length > 1 && pieces.at(-1) === '') pieces.pop();
    pieces.forEach((text, offset) => {
      const line = at + offset + 1;
      parts.push({ line, text });
      found.set(line, { line, text: lines[line - 1] ?? '' });
    });
  }
  return onlyMatching ? parts.filter((part) => part.text !== '') : [...found.values()];
}
