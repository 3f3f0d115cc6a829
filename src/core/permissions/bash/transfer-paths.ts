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

/** What an option names, by its whole name or the beginning of one. */
interface FileOptions {
  writes: ReadonlySet<string>;
  reads: ReadonlySet<string>;
  /** `@file` in the value. */
  data?: ReadonlySet<string>;
  /** All others under which no file stands. */
  harmless: RegExp;
}

/** A shortened option is each of those that it may be; it and an unknown one also stand for a path that nobody knows. */
function usesOf({ name, word, value }: GivenOption, options: FileOptions): TransferUse[] {
  const means = (names: ReadonlySet<string> | undefined): boolean =>
    names?.has(name) === true ||
    (name.startsWith('--') && !options.harmless.test(name) && [...(names ?? [])].some((one) => one.startsWith(name)));
  const exact = [options.writes, options.reads, options.data].some((names) => names?.has(name) === true);
  const known = !name.startsWith('--') || exact || options.harmless.test(name);
  const uses: TransferUse[] = known ? [] : [{ access: 'read', word: { ...word, kind: 'dynamic' }, path: value }];
  if (isDevice(value)) return uses;
  if (means(options.writes)) uses.push({ access: 'write', word, path: value });
  if (means(options.reads)) uses.push({ access: 'read', word, path: value });
  if (means(options.data)) uses.push(...dataUses(name, word, value));
  return uses;
}

/** `@file`, `name=@file`, and the further files of a form. */
function dataUses(name: string, word: ShellWord, value: string): TransferUse[] {
  const encoded = /^--(data-u|u|v)/.test(name) ? [...value.matchAll(/^[^@=]+@(.+)$/gs)] : [];
  return [...encoded, ...value.matchAll(/(?:^|=)[@<]("(?:[^"\\]|\\.)*"|[^;]*)/g)].flatMap(
    ([, named = '']): TransferUse[] => {
      const path = named.replace(/^"|"$/g, '');
      if (path === '' || isDevice(path)) return [];
      // A form takes several, and a backslash hides what follows it.
      return path.includes('\\')
        ? [{ access: 'read', word: { ...word, kind: 'dynamic' }, path }]
        : piecesOf(word, path);
    },
  );
}

function piecesOf(word: ShellWord, path: string): TransferUse[] {
  return path.split(',').map((piece) => ({ access: 'read', word, path: piece }));
}

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
      else given.push({ name: value, word: next ?? word, value: next?.value ?? '' });
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

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/));
}

const curl: FileOptions = {
  writes: setOf(
    '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl --ssl-sessions',
  ),
  reads: setOf(
    `-T --upload-file -K --config --netrc-file --etag-compare --cert -E --key --cacert --capath --crlfile --pubkey --egd-file
     --random-file --proxy-cacert --proxy-capath --proxy-cert --proxy-crlfile --proxy-key --unix-socket --abstract-unix-socket`,
  ),
  data: setOf(
    `-d --data --data-ascii --data-binary --data-urlencode --json --url-query -F --form -H --header --proxy-header -w
     --write-out --variable`,
  ),
  harmless:
    /^--((no-)?(anyauth|append|basic|buffer|clobber|compressed|compressed-ssh|digest|fail|fail-early|fail-with-body|get|globoff|head|help|include|insecure|ipv4|ipv6|junk-session-cookies|keepalive|list-only|location|location-trusted|manual|netrc|netrc-optional|next|ntlm|negotiate|parallel|parallel-immediate|path-as-is|post30[123]|progress-bar|progress-meter|proxy-insecure|remote-name|remote-name-all|remote-time|retry-all-errors|retry-connrefused|show-error|silent|ssl|ssl-reqd|styled-output|suppress-connect-headers|tcp-nodelay|tlsv1(\.\d)?|http\d(\.\d)?|trace-time|use-ascii|verbose|version|create-dirs|disable|raw|crlf|tr-encoding|ignore-content-length)|aws-sigv4|cert-type|ciphers|connect-timeout|connect-to|continue-at|cookie|create-file-mode|data-raw|dns-servers|doh-url|form-string|hostpubmd5|interface|keepalive-time|key-type|limit-rate|local-port|max-filesize|max-redirs|max-time|noproxy|oauth2-bearer|parallel-max|pass|pinnedpubkey|proto|proto-default|proto-redir|proxy|proxy-user|preproxy|range|rate|referer|request|request-target|resolve|retry|retry-delay|retry-max-time|service-name|socks\w*|speed-limit|speed-time|tls-max|url|user|user-agent|remote-header-name)$/,
};

function curlPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, '#0123469BGIJLMNORSVZafgijklnpqsv:');
  const uses = given.flatMap(({ name, word, value }): TransferUse[] => {
    if (name === '-b' || name === '--cookie')
      return value.includes('=') || isDevice(value) ? [] : [{ access: 'read', word, path: value }];
    return usesOf({ name, word, value }, curl).map((use) => (/[{[]|#\d/.test(use.path) ? several(use) : use));
  });
  const named = args.some(({ value }) => /^-[A-Za-z#\d]*O|^--remote-name/.test(value))
    ? operands.flatMap(nameInAddress)
    : [];
  // The server gives the file its name.
  const renamed = args.filter(({ value }) => /^-[A-Za-z#\d]*J|^--remote-h/.test(value));
  return [
    ...uses,
    ...named,
    ...renamed.map((word): TransferUse => several({ access: 'write', word, path: word.value })),
    ...[...operands, ...given.flatMap(({ name, word }) => (name.startsWith('--') ? [word] : []))].flatMap(fileAddress),
  ];
}

/** `{a,b}`, `[1-9]` and `#1` of curl: which files those are is not written out. */
function several(use: TransferUse): TransferUse {
  return { ...use, word: { ...use.word, kind: 'dynamic' } };
}

/** What is fetched may take its name from the address. */
function nameInAddress(word: ShellWord): TransferUse[] {
  const path = /\/([^/?#]+)(?:[?#].*)?$/.exec(word.value.replace(/^\w+:\/\//, ''))?.[1];
  return path === undefined || path.startsWith('$')
    ? []
    : [{ access: 'write', word: { ...word, kind: 'literal', tilde: false }, path }];
}

function fileAddress(word: ShellWord): TransferUse[] {
  const path = /^(?:--[\w-]+=)?f(?:i|\{)?[\w{},[\]-]*:\/*(\/.*)$/i.exec(word.value)?.[1];
  if (path !== undefined && /^(--[\w-]+=)?file:/i.test(word.value) && !/[{[]/.test(path))
    return [{ access: 'read', word, path }];
  // A scheme in braces, or a path that is several.
  const hidden = /^(--[\w-]+=)?(file:|[\w]*[{[])/i.test(word.value);
  return hidden ? [{ access: 'read', word: { ...word, kind: 'dynamic' }, path: word.value }] : [];
}

const wget: FileOptions = {
  writes: setOf(
    `-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --rejected-log
     --warc-file --warc-tempdir --hsts-file`,
  ),
  reads: setOf(
    `-i --input-file --post-file --body-file --load-cookies --ca-certificate --ca-directory --certificate --crl-file
     --private-key --config --warc-dedup`,
  ),
  harmless:
    /^--(no-[\w-]+|accept|accept-regex|adjust-extension|auth-no-challenge|background|base|bind-address|body-data|ciphers|compression|connect-timeout|content-disposition|content-on-error|continue|convert-links|cut-dirs|debug|delete-after|dns-timeout|domains|exclude-directories|exclude-domains|follow-tags|force-directories|ftp-password|ftp-user|header|help|http-password|http-user|https-only|ignore-case|ignore-length|include-directories|inet4-only|inet6-only|keep-session-cookies|level|limit-rate|max-redirect|method|mirror|page-requisites|password|post-data|prefer-family|progress|proxy-password|proxy-user|quiet|quota|random-wait|read-timeout|recursive|referer|reject|reject-regex|relative|report-speed|restrict-file-names|retry-connrefused|retry-on-http-error|save-headers|secure-protocol|server-response|show-progress|span-hosts|spider|start-pos|timeout|timestamping|tries|unlink|user|user-agent|verbose|version|wait|waitretry)$/,
};

function wgetPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, '46EFHKLNSVbcdhkmnpqrvx');
  const elsewhere = given.some(({ name }) => /^(-[OP]|--output-document|--directory-prefix)$/.test(name));
  return [...(elsewhere ? [] : operands.flatMap(nameInAddress)), ...given.flatMap((option) => usesOf(option, wget))];
}

function unzipPaths(args: readonly ShellWord[]): TransferUse[] {
  const { given, operands } = optionsOf(args, 'ZACDKLMTUWX:abcfjlnopqstuvz');
  const [archive, ...members] = operands;
  return [
    ...members.map((word) => ({ access: 'write' as const, word, path: word.value })),
    // Names with `..` are unpacked where they lead.
    ...args.flatMap((word): TransferUse[] =>
      /^-[^-]*:/.test(word.value) ? [{ access: 'read', word: { ...word, kind: 'dynamic' }, path: word.value }] : [],
    ),
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
  /** Logs and snapshots that it writes beside. */
  written: ShellWord[];
  /** Lists of further names, and options that are shortened or not known. */
  unknown: ShellWord[];
}

function tarPaths(args: readonly ShellWord[]): TransferPaths {
  const words: TarWords = { mode: '', archives: [], folders: [], members: [], written: [], unknown: [] };
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    if (word.value.startsWith('--')) index += readTarOption(word, args[index + 1], words);
    else if (index > 0 && !word.value.startsWith('-')) words.members.push(word);
    else index += readTarLetters(word, args.slice(index + 1), words);
  }
  const { mode, archives, folders, members, written, unknown } = words;
  const use =
    (access: TransferUse['access']) =>
    (word: ShellWord): TransferUse => ({ access, word, path: word.value });
  // Unpacked under another name, or under the whole of its own, a file may land anywhere.
  const renames = ({ value }: ShellWord, index: number): boolean =>
    /^-\w*P|^--(absolute-names|transform|xform)/.test(value) || (index === 0 && /^\w*P/.test(value));
  if (mode === 'x') unknown.push(...args.filter(renames));
  // With a colon, tar logs in to another machine and sends or fetches the archive there.
  const isRemote = ({ value }: ShellWord): boolean => /^[^/]+:/.test(value);
  unknown.push(...archives.filter(isRemote));
  return {
    uses: [
      ...archives.filter((word) => word.value !== '-' && !isRemote(word)).map(use(mode === 'c' ? 'write' : 'read')),
      ...folders.map(use(mode === 'x' ? 'write' : 'read')),
      ...(mode === 'c' ? members.flatMap(packed).map(use('read')) : []),
      ...(mode === 'x' ? members.map(use('write')) : []),
      ...written.map(use('write')),
      ...unknown.map((word) => use('read')({ ...word, kind: 'dynamic' })),
    ],
    recursive: mode === 'c',
  };
}

/** `@archive` stands for what is in it. */
function packed(word: ShellWord): ShellWord[] {
  return word.value.startsWith('@') ? [word, { ...word, value: word.value.slice(1) }] : [word];
}

/** How many of the next words it takes. */
function readTarOption(word: ShellWord, next: ShellWord | undefined, words: TarWords): number {
  const { value } = word;
  const [name = ''] = value.split('=');
  const isAttached = value.length > name.length;
  const given = isAttached ? { ...word, value: value.slice(name.length + 1) } : next;
  if (isShort(name, '--create --append --update --concatenate --catenate')) words.mode ||= 'c';
  if (isShort(name, '--extract --get')) words.mode ||= 'x';
  const takes = isAttached ? 0 : 1;
  for (const [names, list] of [
    ['--file', words.archives],
    ['--directory --one-top-level', words.folders],
    ['--add-file --exclude-from', words.members],
    ['--index-file --volno-file --listed-incremental', words.written],
  ] as const)
    if (given !== undefined && isShort(name, names)) list.push(given);
  if (given !== undefined && isShort(name, '--files-from')) words.members.push(given);
  if (!tarHarmless.test(name) && !tarNamed.test(name)) words.unknown.push(word);
  return tarNamed.test(name) && name !== '--one-top-level' ? takes : 0;
}

function isShort(name: string, options: string): boolean {
  return !tarHarmless.test(name) && options.split(' ').some((option) => option.startsWith(name));
}

const tarNamed = /^--(file|directory|one-top-level|add-file|exclude-from|index-file|volno-file|listed-incremental)$/;
/** `--files-from` names more than is written here. */
const tarHarmless =
  /^--(create|append|update|concatenate|catenate|extract|get|list|diff|compare|delete|test-label|no-[\w-]+|absolute-names|acls|after-date|anchored|atime-preserve|auto-compress|backup|block-number|blocking-factor|bzip2|check-device|check-links|checkpoint|checkpoint-action|clamp-mtime|compress|confirmation|delay-directory-restore|dereference|exclude|exclude-backups|exclude-caches|exclude-vcs|exclude-vcs-ignores|force-local|format|full-time|group|gzip|gunzip|hard-dereference|help|ignore-case|ignore-command-error|ignore-failed-read|ignore-zeros|incremental|info-script|interactive|keep-directory-symlink|keep-newer-files|keep-old-files|label|lzip|lzma|lzop|mode|mtime|multi-volume|new-volume-script|newer|newer-mtime|null|numeric-owner|occurrence|old-archive|one-file-system|overwrite|overwrite-dir|owner|pax-option|portability|posix|preserve-order|preserve-permissions|quoting-style|read-full-records|record-size|recursion|recursive-unlink|remove-files|restrict|rmt-command|rsh-command|same-owner|same-permissions|seek|selinux|show-[\w-]+|skip-old-files|sort|sparse|starting-file|strip-components|suffix|tape-length|to-command|to-stdout|totals|touch|transform|uncompress|ungzip|unlink-first|unquote|usage|use-compress-program|utc|verbose|verbatim-files-from|verify|version|warning|wildcards|wildcards-match-slash|xattrs|xattrs-include|xattrs-exclude|xform|xz|zstd)$/;

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
    if (given !== undefined && letter === 'g') words.written.push(given);
    // A list of names: what it holds is not in the line.
    if (given !== undefined && letter === 'T') words.unknown.push(word);
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
