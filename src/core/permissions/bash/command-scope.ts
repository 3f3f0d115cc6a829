// Where the commands of a line run, and which files each of them touches from there.
import { defined } from '../../../shared/defined';
import { type FileUse } from '../files/file-answers';
import { type BashLine } from './bash-line';
import { type Climb, commandPaths, type PathUse, resolveUse, type ResolvedUse } from './command-paths';
import { inItsFolder } from './git-words';
import { isDiscard } from './shell-read-only';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';
import { unwrap } from './shell-wrappers';
import { absolutePath } from '../rules/workspace-path';
import { namedWrites, placesByOption } from './option-places';
import { namedReads } from './reading-programs';
import { isListing, listingKey } from '../files/listed-files';
import { placedFiles, type TakenFolder, takenFolders } from './edit-commands';

interface Places {
  folders: string[];
  /** Some may be wrong: a path leads up again after a name that may be a link. */
  guessed: boolean;
}

/** The folders in which the command may run; undefined where they cannot be determined. */
export function foldersOf(command: SimpleCommand, cwd: string, home: string): string[] | undefined {
  const places = placesOf(command, cwd, home);
  return places === undefined || places === 'too many' || places.guessed ? undefined : places.folders;
}

/** So many folders come into question that looking at all of them is not worth it. */
export function movesTooOften(command: SimpleCommand, cwd: string, home: string): boolean {
  return placesOf(command, cwd, home) === 'too many';
}

/** Those whose files are few enough to look at each; a line that has more asks. */
export function measured(commands: readonly SimpleCommand[], cwd: string, home: string): SimpleCommand[] {
  let left = maxUses;
  return commands.filter((command) => {
    const uses = usesOf(command) * foldersToTry(command, cwd, home).folders.length;
    if (uses > left) return false;
    left -= uses;
    return true;
  });
}

function usesOf(command: SimpleCommand): number {
  if (command.words.length < 2) return command.redirections.length;
  const { words } = unwrap(command.words);
  return (
    command.redirections.length +
    (commandPaths(words)?.uses.length ?? 0) +
    namedReads(words).length +
    namedWrites(words).length
  );
}

/** Each in every folder where its command may run. */
const maxUses = 1000;

type Found = Places | 'too many' | undefined;

const maxFolders = 16;
const remembered = new WeakMap<SimpleCommand['moves'], { cwd: string; home: string; found: Found }>();

function placesOf({ moves }: SimpleCommand, cwd: string, home: string): Found {
  let known = remembered.get(moves);
  if (known?.cwd !== cwd || known.home !== home) {
    known = { cwd, home, found: findPlaces(moves, cwd, home) };
    remembered.set(moves, known);
  }
  return known.found;
}

function findPlaces(moves: SimpleCommand['moves'], cwd: string, home: string): Found {
  let folders = [cwd];
  let guessed = false;
  for (const { words, certain } of moves) {
    const { words: plain } = unwrap(words);
    const [target, ...more] = plain.slice(1).filter(({ value }) => !/^-[LPe@]+$/.test(value) && value !== '--');
    if (plain[0]?.value !== 'cd' || more.length > 0 || target?.value === '-') return undefined;
    const next: string[] = [];
    for (const folder of folders) {
      const resolved =
        target === undefined ? undefined : resolveUse({ word: target, path: target.value }, folder, home);
      const path =
        resolved === undefined
          ? home
          : resolved.known && resolved.pattern === undefined
            ? resolved.path
            : guessOf(resolved);
      if (path === undefined) return undefined;
      guessed ||= resolved?.known === false;
      next.push(path);
    }
    folders = [...new Set(certain ? next : [...folders, ...next])];
    if (folders.length > maxFolders) return 'too many';
  }
  return { folders, guessed };
}

function guessOf(resolved: ResolvedUse): string | undefined {
  return resolved.known ? undefined : resolved.guess;
}

/** Where to look for files that rules name, sure or not. */
function foldersToTry(
  command: SimpleCommand,
  cwd: string,
  home: string,
): { folders: (string | undefined)[]; sure: boolean } {
  const places = placesOf(command, cwd, home);
  if (places === undefined || places === 'too many') return { folders: [undefined], sure: false };
  return { folders: places.folders, sure: !places.guessed };
}

export interface TouchedFile extends FileUse {
  climb?: Climb;
}

export interface TouchedFiles {
  /** Paths for certain, `.` and `..` resolved. A glob stands as the folder before it. */
  files: TouchedFile[];
  /** Words that name a path which cannot be determined. */
  unknown: string[];
  /** Absolute globs of files whose content it shows, and listings: what they find may be denied, or a link. */
  patterns: string[];
  /** It names its files by another glob, or reads whole folders. */
  wide: boolean;
  /** It shows what is in the files. */
  content: boolean;
  /** Deft knows which arguments of this command are paths. */
  recognised: boolean;
}

const rememberedFiles = new WeakMap<SimpleCommand, { cwd: string; home: string; touched: TouchedFiles }>();

/** What the command itself reads and writes, without its redirections. Not to be changed. */
export function touchedFiles(command: SimpleCommand, cwd: string, home: string): TouchedFiles {
  let known = rememberedFiles.get(command);
  if (known?.cwd !== cwd || known.home !== home) {
    known = { cwd, home, touched: findTouched(command, cwd, home) };
    rememberedFiles.set(command, known);
  }
  return known.touched;
}

function findTouched(given: SimpleCommand, cwd: string, home: string): TouchedFiles {
  const command = inItsFolder(given);
  const { words, open } = unwrap(command.words);
  const paths = commandPaths(words);
  const touched: TouchedFiles = {
    files: [],
    unknown: [],
    patterns: [],
    wide: paths?.recursive === true || command.below === true,
    content: paths?.content ?? false,
    recognised: paths !== undefined,
  };
  if (paths === undefined) return touched;
  const { folders, sure } = foldersToTry(command, cwd, home);
  if (!sure && paths.uses.length > 0) touched.unknown.push(textOf(command));
  for (const use of paths.uses)
    if (use.path !== '-' && use.path !== '' && !(use.access === 'write' && isDiscard(use.word)))
      for (const folder of folders) touch(touched, use, resolveUse(use, folder, home));
  if (paths.follows) behindLinks(touched, words);
  if (open) {
    touched.unknown.push('what xargs passes');
    touched.wide = true;
  }
  for (const folder of folders) {
    if (folder === undefined) continue;
    for (const path of placedFiles(words)) touched.files.push(sameFile('write', absolutePath(path, folder)));
  }
  return touched;
}

/** `grep -R` goes through the links that it finds, `fgrep` and the like too. */
function isGrep(words: readonly ShellWord[]): boolean {
  return /^[ef]?grep$/.test(commandName(words) ?? '');
}

/** The host looks where the links below the folders lead, if it can tell which folders those are. */
function behindLinks(touched: TouchedFiles, words: readonly ShellWord[]): void {
  const folders = touched.files.filter(({ access }) => access === 'read').map(({ path }) => path);
  if (
    !isGrep(words) ||
    folders.length === 0 ||
    touched.unknown.length > 0 ||
    touched.patterns.some((one) => !isListing(one))
  )
    touched.unknown.push('what links lead to');
  else touched.patterns.push(...folders.map((folder) => listingKey('*', folder)));
}

function touch(touched: TouchedFiles, { access, word }: PathUse, resolved: ResolvedUse): void {
  const path = resolved.known ? resolved.path : resolved.guess;
  if (path !== undefined) touched.files.push(sameFile(access, path, resolved.climb));
  const pattern = resolved.known ? resolved.pattern : undefined;
  if (word.listed !== undefined && resolved.known) touched.patterns.push(listingKey(word.listed, resolved.path));
  if (!resolved.known) touched.unknown.push(word.text);
  if (pattern !== undefined && touched.content && access === 'read') touched.patterns.push(pattern);
  else if (!resolved.known || pattern !== undefined) touched.wide = true;
}

/** What the command is given to read and write by name, in addition to what is known of all its arguments. */
export function usedByName(command: SimpleCommand, cwd: string, home: string): TouchedFile[] {
  const { words } = unwrap(command.words);
  const uses = [...namedReads(words), ...namedWrites(words)];
  if (uses.length === 0) return [];
  return foldersToTry(command, cwd, home).folders.flatMap((folder) =>
    uses.flatMap((use): TouchedFile[] => {
      const resolved = resolveUse(use, folder, home);
      const path = resolved.known ? resolved.path : resolved.guess;
      return path === undefined ? [] : [sameFile(use.access, path, resolved.climb)];
    }),
  );
}

/** Where options send a builder; undefined for a place that cannot be determined. */
export function placesOfBuilder(command: SimpleCommand, cwd: string, home: string): (string | undefined)[] {
  const uses = placesByOption(unwrap(command.words).words);
  if (uses.length === 0) return [];
  return foldersToTry(command, cwd, home).folders.flatMap((folder) =>
    uses.map((use) => {
      const resolved = resolveUse(use, folder, home);
      return resolved.known && resolved.pattern === undefined ? resolved.path : undefined;
    }),
  );
}

/** What the redirections read and write; here-documents are text. */
export function redirectedFiles(
  command: SimpleCommand,
  cwd: string,
  home: string,
): Pick<TouchedFiles, 'files' | 'unknown' | 'patterns'> {
  const found: Pick<TouchedFiles, 'files' | 'unknown' | 'patterns'> = { files: [], unknown: [], patterns: [] };
  for (const redirection of command.redirections) {
    if (redirection.kind === 'text' || isDiscard(redirection.target)) continue;
    const { kind, target } = redirection;
    const { folders, sure } = foldersToTry(command, cwd, home);
    if (!sure) found.unknown.push(target.text);
    for (const folder of folders) {
      const resolved = resolveUse({ word: target, path: target.value }, folder, home);
      const plain = resolved.known && resolved.pattern === undefined && !(kind === 'write' && target.tilde);
      const path = resolved.known ? resolved.path : resolved.guess;
      if (path !== undefined && (plain || !resolved.known)) found.files.push(sameFile(kind, path, resolved.climb));
      if (kind === 'read' && resolved.known && target.listed !== undefined)
        found.patterns.push(listingKey(target.listed, resolved.path));
      else if (kind === 'read' && resolved.known && resolved.pattern !== undefined)
        found.patterns.push(resolved.pattern);
      else if (!plain) found.unknown.push(target.text);
    }
  }
  return found;
}

export interface NamedFile {
  access: 'read' | 'write';
  path: string;
  /** The command that names it; undefined for a redirection. */
  by?: string;
  climb?: Climb;
}

/**
 * Every path that a Bash command line plainly names, for the host to resolve links: given to decide() as file targets
 * after the command, they can only tighten its verdict.
 */
export function commandFiles({ all }: BashLine, cwd: string, home: string): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const one of measured(all.commands, cwd, home)) {
    const { words } = unwrap(one.words);
    // Folders that are compared as they are: what links in them lead to stays out.
    const keepsLinks =
      touchedFiles(one, cwd, home).wide &&
      words.some(({ value, kind }) => kind === 'literal' && value === '--no-dereference');
    const name = commandName(words) ?? '';
    const by = name === 'diff' && keepsLinks ? '' : name;
    const add = ({ access, path, climb }: TouchedFile, origin: Pick<NamedFile, 'by'>): void => {
      const file: NamedFile = { access, path, ...origin, ...defined({ climb }) };
      found.set(JSON.stringify(file), file);
    };
    for (const file of touchedFiles(one, cwd, home).files) add(file, { by });
    for (const file of usedByName(one, cwd, home)) add(file, { by });
    for (const file of redirectedFiles(one, cwd, home).files) add(file, {});
  }
  return [...found.values()];
}

/** The globs of the line whose files have to be looked at: what they find, only the host can tell. */
export function globsOf({ plain }: BashLine, cwd: string, home: string): string[] {
  return [
    ...new Set(
      measured(plain, cwd, home).flatMap((one) => [
        ...touchedFiles(one, cwd, home).patterns,
        ...redirectedFiles(one, cwd, home).patterns,
      ]),
    ),
  ];
}

/** The folders that the line removes, moves or copies as a whole: which files go along, the host must look up. */
export function takenBy({ all }: BashLine, cwd: string, home: string): TakenFolder[] {
  return measured(all.commands, cwd, home).flatMap((one) =>
    takenFolders(unwrap(one.words).words).flatMap(({ from, to, copied }) =>
      foldersToTry(one, cwd, home).folders.flatMap((folder) =>
        folder === undefined
          ? []
          : { from: absolutePath(from, folder), to: to.map((path) => absolutePath(path, folder)), copied },
      ),
    ),
  );
}

/** The folders in which the line may run git: which repository that finds, the host must look up. */
export function gitFolders({ all }: BashLine, cwd: string, home: string): string[] {
  const running = all.commands.filter(({ words }) => commandName(unwrap(words).words) === 'git');
  return [
    ...new Set(
      running.flatMap((one) => foldersToTry(inItsFolder(one), cwd, home).folders.flatMap((folder) => folder ?? [])),
    ),
  ];
}

function sameFile(access: 'read' | 'write', path: string, climb?: Climb): TouchedFile {
  return { access, path, realPath: path, ...defined({ climb }) };
}

function textOf({ words }: SimpleCommand): string {
  return words.map((word) => word.text).join(' ');
}
