// The programs whose arguments Deft knows: which of them are paths, and which of those are written.
import { readAwkCall } from './programs/awk-program';
import { gitPaths, gitPuts, gitShowsFiles } from './git-paths';
import { readSedCall } from './programs/sed-script';
import { type ShellWord } from './simple-command';

export interface Kind {
  /** Which operands are written; `sed`: all, where it edits in place. */
  write: 'none' | 'all' | 'last' | 'sed';
  select: (operands: ShellWord[], args: readonly ShellWord[]) => ShellWord[];
  /** Short options whose next word is not a path: only those that need one on every system. */
  valued?: string;
  /** Short options that never take a value: only after these is a valued one in a bundle what it seems. */
  flags?: string;
  /** Long options whose value is not a path. */
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

export const kinds = new Map<string, Kind>([
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
    // Two folders are compared by their contents; which words are folders only the host can determine, except for these.
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
  ...reading('jq', '', { select: afterPattern }),
  ...reading('awk gawk mawk', 'Fv', { select: awkFiles }),
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

function sedFiles(operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  const call = readSedCall(args.map((word) => word.value));
  if (call === undefined) return afterPattern(operands, args);
  return call.files.length === 0 ? [] : args.slice(-call.files.length);
}

function awkFiles(operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  const call = readAwkCall(args.map((word) => word.value));
  if (call === undefined) return afterPattern(operands, args);
  return call.files.length === 0 ? [] : args.slice(-call.files.length);
}

function ddPaths(_operands: ShellWord[], args: readonly ShellWord[]): ShellWord[] {
  return args.flatMap((word) => {
    const value = /^(?:if|of)=(.+)$/.exec(word.value)?.[1];
    return value === undefined ? [] : [{ ...word, value }];
  });
}
