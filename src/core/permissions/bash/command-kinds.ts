// Which paths a command of a known kind reads and writes.
import { commandName, type ShellWord } from './simple-command';
import { readSedCall } from './sed-script';
import { transferPaths } from './transfer-paths';
import { normalPath } from '../rules/workspace-path';
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
    access: kind.write === 'none' && !option.startsWith('out') ? 'read' : 'write',
  }));
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

/** A path with `..`, which the system takes from where the links in front of it lead. */
export interface Climb {
  from: string;
  text: string;
}

export type ResolvedUse =
  | { known: true; path: string; glob: boolean; climb?: Climb }
  /** Nobody can tell where it points to; `guess` holds if no name in front of a `..` is a link. */
  | { known: false; guess?: string; climb?: Climb };

/** Where the path of a use points to, from the folder `cwd`. For a glob: the folder in front of it. */
export function resolveUse(use: Pick<PathUse, 'word' | 'path'>, cwd: string | undefined, home: string): ResolvedUse {
  const { word, path } = use;
  if (word.kind === 'dynamic' || path.includes('\\')) return { known: false };
  let text = cwd === undefined ? path : path.replace(/^\/proc\/(self|thread-self)\/cwd(?=\/|$)/, () => cwd);
  if (word.tilde && word.value === path) {
    text = text.replace(/^~\+(?=\/|$)/, () => cwd ?? '~+');
    if (!isAbsolute(text) && text !== '~' && !text.startsWith('~/')) return { known: false };
    if (!isAbsolute(text)) text = join(home, text.slice(1));
  }
  const star = word.kind === 'glob' ? text.search(/[*?[]/) : -1;
  if (star >= 0) {
    if (/(^|\/)\.\.(\/|$)/.test(text.slice(star)) || /(^|\/)\.[*?[]/.test(text)) return { known: false };
    text = text.slice(0, text.lastIndexOf('/', star) + 1) || '.';
  }
  if (cwd === undefined && !isAbsolute(text)) return { known: false };
  const resolved = normalPath(isAbsolute(text) ? text : join(cwd ?? '/', text));
  const climb =
    /(^|\/)\.\.(\/|$)/.test(text) && !/^[A-Za-z]:/.test(text)
      ? { climb: { from: isAbsolute(text) ? '/' : (cwd ?? '/'), text } }
      : {};
  return leadsUpBehindName(text)
    ? { known: false, guess: resolved, ...climb }
    : { known: true, path: resolved, glob: star >= 0, ...climb };
}

/** `a/../b`: the system follows `a` first, and if that is a link, `..` is somewhere else. */
function leadsUpBehindName(path: string): boolean {
  return /(^|\/)\.\.(\/|$)/.test(path.replace(/^\/*(\.{1,2}(\/+|$))*/, ''));
}

interface Kind {
  /** Which operands are written; `sed`: all, where it edits in place. */
  write: 'none' | 'all' | 'last' | 'sed';
  select: (operands: ShellWord[], args: readonly ShellWord[]) => ShellWord[];
  /** Short options whose next word is no path: only those that need one on every system. */
  valued?: string;
  /** Short options that never take a value: only behind these is a valued one in a bundle what it seems. */
  flags?: string;
  /** Long options whose value is no path. */
  skipped?: string;
  recursive?: (args: readonly ShellWord[]) => boolean;
  follows?: (args: readonly ShellWord[]) => boolean;
  content?: boolean;
  /** Which single operands are written all the same. */
  puts?: (args: readonly ShellWord[]) => (word: ShellWord, index: number) => boolean;
  /** Short options that name a file to write. */
  writes?: string;
  /** Its options are words, not bundles of letters. */
  noBundles?: boolean;
}

const all = (operands: ShellWord[]): ShellWord[] => operands;
const second =
  () =>
  (_word: ShellWord, index: number): boolean =>
    index === 1;
const butFirst = (operands: ShellWord[]): ShellWord[] => operands.slice(1);
const hasShort = (args: readonly ShellWord[], letters: string): boolean =>
  args.some((word) => /^-[^-]/.test(word.value) && [...letters].some((letter) => word.value.includes(letter)));

/** Also shortened. */
const hasLong = (args: readonly ShellWord[], option: string): boolean =>
  args.some(({ value }) => value.length > 3 && value.startsWith('--') && `--${option}`.startsWith(value));

/** Without `-e` or `-f`, in a bundle or shortened, the first operand is the pattern, unless it may belong to an option. */
function afterPattern(operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  const [first] = operands;
  const elsewhere = args.some(({ value }) => {
    if (!value.startsWith('--')) return /^-.*[ef]/.test(value);
    const name = /^--([^=]*)/.exec(value)?.[1] ?? '';
    return (
      name !== '' && ['regexp', 'file', 'files', 'expression', 'from-file'].some((option) => option.startsWith(name))
    );
  });
  const before = first === undefined ? undefined : args[args.indexOf(first) - 1]?.value;
  const valued = before !== undefined && /^--[^=]+$/.test(before) && !longFlags.has(before.slice(2));
  return elsewhere || valued ? operands : operands.slice(1);
}

/** Long options of searching commands that take no value. */
const longFlags = new Set(
  (
    'color colour ignore-case line-number count recursive files-with-matches files-without-match no-heading heading hidden no-ignore ' +
    'word-regexp line-regexp fixed-strings extended-regexp basic-regexp perl-regexp smart-case case-sensitive multiline only-matching ' +
    'invert-match quiet silent no-filename with-filename json stats raw-output compact-output slurp null-input exit-status tab ' +
    'sort-keys vimgrep column pcre2 no-messages text null no-line-number'
  ).split(' '),
);

/** Names and numbers only, unless an option asks for more. */
const plainGitOptions =
  /^(-n\d*|-\d+|-i|--|--(oneline|stat|shortstat|numstat|name-only|name-status|graph|all|decorate|no-decorate|reverse|merges|no-merges|first-parent|follow|abbrev-commit|branches|tags|remotes|no-color|cached|staged|quiet|exit-code|no-patch|(decorate|format|pretty|max-count|since|until|after|before|author|grep|date|color|stat)=[\s\S]*))$/;
const gitSummaries = /^--(stat|shortstat|numstat|name-only|name-status|no-patch|quiet)(=|$)/;

/** True where git shows what is in files that it is not given by name. */
function gitShowsFiles(args: readonly ShellWord[]): boolean {
  const values = args.map((word) => word.value);
  const start = values.findIndex((value) => !value.startsWith('-'));
  const rest = values.slice(start + 1);
  const plain = rest.every((value) => !value.startsWith('-') || plainGitOptions.test(value));
  switch (values[start]) {
    case 'log':
    case 'reflog':
    case 'whatchanged':
    case 'shortlog':
    case 'rev-list':
      return !plain;
    case 'stash':
      return rest[0] !== 'list' || !plain;
    case 'show':
    case 'diff':
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files':
      return !plain || !rest.some((value) => gitSummaries.test(value));
    case 'grep':
    case 'range-diff':
    case 'cat-file':
    case 'blame':
    case 'annotate':
      return true;
    default:
      return false;
  }
}

function findFolders(_operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  const found: ShellWord[] = [];
  let inFolders = true;
  args.forEach((word, index) => {
    if (/^-[LHPDO]/.test(word.value) && inFolders) return;
    if (/^[-(!,]/.test(word.value) || word.value === '\\(') inFolders = false;
    if (inFolders || /^-(newer|anewer|cnewer|samefile|fls|fprint0?|fprintf)/.test(args[index - 1]?.value ?? ''))
      found.push(word);
  });
  return found;
}

const reading = (names: string, valued = '', extra: Partial<Kind> = {}): [string, Kind][] =>
  names.split(' ').map((name) => [name, { write: 'none', select: all, valued, content: true, ...extra }]);
const writing = (names: string, write: Kind['write'], select = all, valued = ''): [string, Kind][] =>
  names.split(' ').map((name) => [name, { write, select, valued }]);

const kinds = new Map<string, Kind>([
  ...reading(
    'cat tac rev less more bat nl strings readlink realpath cmp comm join cksum sum base64 hexdump view vi vim nano',
  ),
  ...reading('wc', '', { content: false }),
  ...reading('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum zcat gunzip'),
  ...reading('xxd', 'clgso', { flags: 'abeEipruC', puts: second }),
  ...reading('head tail', 'nc', { flags: 'qv' }),
  ...reading('sort', 'ktS', { flags: 'bdfgiMhnRrVcCmsuz', writes: 'o' }),
  ...reading('cut', 'dfcb', { flags: 'nsz', skipped: 'output-delimiter delimiter' }),
  ...reading('uniq', 'fs', { flags: 'cdiu', puts: second }),
  ...reading(
    'source . pr shuf iconv base32 basenc split csplit hd xzcat bzcat zstdcat lz4cat zless zmore bat batcat vimdiff hexyl',
    '',
    {},
  ),
  ...reading('fold', 'w', { flags: 'bs' }),
  ...reading('fmt', 'w', { flags: 'cstu' }),
  ...reading('expand unexpand', 't', { flags: 'ai' }),
  ...reading('column', 'sc', { flags: 'tx' }),
  ...reading('paste', 'd', { flags: 's' }),
  ...reading('od', 'AjNt', { flags: 'abcdfiloxv' }),
  ...reading('diff', 'UCIxFW', {
    flags: 'abBdeEinNpqrstTuwy',
    recursive: (args) => hasShort(args, 'r') || hasLong(args, 'recursive'),
    // Two folders are compared by what is in them; which words are folders only the host can tell, but for these.
    follows: (args) =>
      (hasShort(args, 'r') || hasLong(args, 'recursive') || args.some((word) => /(^|\/)\.{0,2}$/.test(word.value))) &&
      !args.some((word) => word.value === '--no-dereference'),
  }),
  ...reading('stat', 'c', { content: false }),
  ...reading('ls dir vdir', '', { flags: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxX1', content: false }),
  ...reading('du', 'd', { flags: 'acDhHklLmsSx', content: false }),
  ...reading('tree', 'LPI', { flags: 'adfhins', content: false, follows: (args) => hasShort(args, 'l') }),
  ...reading('file df cd', '', { content: false }),
  ...reading('grep egrep fgrep zgrep', 'emABdD', {
    flags: 'EFGPivnclLoqsHhrRwxzZaU0123456789',
    select: afterPattern,
    skipped: 'include exclude exclude-dir color colour label',
    recursive: (args) => hasShort(args, 'rR') || args.some((word) => /^--(dereference-)?rec/.test(word.value)),
    follows: (args) => hasShort(args, 'R') || hasLong(args, 'dereference-recursive'),
  }),
  ...reading('rg', 'egtTmABCjMEr', {
    flags: 'iSsnNlcovwxFPUuaHIpq0.',
    follows: (args) => hasShort(args, 'L') || hasLong(args, 'follow'),
    select: afterPattern,
    skipped: 'glob iglob type color sort',
    recursive: () => true,
  }),
  ...reading('ag ack', '', { select: afterPattern, recursive: () => true }),
  ...reading('fd fdfind', 'etdEc', {
    flags: 'HIusigalpF01',
    content: false,
    follows: (args) => hasShort(args, 'L') || hasLong(args, 'follow'),
  }),
  ...reading('jq awk gawk mawk', '', { select: afterPattern }),
  ...reading('find', '', {
    puts: (args) => {
      const put = new Set(args.filter((_, index) => /^-(fls|fprint0?|fprintf)$/.test(args[index - 1]?.value ?? '')));
      return (word) => put.has(word);
    },
    select: findFolders,
    noBundles: true,
    content: false,
    follows: (args) => args.some((word) => /^-(L|follow)$/.test(word.value)),
  }),
  ...reading('git', '', {
    select: gitPaths,
    puts: gitPuts,
    flags: 'acdilnpqrsuvwz',
    recursive: gitShowsFiles,
    skipped: 'format pretty date since until author grep',
  }),
  ['sed', { write: 'sed', select: sedFiles, content: true, valued: 'el', skipped: 'expression' }],
  ...writing('rmdir unlink shred mv tee', 'all'),
  [
    'rm',
    {
      write: 'all',
      select: all,
      flags: 'dfirRv',
      content: true,
      recursive: (args) => hasShort(args, 'rR') || args.some((word) => word.value.startsWith('--r')),
    },
  ],
  [
    'cp',
    {
      write: 'last',
      select: all,
      flags: 'afinprRuv',
      content: true,
      recursive: (args) => hasShort(args, 'rRa') || args.some((word) => /^--(r|a)/.test(word.value)),
    },
  ],
  ...writing('mkdir', 'all', all, 'm'),
  ...writing('touch', 'all', all, 'dt'),
  ...writing('truncate', 'all', all, 's'),
  ...writing('ln rsync', 'last'),
  ...writing('install', 'last', all, 'mog'),
  ...writing('chmod chown chgrp', 'all', butFirst),
  ['dd', { write: 'all', select: ddPaths, noBundles: true }],
]);

/** `-t folder`: the others are only read, but which is which is not worth knowing. */
function targetOption(args: readonly ShellWord[]): boolean {
  return args.some((word) => /^(-[A-Za-z]*t|--target)/.test(word.value));
}

function isInPlace(args: readonly ShellWord[]): boolean {
  return args.some((word) => /^-[A-Za-z]*i|^--in/.test(word.value));
}

function sedFiles(operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  const call = readSedCall(args.map((word) => word.value));
  if (call === undefined) return afterPattern(operands, args);
  return call.files.length === 0 ? [] : args.slice(-call.files.length);
}

/** What is said about a commit, a tag or a stash is text. */
function withoutMessages(args: readonly ShellWord[]): readonly ShellWord[] {
  if (!/^(commit|tag|merge|stash|notes)$/.test(args[0]?.value ?? '')) return args;
  const end = args.findIndex(({ value }) => value === '--');
  return args.filter(({ value }, index) => {
    if (index === 0 || (end >= 0 && index >= end)) return true;
    const before = args[index - 1]?.value ?? '';
    return !/^(-[aqsvnpkf]*m|--message)$/.test(before) && !/^(-[aqsvnpkf]*m.|--message=)/s.test(value);
  });
}

/** Revisions and addresses of other machines are no paths; what clearly is one counts, also behind `HEAD:`. */
function gitPaths(operands: ShellWord[]): ShellWord[] {
  return operands.slice(1).flatMap((word) => {
    if (word.kind === 'literal' && /^((https?|ssh|git|ftps?):\/\/|[\w.-]+@[\w.-]+:)/.test(word.value)) return [];
    const path = /^[^/\s]*:(.+)$/.exec(word.value)?.[1];
    if (path !== undefined) return [{ ...word, value: path }];
    return /^\.\.[^/]/.test(word.value) || (/\.\.[^/]/.test(word.value) && !word.value.includes('../')) ? [] : [word];
  });
}

/** Archives, patches and bundles; the folder that a clone fills. */
function gitPuts(args: readonly ShellWord[]): (word: ShellWord) => boolean {
  const subcommand = args[0]?.value ?? '';
  const put = new Set<string | undefined>();
  if (subcommand === 'archive' || subcommand === 'format-patch')
    for (const [index, { value }] of args.entries()) if (value === '-o') put.add(args[index + 1]?.value);
  if (subcommand === 'bundle' && args[1]?.value === 'create') put.add(args[2]?.value);
  if (subcommand === 'clone' || subcommand === 'init') put.add(args.at(-1)?.value);
  return ({ value }) => put.has(value);
}

function ddPaths(_operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  return args.flatMap((word) => {
    const value = /^(?:if|of)=(.+)$/.exec(word.value)?.[1];
    return value === undefined ? [] : [{ ...word, value }];
  });
}

interface OptionValue {
  word: ShellWord;
  path: string;
  option: string;
}

function split(
  args: readonly ShellWord[],
  { valued = '', flags = '', skipped = '', writes = '', noBundles = false }: Kind,
): { operands: ShellWord[]; values: OptionValue[] } {
  const operands: ShellWord[] = [];
  const values: OptionValue[] = [];
  const skippedNames = skipped.split(' ');
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    if (word.value === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!word.value.startsWith('-')) operands.push(word);
    else if (word.value === '-') continue;
    else if (word.value.startsWith('--')) {
      const [, name = '', value] = /^--([^=]*)=?([\s\S]*)$/.exec(word.value) ?? [];
      const next = args[index + 1];
      if (value !== undefined && value !== '' && !skippedNames.includes(name))
        values.push({ word, path: value, option: name });
      else if (value === '' && name === 'output' && next !== undefined)
        values.push({ word: next, path: next.value, option: name });
    } else if (!noBundles && !/^-\d+$/.test(word.value)) {
      const letters = [...word.value.slice(1)];
      const end = letters.findIndex((letter) => !flags.includes(letter));
      const next = args[index + 1];
      if (end >= 0 && writes.includes(letters[end] ?? '-')) {
        const rest = letters.slice(end + 1).join('');
        if (rest !== '') values.push({ word, path: rest, option: 'output' });
        else if (next !== undefined) values.push({ word: next, path: next.value, option: 'output' });
        if (rest === '') index++;
      } else if (end >= 0 && valued.includes(letters[end] ?? '-')) {
        if (end === letters.length - 1) index++;
      } else if (end >= 0) values.push(...attachedValues(word));
    }
  }
  return { operands, values };
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
