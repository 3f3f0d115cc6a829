// Which files curl, wget, tar and unzip read and write: their options name them, their other words are addresses or members.
import { type ShellWord } from './simple-command';

export interface TransferUse {
  access: 'read' | 'write';
  word: ShellWord;
  path: string;
}

export interface TransferPaths {
  uses: TransferUse[];
  /** Packs whole folders. */
  recursive: boolean;
}

/** Undefined for other programs. */
export function transferPaths(name: string, args: readonly ShellWord[]): TransferPaths | undefined {
  const values = readers.get(name);
  if (values !== undefined) return { uses: values(args), recursive: false };
  return /^(g|bsd)?tar$/.test(name) ? tarPaths(args) : undefined;
}

const readers = new Map<string, (args: readonly ShellWord[]) => TransferUse[]>([
  ['curl', curlPaths],
  ['wget', wgetPaths],
  ['unzip', unzipPaths],
]);

interface GivenOption {
  /** `-o` or `--output`. */
  name: string;
  word: ShellWord;
  value: string;
}

/** Options with their values, after a letter or `=` or as the next word; `flags` are the letters that take none. */
function optionsOf(args: readonly ShellWord[], flags: string): { given: GivenOption[]; operands: ShellWord[] } {
  const given: GivenOption[] = [];
  const operands: ShellWord[] = [];
  let skip = false;
  args.forEach((word, index) => {
    const { value } = word;
    const next = args[index + 1];
    if (skip) {
      skip = false;
      return;
    }
    if (!value.startsWith('-') || value === '-') return void operands.push(word);
    if (value.startsWith('--')) {
      const equals = value.indexOf('=');
      if (equals > 0) given.push({ name: value.slice(0, equals), word, value: value.slice(equals + 1) });
      else if (next !== undefined) given.push({ name: value, word: next, value: next.value });
      return;
    }
    const letters = value.slice(1);
    const at = [...letters].findIndex((letter) => !flags.includes(letter));
    if (at < 0) return;
    const rest = letters.slice(at + 1);
    const name = `-${letters[at] ?? ''}`;
    if (rest !== '') given.push({ name, word, value: rest });
    else if (next !== undefined) {
      given.push({ name, word: next, value: next.value });
      skip = true;
    }
  });
  return { given, operands };
}

const isOf = (names: string): ((name: string) => boolean) => {
  const set = new Set(names.split(' '));
  return (name) => set.has(name);
};

const curlWrites = isOf(
  '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl',
);
const curlReads = isOf('-T --upload-file -K --config --netrc-file --etag-compare --cert -E --key --cacert --capath');
/** `@file`, or `name=@file`. */
const curlData = isOf(
  '-d --data --data-ascii --data-binary --data-raw --data-urlencode --json --url-query -F --form -H --header -w --write-out',
);

function curlPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, '#0123469BGIJLMNORSVZafgijklnpqsv:');
  const uses = given.flatMap(({ name, word, value }): TransferUse[] => {
    if (isDevice(value)) return [];
    if (curlWrites(name)) return [{ access: 'write', word, path: value }];
    if (curlReads(name)) return [{ access: 'read', word, path: value }];
    if (name === '-b' || name === '--cookie') return value.includes('=') ? [] : [{ access: 'read', word, path: value }];
    const file = curlData(name) && name !== '--data-raw' ? /^(?:[\w.[\]-]*=?)[@<]([^;]+)/.exec(value)?.[1] : undefined;
    if (file === undefined || isDevice(file)) return [];
    return [{ access: 'read', word, path: file }];
  });
  const named = args.some(({ value }) => /^-[A-Za-z#]*O|^--remote-name/.test(value))
    ? operands.flatMap(nameInAddress)
    : [];
  return [
    ...uses,
    ...named,
    ...[...operands, ...given.flatMap(({ name, word }) => (name.startsWith('--') ? [word] : []))].flatMap(fileAddress),
  ];
}

/** What is fetched may take its name from the address. */
function nameInAddress(word: ShellWord): TransferUse[] {
  const path = /\/([^/?#]+)(?:[?#].*)?$/.exec(word.value.replace(/^\w+:\/\//, ''))?.[1];
  return path === undefined || path.startsWith('$')
    ? []
    : [{ access: 'write', word: { ...word, kind: 'literal', tilde: false }, path }];
}

function fileAddress(word: ShellWord): TransferUse[] {
  const path = /^(?:--\w+=)?file:\/*(\/.*)$/i.exec(word.value)?.[1];
  return path === undefined ? [] : [{ access: 'read', word, path }];
}

const wgetWrites = isOf(
  '-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --rejected-log --warc-file',
);
const wgetReads = isOf(
  '-i --input-file --post-file --body-file --load-cookies --ca-certificate --certificate --private-key --config',
);

function wgetPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, '46EFHKLNSVbcdhkmnpqrvx');
  const elsewhere = given.some(({ name }) => /^(-[OP]|--output-document|--directory-prefix)$/.test(name));
  return [
    ...(elsewhere ? [] : operands.flatMap(nameInAddress)),
    ...given.flatMap(({ name, word, value }): TransferUse[] => {
      if (isDevice(value)) return [];
      if (wgetWrites(name)) return [{ access: 'write', word, path: value }];
      return wgetReads(name) ? [{ access: 'read', word, path: value }] : [];
    }),
  ];
}

function unzipPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, 'ZACDKLMTUWX:abcfjlnopqstuvz');
  const [archive] = operands;
  return [
    ...(archive === undefined ? [] : [{ access: 'read' as const, word: archive, path: archive.value }]),
    ...given.flatMap(({ name, word, value }): TransferUse[] =>
      name === '-d' ? [{ access: 'write', word, path: value }] : [],
    ),
  ];
}

const tarValued = 'fCTXgbHNLKVIFs';

interface TarWords {
  /** `c`: it writes an archive, `x`: it unpacks one. */
  mode: '' | 'c' | 'x';
  archives: ShellWord[];
  folders: ShellWord[];
  members: ShellWord[];
}

function tarPaths(args: readonly ShellWord[]): TransferPaths {
  const words: TarWords = { mode: '', archives: [], folders: [], members: [] };
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    if (word.value.startsWith('--')) index += readTarOption(word, args[index + 1], words);
    else if (index > 0 && !word.value.startsWith('-')) words.members.push(word);
    else index += readTarLetters(word, args.slice(index + 1), words);
  }
  const { mode, archives, folders, members } = words;
  const use =
    (access: TransferUse['access']) =>
    (word: ShellWord): TransferUse => ({ access, word, path: word.value });
  const local = archives.filter(({ value }) => value !== '-' && !/^[\w.@-]+:/.test(value));
  return {
    uses: [
      ...local.map(use(mode === 'c' ? 'write' : 'read')),
      ...folders.map(use(mode === 'x' ? 'write' : 'read')),
      ...(mode === 'c' ? members.map(use('read')) : []),
    ],
    recursive: mode === 'c',
  };
}

/** How many of the next words it takes. */
function readTarOption(word: ShellWord, next: ShellWord | undefined, words: TarWords): number {
  const { value } = word;
  const [name = ''] = value.split('=');
  const isAttached = value.length > name.length;
  const given = isAttached ? { ...word, value: value.slice(name.length + 1) } : next;
  if (/^--(create|append|update|concatenate|catenate)$/.test(name)) words.mode ||= 'c';
  else if (/^--(extract|get)$/.test(name)) words.mode ||= 'x';
  else if (given !== undefined && /^--(file|directory|files-from|exclude-from|add-file)$/.test(name)) {
    (name === '--file' ? words.archives : name === '--directory' ? words.folders : words.members).push(given);
    return isAttached ? 0 : 1;
  }
  return 0;
}

/** The same for letters, with a dash or without. */
function readTarLetters(word: ShellWord, next: readonly ShellWord[], words: TarWords): number {
  const dashed = word.value.startsWith('-');
  let taken = 0;
  for (let at = dashed ? 1 : 0; at < word.value.length; at++) {
    const letter = word.value[at] ?? '';
    if (/[cruA]/.test(letter)) words.mode ||= 'c';
    if (letter === 'x') words.mode ||= 'x';
    if (!tarValued.includes(letter)) continue;
    // After a dash the rest of the word is the value; without one each takes a word of its own.
    const rest = dashed ? word.value.slice(at + 1) : '';
    const given = rest === '' ? next[taken++] : { ...word, value: rest };
    if (given !== undefined && /[fCTX]/.test(letter))
      (letter === 'f' ? words.archives : letter === 'C' ? words.folders : words.members).push(given);
    if (rest !== '') break;
  }
  return taken;
}

function isDevice(path: string): boolean {
  return (
    path === '-' || path === '/dev/null' || path === '/dev/stdin' || path === '/dev/stdout' || path === '/dev/stderr'
  );
}
