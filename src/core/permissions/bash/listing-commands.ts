// Searches that print the paths of files below folders that they name, and nothing else.
import { plainOptions, type PlainOptions, readArguments } from './programs/plain-options';
import { isFilter, readsOnly } from './shell-read-only';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';

/**
 * The files that reach the end of the pipe, as words that stand for them; undefined where it may bring anything else.
 * Not `git ls-files`: what the index names need not be on disk, where the host looks at it.
 */
export function listedBy([first, ...filters]: readonly SimpleCommand[]): ShellWord[] | undefined {
  if (first === undefined || !filters.every(passesLines)) return undefined;
  const listing = first.assignments.length === 0 && readsOnly(first) ? foldersOfSearch(first.words) : undefined;
  if (listing === undefined || !listing.folders.every((folder) => plainFolder.test(folder))) return undefined;
  return listing.folders.map((folder) => ({
    text: folder,
    value: folder,
    kind: 'glob',
    tilde: false,
    listed: listing.names,
  }));
}

interface Listing {
  folders: string[];
  /** A star, with an ending at most. */
  names: string;
}

/** Nothing that a program would take for an option, or that falls into several words. */
const plainFolder = /^(?!-)[\w./@+-]+$/;

function foldersOfSearch(words: readonly ShellWord[]): Listing | undefined {
  if (!words.every(({ kind, text }) => kind === 'literal' || isFilter(text))) return undefined;
  const args = words.slice(1).map(({ value }) => value);
  switch (commandName(words)) {
    case 'find':
      return listedByFind(args);
    case 'rg':
      return hasAny(args, searching, ['l', 'files-with-matches', 'files-without-match', 'files'])
        ? behindPattern(args, searching, hasAny(args, searching, ['files', 'e', 'regexp']) ? 'nowhere' : 'first')
        : undefined;
    case 'grep':
      return hasAny(args, matching, ['r', 'recursive']) &&
        hasAny(args, matching, ['l', 'L', 'files-with-matches', 'files-without-match'])
        ? behindPattern(args, matching, hasAny(args, matching, ['e', 'regexp']) ? 'nowhere' : 'first')
        : undefined;
    case 'fd':
    case 'fdfind':
      return behindPattern(args, finding, 'first');
    default:
      return undefined;
  }
}

function listedByFind(args: readonly string[]): Listing | undefined {
  if (args.some((argument) => printsElse.test(argument))) return undefined;
  const end = args.findIndex((argument) => /^[-(!,]/.test(argument));
  const folders = args.slice(0, end < 0 ? undefined : end);
  const isChoice = args.some((argument) => /^(-o|-or|!|-not|,|\(|\))$/.test(argument));
  const name = isChoice ? undefined : args[args.indexOf('-name') + 1];
  return {
    folders: folders.length === 0 ? ['.'] : folders,
    names: args.includes('-name') && name !== undefined && /^\*\.[\w.]+$/.test(name) ? name : '*',
  };
}

/** Other texts than paths, or paths behind links. */
const printsElse = /^-(printf|ls|L|H|follow|files0-from)$/;

/** `pattern`: where among the operands it stands; the others are folders. */
function behindPattern(
  args: readonly string[],
  options: PlainOptions,
  pattern: 'first' | 'nowhere',
): Listing | undefined {
  const operands = readArguments(args, options)?.operands;
  const folders = pattern === 'first' ? operands?.slice(1) : operands;
  return folders && { folders: folders.length === 0 ? ['.'] : folders, names: '*' };
}

function hasAny(args: readonly string[], options: PlainOptions, names: readonly string[]): boolean {
  return readArguments(args, options)?.options.some(({ name }) => names.includes(name)) === true;
}

/** Only options under which the paths alone are printed, as they are below the folders. */
const searching = plainOptions(
  'lisSwxFPUu0.',
  'egtTm',
  `files files-with-matches files-without-match ignore-case smart-case case-sensitive word-regexp line-regexp fixed-strings
   hidden no-ignore no-ignore-vcs glob= iglob= type= type-not= regexp= null multiline sort= max-depth= no-messages`,
);
const matching = plainOptions(
  'rlLiEFGPwxsIZvn',
  'e',
  `recursive files-with-matches files-without-match ignore-case extended-regexp fixed-strings word-regexp no-messages null
   regexp= include= exclude= exclude-dir=`,
);
const finding = plainOptions(
  'HIusigpF01',
  'etdE',
  'hidden no-ignore extension= type= max-depth= exclude= glob fixed-strings case-sensitive ignore-case print0',
);

/** Some of the lines that it reads, each as a whole. */
function passesLines({ words, assignments }: SimpleCommand): boolean {
  const options = filtering.get(commandName(words) ?? '');
  if (options === undefined || assignments.length > 0 || !words.every(({ kind }) => kind === 'literal')) return false;
  const args = words.slice(1).map(({ value }) => value);
  const operands = readArguments(args, options)?.operands;
  const own = options === choosing && !hasAny(args, options, ['e']) ? 1 : 0;
  return operands !== undefined && operands.length <= own;
}

const lines = plainOptions('0', 'n');
const choosing = plainOptions('viEFwx', 'e');
const filtering = new Map([
  ['head', lines],
  ['tail', lines],
  ['sort', plainOptions('urnVfz')],
  ['uniq', plainOptions('')],
  ['grep', choosing],
  ['egrep', choosing],
  ['fgrep', choosing],
]);
