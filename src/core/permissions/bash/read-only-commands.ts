// The commands that only read, each with the options that would make it do more.
import { isReadOnlySed } from './sed-script';

const always = (): boolean => true;

/** By name: whether these arguments (options and operands, quotes removed) leave everything as it is. */
export const readOnlyChecks: ReadonlyMap<string, (args: string[]) => boolean> = new Map([
  ...names('ls dir vdir cat head tac rev wc nl cut paste tr fold fmt expand unexpand comm cmp join column', always),
  ...names(
    'stat du df realpath readlink strings od hexdump cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum',
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
  ...names('file', (args) => !args.some((argument) => /^-[A-Za-z]*[CfmSz]|^--(c|fi|m|no-s|u)/.test(argument))),
  ...names('diff', (args) => !args.some((argument) => /^-[A-Za-z]*l|^--(pag|out)/.test(argument))),
  ...names('uniq', (args) => operands(args, 'fsw').length <= 1),
  ...names('sort', isReadOnlySort),
  ...names('base64', (args) =>
    args.every((argument) => !argument.startsWith('-') || /^(-d|-D|--decode|-w\d*|--wrap=\d+|-)$/.test(argument)),
  ),
  ...names('tree', (args) => !args.some((argument) => /^-[A-Za-z]*[oR]|^--out/.test(argument))),
  ...names('find', isReadOnlyFind),
  ...names('fd fdfind', (args) => !args.some((argument) => /^-[A-Za-z\d]*[xXl]|^--(e?x|li|b)/.test(argument))),
  ...names(
    'rg',
    (args) => !args.some((argument) => /^-[A-Za-z]*z|^--(p?re(-glob)?|hostname-bin|search-zip)(=|$)/.test(argument)),
  ),
  ...names(
    'jq',
    (args) =>
      !args.some((argument) => /^-[A-Za-z]*[Lf]|^--(library|from-file)/.test(argument) || jqModule.test(argument)),
  ),
  ...names('sed', isReadOnlySed),
]);

/** No option of the command does more than read: not even a file named like one. */
export function hasFreeOptions(name: string): boolean {
  return readOnlyChecks.get(name) === always;
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

function names(list: string, check: (args: string[]) => boolean): [string, (args: string[]) => boolean][] {
  return list.split(' ').map((name) => [name, check]);
}
