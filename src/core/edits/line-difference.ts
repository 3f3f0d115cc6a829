// Says in words how wanted lines differ from the lines that are in a file.
import { wholeHead } from './number-lines';

const MAX_QUOTED = 160;
/** Characters of a line; longer ones are only quoted. */
const MAX_COMPARED = 10_000;

/** `line` is the 1-based number of the first of `found`. Both sides are lines without endings. */
export function describeDifference(wanted: string[], found: string[], line: number): string {
  const place = wanted.length === 1 ? `line ${line}` : `lines ${line}–${line + wanted.length - 1}`;
  const differing = wanted.map((_line, index) => index).filter((index) => !matches(wanted, found, index));
  const [first] = differing;
  if (first === undefined) return `The nearest text is at ${place}.`;
  const theirs = found[first];
  const ours = wanted[first] ?? '';
  if (theirs === undefined) {
    return `The nearest text is at ${place}, but the file ends after line ${line + found.length - 1}.`;
  }
  const kinds = new Set(differing.map((index) => kindOf(wanted[index] ?? '', found[index] ?? '')));
  const [kind] = kinds;
  if (kinds.size === 1 && kind && kind !== 'text') {
    const count = wanted.length > 1 && differing.length > 1 ? ` in ${differing.length} lines` : '';
    const what = details(kind, ours, theirs, line + first);
    return `The nearest text is at ${place} and differs only in ${KINDS[kind]}${count}: ${what}`;
  }
  const which = differing.length === 1 ? 'one line' : `${differing.length} of ${wanted.length} lines`;
  const lead = wanted.length === 1 ? '' : ` and differs in ${which}`;
  const what = `Line ${line + first} of the file is ${quote(theirs)}, old_string has ${quote(ours)}.`;
  return `The nearest text is at ${place}${lead}. ${what}`;
}

type Kind = 'whitespace' | 'case' | 'characters' | 'text';

const KINDS: Record<Exclude<Kind, 'text'>, string> = {
  whitespace: 'whitespace',
  case: 'upper and lower case',
  characters: 'characters that look alike',
};

/** The first wanted line may start, and the last one stop, in the middle of a line. */
function matches(wanted: string[], found: string[], index: number): boolean {
  const ours = wanted[index] ?? '';
  const theirs = found[index];
  if (theirs === undefined) return false;
  if (ours === theirs) return true;
  const isFirst = index === 0;
  const isLast = index === wanted.length - 1;
  if (isFirst && isLast) return theirs.includes(ours);
  return (isFirst && theirs.endsWith(ours)) || (isLast && theirs.startsWith(ours));
}

function kindOf(ours: string, theirs: string): Kind {
  if (ours.length > MAX_COMPARED || theirs.length > MAX_COMPARED) return 'text';
  const same = (change: (text: string) => string): boolean =>
    change(ours) === change(theirs) || (change(ours) !== '' && change(theirs).includes(change(ours)));
  if (same(withoutSpace)) return 'whitespace';
  if (same((text) => withoutSpace(text).toLowerCase())) return 'case';
  if (same((text) => withoutSpace(plain(text)))) return 'characters';
  return 'text';
}

function withoutSpace(text: string): string {
  return text.replace(/[ \t]+/g, '');
}

/** Typographic characters as their plain forms, composed letters, no invisible ones. Escaped: one other character doubles the bundle in memory. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ');
}

function details(kind: Exclude<Kind, 'text'>, ours: string, theirs: string, line: number): string {
  if (kind === 'whitespace') return whitespaceDetails(ours, theirs, line);
  if (kind === 'case') return `line ${line} of the file is ${quote(theirs)}.`;
  const [mine, other] = firstDifference(ours.trim(), theirs.trim());
  return `line ${line} of the file has ${name(other)} where old_string has ${name(mine)}.`;
}

function whitespaceDetails(ours: string, theirs: string, line: number): string {
  const leading = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';
  const trailing = (text: string): string => /[ \t]*$/.exec(text)?.[0] ?? '';
  if (ours.trim() === theirs.trim() || theirs.trim() === '') {
    if (leading(ours) !== leading(theirs)) {
      const indented = spaces(leading(theirs));
      return `line ${line} of the file is indented by ${indented}, old_string by ${spaces(leading(ours))}.`;
    }
    const ends = spaces(trailing(theirs));
    return `line ${line} of the file ends with ${ends}, old_string with ${spaces(trailing(ours))}.`;
  }
  return `line ${line} of the file is ${quote(theirs)}.`;
}

function spaces(text: string): string {
  if (text === '') return 'nothing';
  const runs = text.match(/ +|\t+/g) ?? [];
  const named = runs.map((run) => `${run.length} ${run.startsWith(' ') ? 'space' : 'tab'}${run.length > 1 ? 's' : ''}`);
  return named.join(' and ');
}

function firstDifference(left: string, right: string): [string, string] {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index++;
  return [left.slice(index), right.slice(index)];
}

function name(rest: string): string {
  const code = rest.codePointAt(0);
  if (code === undefined) return 'nothing';
  return `\`${String.fromCodePoint(code)}\` (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

export function quote(text: string): string {
  const shown = text.length > MAX_QUOTED ? `${wholeHead(text, MAX_QUOTED)}…` : text;
  return JSON.stringify(shown);
}
