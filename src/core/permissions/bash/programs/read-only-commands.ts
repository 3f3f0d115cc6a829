// The commands that only read. Where one can do more, the options that do not are listed: any other asks.
import { isReadOnlyAwk } from './awk-program';
import { hasPlainOptions, plainOptions, type PlainOptions, readArguments } from './plain-options';
import { isReadOnlySed } from './sed-script';

const always = (): boolean => true;

/** By name: whether these arguments (options and operands, quotes removed) leave everything as it is. */
export const readOnlyChecks: ReadonlyMap<string, (args: string[]) => boolean> = new Map([
  ...names('ls dir vdir cat head tac rev nl cut paste tr fold fmt expand unexpand comm cmp join column', always),
  ...names(
    'stat df realpath readlink od hexdump cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum',
    always,
  ),
  ...names(
    'grep egrep fgrep which type whereis whoami id groups uname uptime nproc arch tty locale printenv free seq cal numfmt',
    always,
  ),
  ...names('tail', (args) => !args.some((argument) => /^-[A-Za-z\d]*[fF]|^--(f|retry)/.test(argument))),
  ...names('env history', (args) => args.length === 0),
  ...names('printf', isReadOnlyPrintf),
  ...names('test [', (args) => !args.some((argument) => /^-[vR]$/.test(argument))),
  ...names('command', (args) => args.length > 1 && /^-[vV]$/.test(args[0] ?? '')),
  ...names('sleep', (args) => args.length === 1 && /^\d+(\.\d+)?s?$/.test(args[0] ?? '')),
  ...names('hostname', (args) => args.every((argument) => /^-[fiIsd]$/.test(argument))),
  ...names('date', isReadOnlyDate),
  ...names(
    'ps',
    (args) =>
      !showsEnvironment(args) &&
      args.every(
        (argument) =>
          /^-[AaNdefFljuxTHw]+$|^[aux]+$|^\d+$|^(pid|ppid|comm|args|user|stat|time|etime|rss|%cpu|%mem|,)+$/.test(
            argument,
          ) || ['-p', '-o', '-C', '-U'].includes(argument),
      ),
  ),
  ...names('wc du', (args) => !args.some((argument) => argument.startsWith('--f'))),
  // The words of a file may name others.
  ...names('strings', (args) => !args.some((argument) => argument.startsWith('@'))),
  ...names('uniq', (args) => operands(args, 'fsw').length <= 1),
  ...names('sort', isReadOnlySort),
  ...names('base64', (args) =>
    args.every((argument) => !argument.startsWith('-') || /^(-d|-D|--decode|-w\d*|--wrap=\d+|-)$/.test(argument)),
  ),
  ...names('xxd', (args) => (readArguments(args, dump)?.operands.length ?? 2) < 2),
  ...names('find', isReadOnlyFind),
  ...listed(
    'file',
    plainOptions(
      'bhiIkLnNprsvE0d',
      'F',
      'brief mime mime-type mime-encoding dereference no-dereference keep-going raw print0 no-buffer no-pad version extension apple separator=',
    ),
  ),
  ...listed(
    'diff',
    plainOptions(
      'abBdeEcinNpqrstTuwyZ0',
      'UCIxFWL',
      `text ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines
       ignore-matching-lines= normal brief report-identical-files context? unified? ed rcs side-by-side width=
       left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize=
       suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude=
       strip-trailing-cr minimal speed-large-files color? palette= version`,
    ),
  ),
  ...listed(
    'tree',
    plainOptions(
      'adfxFCnpughDstrUQqNSihAJXcv',
      'LPI',
      'dirsfirst filesfirst noreport charset= filelimit= du si prune gitignore matchdirs ignore-case inodes device timefmt= sort= version',
    ),
  ),
  ...listed(
    'fd fdfind',
    plainOptions(
      'HIusigaLpF01qV',
      'dEteScj',
      `hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob regex fixed-strings
       absolute-path follow full-path print0 max-depth= min-depth= exact-depth= exclude= type= extension= size=
       changed-within= changed-before= max-results= color= threads= quiet show-errors prune strip-cwd-prefix? path-separator=
       and= one-file-system version`,
    ),
  ),
  ...listed(
    'rg',
    plainOptions(
      'iSsnNlcovwxFPUuaHIpqhLV0',
      'egtTmABCjMErd',
      `regexp= ignore-case smart-case case-sensitive line-number no-line-number files files-with-matches
       files-without-match count count-matches only-matching invert-match word-regexp line-regexp fixed-strings pcre2
       no-pcre2 engine= multiline multiline-dotall unrestricted text with-filename no-filename pretty quiet follow
       no-follow glob= iglob= glob-case-insensitive type= type-not= type-add= type-clear= type-list max-count=
       after-context= before-context= context= context-separator= threads= max-columns= max-columns-preview encoding=
       replace= max-depth= maxdepth= hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot
       no-ignore-global no-ignore-exclude no-ignore-files no-ignore-messages no-messages no-config color= colors=
       heading no-heading column no-column byte-offset null null-data crlf json stats sort= sortr= sort-files trim
       vimgrep passthru passthrough auto-hybrid-regex line-buffered block-buffered mmap no-mmap dfa-size-limit=
       regex-size-limit= max-filesize= one-file-system binary no-require-git field-match-separator=
       field-context-separator= path-separator= include-zero debug trace version no-unicode unicode stop-on-nonmatch
       hyperlink-format=`,
    ),
  ),
  ...names('jq', isReadOnlyJq),
  ...names('awk gawk mawk', isReadOnlyAwk),
  ...names('tee', (args) => args.every((argument) => argument === '/dev/null')),
  ...names('tar gtar bsdtar', listsArchive),
  ...names('sed', isReadOnlySed),
]);

/** No option of the command does more than read: not even a file named like one. */
export function hasFreeOptions(name: string): boolean {
  return readOnlyChecks.get(name) === always || ['wc', 'du', 'tail'].includes(name);
}

/** Words that are not options; `valued` are the short options that take the next word. */
function operands(args: readonly string[], valued: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') return [...found, ...args.slice(index + 1)];
    if (!argument.startsWith('-') || argument === '-') found.push(argument);
    else if (argument.length === 2 && valued.includes(argument[1] ?? '-')) index++;
  }
  return found;
}

/** `%n` stores a number in the variable that an argument names: in PATH, and the next command is looked for elsewhere. */
function isReadOnlyPrintf([first, ...rest]: string[]): boolean {
  if (first === undefined || first.startsWith('-')) return false;
  // A backslash may write the `n`; without arguments there is no name.
  return rest.length === 0 || !/%[^%A-Za-z\\]*(?:[hjlLqtz]*n|\\)/.test(first.replaceAll('%%', ''));
}

/** Letters that do not go together are read once more as those of BSD, and there `e` is the environment of each process. */
function showsEnvironment(args: readonly string[]): boolean {
  const options = args.filter((argument) => argument.startsWith('-')).join('');
  return options.includes('e') && /[xHTu]/.test(options);
}

/** A program of jq may name modules, and data to import: a path in quotes follows. The same words name keys too, and stand in texts. */
const jqModule = /(^|[^\w.$"])(import|include)\s*($|["#@\\])/;

/** `tf a.tar`: nothing but letters that list, and the options that say what is listed. */
function listsArchive([letters = '', ...args]: string[]): boolean {
  if (letters === '--list') return hasPlainOptions(args, listing);
  if (!/^-?[tvzjJaf]*$/.test(letters) || !letters.includes('t')) return false;
  // The archive follows its letter.
  const rest = letters.endsWith('f') ? args.slice(1) : args;
  return (
    (!letters.includes('f') || letters.endsWith('f')) && (args[0] ?? '')[0] !== '-' && hasPlainOptions(rest, listing)
  );
}

const listing = plainOptions('vzjJa', 'f', 'list verbose file= gzip bzip2 xz zstd wildcards exclude= full-time utc');

/** The second operand is written, and `-r` makes bytes. */
const dump = plainOptions('abeEipuC', 'clgso');

const jqOptions = plainOptions(
  'rcnsejaSCMRhVi0',
  '',
  `raw-output join-output raw-output0 compact-output null-input slurp exit-status ascii-output sort-keys color-output
   monochrome-output raw-input tab indent= unbuffered stream stream-errors seq arg= argjson= slurpfile= rawfile= args
   jsonargs version build-configuration ascii`,
);

function isReadOnlyJq(args: string[]): boolean {
  return hasPlainOptions(args, jqOptions) && !args.some((argument) => jqModule.test(argument));
}

function isReadOnlyDate(args: string[]): boolean {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '-d' || argument === '-r') index++;
    else if (
      !/^(\+[\s\S]*|-u|--utc|-R|-I(date|hours|minutes|seconds|ns)?|--iso-8601(=\w+)?|--rfc-3339=\w+|--date=[\s\S]*)$/.test(
        argument,
      )
    )
      return false;
  }
  return true;
}

function isReadOnlySort(args: string[]): boolean {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '-k' || argument === '-t') index++;
    else if (
      argument.startsWith('-') &&
      argument !== '-' &&
      !/^(-[bdfgiMhnRrVcCmsuz]+|-[bdfgiMhnRrVsu]*[kt].+|--(reverse|unique|numeric-sort|version-sort|human-numeric-sort|ignore-case|stable|check|key=.+|field-separator=.+))$/.test(
        argument,
      )
    )
      return false;
  }
  return true;
}

function isReadOnlyFind(args: string[]): boolean {
  return args.every((argument, index) => {
    if (!argument.startsWith('-') || findTests.has(argument)) return true;
    // The value of the test before it, such as `-mtime -7`.
    return /^-\d+[a-zA-Z]?$/.test(argument) && (args[index - 1] ?? '').startsWith('-');
  });
}

const findTests = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -maxdepth -mindepth ' +
    '-size -mtime -atime -ctime -mmin -amin -cmin -newer -newermt -newerat -newerct -anewer -cnewer -perm -user -group -uid -gid ' +
    '-empty -not -a -and -o -or -print -print0 -ls -printf -prune -quit -true -false -depth -d -follow -L -H -P -mount -xdev ' +
    '-links -inum -samefile -readable -writable -executable -nouser -nogroup -daystart -noleaf -O1 -O2 -O3'
  ).split(' '),
);

function listed(list: string, options: PlainOptions): [string, (args: string[]) => boolean][] {
  return names(list, (args) => hasPlainOptions(args, options));
}

function names(list: string, check: (args: string[]) => boolean): [string, (args: string[]) => boolean][] {
  return list.split(' ').map((name) => [name, check]);
}
