// The patterns of Bash rules: exact, `prefix:*`, and `*` anywhere.
import { matchPieces } from './wildcard';

export interface CommandPattern {
  /** Matches one command text only. */
  exact: boolean;
  /** The words before the first `*`. */
  fixedWords: string[];
  /** What every text that matches has before its first blank; undefined where that may differ. */
  firstWord: string | undefined;
  matches(text: string): boolean;
}

/** `ls *` and `ls:*` match `ls` and `ls -l`, not `lsof`. `\*` is a star, `\\` a backslash. */
export function commandPattern(content: string): CommandPattern {
  const cached = patterns.get(content);
  if (cached !== undefined) return cached;
  const pattern = compile(content);
  if (patterns.size >= maxCached) patterns.clear();
  patterns.set(content, pattern);
  return pattern;
}

/** The text as a pattern that matches only itself. */
export function escapeCommand(command: string): string {
  return command.replace(/\\(?=[\\*])|\*/g, (character) => `\\${character}`);
}

/** The reverse of escapeCommand. */
export function unescapeCommand(content: string): string {
  return content.replace(/\\([\\*])/g, '$1');
}

/** Up to the first blank. */
export function firstWordOf(text: string): string {
  const blank = text.indexOf(' ');
  return blank < 0 ? text : text.slice(0, blank);
}

const maxCached = 2000;
const patterns = new Map<string, CommandPattern>();

/** What a rule says about the assignments in front of a command, and about the command itself. */
export interface AllowPattern {
  assignments: readonly CommandPattern[];
  pattern: CommandPattern;
}

/** `A=1 make:*` is about `make` with just that in front of it. */
export function allowPattern(content: string): AllowPattern {
  const cached = allowPatterns.get(content);
  if (cached !== undefined) return cached;
  const assignments: CommandPattern[] = [];
  let rest = content.replace(/:\*$/, ' *');
  for (let found = assignment.exec(rest); found !== null; found = assignment.exec(rest)) {
    assignments.push(commandPattern(found[1] ?? ''));
    rest = rest.slice(found[0].length);
  }
  const pattern: AllowPattern = {
    assignments,
    pattern: commandPattern(assignments.length === 0 ? content : rest),
  };
  if (allowPatterns.size >= maxCached) allowPatterns.clear();
  allowPatterns.set(content, pattern);
  return pattern;
}

const allowPatterns = new Map<string, AllowPattern>();

/** As a shell reads it: quotes and escapes may hold blanks. What follows it is not part of the name. */
const assignment = /^([A-Za-z_]\w*\+?=(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])*)(?:\s+|$)/s;

function compile(content: string): CommandPattern {
  const boundary = /(:| +)\*$/.exec(content);
  const trailing = boundary !== null;
  const body = trailing ? content.slice(0, boundary.index) : content;
  const pieces = splitAtStars(body);
  const [first = ''] = pieces;
  const fixedWords = first
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const whole = pieces.length === 1 || first.includes(' ');
  const firstWord = whole ? firstWordOf(first) : undefined;
  if (!trailing && pieces.length === 1)
    return { exact: true, fixedWords, firstWord, matches: (text) => text === first };
  const withArguments = [...pieces.slice(0, -1), `${pieces.at(-1) ?? ''} `, ''];
  return {
    exact: false,
    fixedWords,
    firstWord,
    matches: (text) => matchPieces(pieces, text) || (trailing && matchPieces(withArguments, text)),
  };
}

function splitAtStars(body: string): string[] {
  const pieces = [''];
  for (let index = 0; index < body.length; index++) {
    const character = body[index] ?? '';
    const next = body[index + 1];
    if (character === '\\' && (next === '*' || next === '\\')) {
      pieces[pieces.length - 1] += next;
      index++;
    } else if (character === '*') pieces.push('');
    else pieces[pieces.length - 1] += character;
  }
  return pieces;
}
