// Which paths a command of a known kind reads and writes.
import { normalPath } from '../rules/workspace-path';
import { type Kind, kinds } from './command-kinds';
import { withoutMessages } from './git-paths';
import { commandName, type ShellWord } from './simple-command';
import { transferPaths } from './transfer-paths';
import { isAbsolute, join } from 'pathe';

export interface PathUse {
  access: 'read' | 'write';
  word: ShellWord;
  /** The part of the word that names the path. */
  path: string;
}

/** Names of the commands whose arguments Deft knows. */
export function knowsPathsOf(name: string): boolean {
  return kinds.has(name) || transferPaths(name, []) !== undefined;
}

export interface CommandPaths {
  uses: PathUse[];
  /** Reads what is below the folders that it is given. */
  recursive: boolean;
  /** Goes through links that it finds below those folders. */
  follows: boolean;
  /** Shows content, not only names and sizes. */
  content: boolean;
}

/** Undefined for commands whose arguments Deft knows nothing about. Wrappers are taken off by the caller. */
export function commandPaths(words: readonly ShellWord[]): CommandPaths | undefined {
  const name = commandName(words) ?? '';
  const transfer = transferPaths(name, words.slice(1));
  if (transfer !== undefined) return { ...transfer, follows: false, content: true };
  const kind = kinds.get(name);
  if (kind === undefined) return undefined;
  const args = name === 'git' ? withoutMessages(words.slice(1)) : words.slice(1);
  const { operands, values } = split(args, kind);
  const paths: PathUse[] = values.map(({ word, path, option }) => ({
    word,
    path,
    access: kind.write === 'none' && !isOutput(option) ? 'read' : 'write',
  }));
  for (const { word, path } of listedNames(name, args)) {
    paths.push({ access: 'read', word, path }, { access: 'read', word: { ...word, kind: 'dynamic' }, path });
  }
  const named = kind.select(operands, args);
  const writesAll =
    kind.write === 'all' || (kind.write === 'last' && targetOption(args)) || (kind.write === 'sed' && isInPlace(args));
  const puts = kind.puts?.(args);
  named.forEach((word, index) => {
    const last = index === named.length - 1;
    const access = writesAll || (kind.write === 'last' && last) || puts?.(word, index) === true ? 'write' : 'read';
    paths.push({ access, word, path: word.value });
  });
  return {
    uses: paths,
    recursive: kind.recursive?.(args) ?? false,
    follows: kind.follows?.(args) ?? false,
    content: kind.content ?? false,
  };
}

/** A path with `..`, which the system takes from where the links before it lead. */
export interface Climb {
  from: string;
  text: string;
}

export type ResolvedUse =
  /** `pattern`: the whole of a glob. */
  | { known: true; path: string; pattern?: string; climb?: Climb }
  /** Where it points cannot be determined; `guess` holds if no name before a `..` is a link. */
  | { known: false; guess?: string; climb?: Climb };

/** Where the path of a use points to, from the folder `cwd`. For a glob: the folder before it. */
export function resolveUse(use: Pick<PathUse, 'word' | 'path'>, cwd: string | undefined, home: string): ResolvedUse {
  const { word } = use;
  const written = homeExpanded(use, cwd, home);
  const star = word.kind === 'glob' ? (written?.search(/[*?[]/) ?? -1) : -1;
  const text = written === undefined || star < 0 ? written : folderOfGlob(written, star);
  if (text === undefined || (cwd === undefined && !isAbsolute(text))) return { known: false };
  const from = isAbsolute(text) ? '/' : (cwd ?? '/');
  const resolved = normalPath(isAbsolute(text) ? text : join(from, text));
  const climb = /(^|\/)\.\.(\/|$)/.test(text) && !/^[A-Za-z]:/.test(text) ? { climb: { from, text } } : {};
  return leadsUpBehindName(text)
    ? { known: false, guess: resolved, ...climb }
    : { known: true, path: resolved, ...(star < 0 ? {} : { pattern: patternOf(written ?? '', from) }), ...climb };
}

/** Absolute, and otherwise as written: a star may be any name but `..`. */
function patternOf(written: string, from: string): string {
  return normalPath(isAbsolute(written) ? written : join(from, written));
}

/** With what `~` and the folder's name in `/proc` stand for; undefined where that cannot be determined. */
function homeExpanded(
  { word, path }: Pick<PathUse, 'word' | 'path'>,
  cwd: string | undefined,
  home: string,
): string | undefined {
  if (word.kind === 'dynamic' || path.includes('\\')) return undefined;
  const text = cwd === undefined ? path : path.replace(/^\/proc\/(self|thread-self)\/cwd(?=\/|$)/, () => cwd);
  if (!word.tilde || word.value !== path) return text;
  const plain = text.replace(/^~\+(?=\/|$)/, () => cwd ?? '~+');
  if (isAbsolute(plain)) return plain;
  return plain === '~' || plain.startsWith('~/') ? join(home, plain.slice(1)) : undefined;
}

/** The folder before a pattern; undefined where the pattern may lead up. */
function folderOfGlob(text: string, star: number): string | undefined {
  if (/(^|\/)\.\.(\/|$)/.test(text.slice(star)) || /(^|\/)\.[*?[]/.test(text)) return undefined;
  return text.slice(0, text.lastIndexOf('/', star) + 1) || '.';
}

/** `a/../b`: the system follows `a` first, and if that is a link, `..` is somewhere else. */
function leadsUpBehindName(path: string): boolean {
  return /(^|\/)\.\.(\/|$)/.test(path.replace(/^\/*(\.{1,2}(\/+|$))*/, ''));
}

/** `-t folder`: the others are only read, but which is which is not worth knowing. */
function targetOption(args: readonly ShellWord[]): boolean {
  return args.some((word) => /^(-[A-Za-z]*t|--target)/.test(word.value));
}

function isInPlace(args: readonly ShellWord[]): boolean {
  return args.some((word) => /^-[A-Za-z]*i|^--in/.test(word.value));
}

interface OptionValue {
  word: ShellWord;
  path: string;
  option: string;
}

function split(args: readonly ShellWord[], kind: Kind): { operands: ShellWord[]; values: OptionValue[] } {
  const operands: ShellWord[] = [];
  const values: OptionValue[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    const { value } = word;
    if (value === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    // The dash alone may be a pattern, or stand for a file that is read: what follows it is the next operand.
    if (!value.startsWith('-') || value === '-') operands.push(word);
    else if (value.startsWith('--')) values.push(...valueOfLong(word, args[index + 1], kind));
    else if (kind.noBundles !== true && !/^-\d+$/.test(value)) {
      const bundle = valuesOfBundle(word, args[index + 1], kind);
      values.push(...bundle.values);
      if (bundle.takesNext) index++;
    }
  }
  return { operands, values };
}

/** Files whose content names what is read: nobody sees that in the line. */
function listedNames(name: string, args: readonly ShellWord[]): { word: ShellWord; path: string }[] {
  if (name === 'strings')
    return args.flatMap((word) => (word.value.startsWith('@') ? [{ word, path: word.value.slice(1) }] : []));
  const option = listing.get(name);
  if (option === undefined) return [];
  return args.flatMap((word) => {
    const [given = '', ...value] = word.value.split('=');
    return given.length > 2 && option.startsWith(given) ? [{ word, path: value.join('=') || given }] : [];
  });
}

const listing = new Map([
  ['wc', '--files0-from'],
  ['du', '--files0-from'],
  ['sort', '--files0-from'],
  ['file', '--files-from'],
  ['find', '-files0-from'],
  ['rsync', '--files-from'],
]);

/** Also shortened. */
function isOutput(option: string): boolean {
  return option !== '' && ('output'.startsWith(option) || /^(out|export-m|index-o)/.test(option));
}

function valueOfLong(word: ShellWord, next: ShellWord | undefined, { skipped = '' }: Kind): OptionValue[] {
  const [, name = '', value] = /^--([^=]*)=?([\s\S]*)$/.exec(word.value) ?? [];
  if (value !== undefined && value !== '')
    return skipped.split(' ').includes(name) ? [] : [{ word, path: value, option: name }];
  return (value === undefined || value === '') && isOutput(name) && next !== undefined
    ? [{ word: next, path: next.value, option: 'output' }]
    : [];
}

/** The values of short options after one dash. */
function valuesOfBundle(
  word: ShellWord,
  next: ShellWord | undefined,
  { valued = '', flags = '', writes = '' }: Kind,
): { values: OptionValue[]; takesNext: boolean } {
  const letters = [...word.value.slice(1)];
  const end = letters.findIndex((letter) => !flags.includes(letter));
  const letter = letters[end];
  if (letter === undefined) return { values: [], takesNext: false };
  const rest = letters.slice(end + 1).join('');
  if (writes.includes(letter)) {
    const target = rest === '' ? next : word;
    const values =
      target === undefined ? [] : [{ word: target, path: rest === '' ? target.value : rest, option: 'output' }];
    return { values, takesNext: rest === '' };
  }
  if (valued.includes(letter)) return { values: [], takesNext: rest === '' };
  return { values: attachedValues(word), takesNext: false };
}

/** Where one of the letters takes the rest of the word as its value, nobody knows which: each rest is one. */
function attachedValues(word: ShellWord): OptionValue[] {
  const found: OptionValue[] = [];
  for (let start = 2; start < word.value.length; start++) {
    if (start > maxLetters) return [...found, { word: { ...word, kind: 'dynamic' }, path: word.value, option: '' }];
    found.push({ word, path: word.value.slice(start), option: word.value[start - 1] ?? '' });
    if (!/[A-Za-z\d]/.test(word.value[start] ?? '')) break;
  }
  return found;
}

const maxLetters = 40;
