// The file commands that acceptEdits mode covers: plain options, and paths that are written out.
import { basename, join } from 'pathe';
import { commandName, type ShellWord } from './simple-command';
import { isReadOnlyGit } from './read-only-git';
import { readSedCall } from './programs/sed-script';

/** Whether the command is one of them with plain options. Its paths are the caller's to check. */
export function isEditCommand(words: readonly ShellWord[]): boolean {
  const name = words[0]?.value === commandName(words) ? words[0]?.value : undefined;
  const options = name === undefined ? undefined : plainOptions.get(name);
  if (options === undefined || words.some((word) => word.kind !== 'literal' || word.tilde)) return false;
  const args = words.slice(1).map((word) => word.value);
  if (!args.some((argument) => !argument.startsWith('-'))) return false;
  if (name === 'sed') return readSedCall(args) !== undefined;
  const end = args.indexOf('--');
  const plain = (end < 0 ? args : args.slice(0, end)).every(
    (argument) => !argument.startsWith('-') || options.test(argument),
  );
  // `cp -r x/. y` spreads what nobody sees.
  return (
    plain &&
    !(copies.has(name ?? '') && args.some((argument) => /(^|\/)\.?\/?$/.test(argument) && argument !== args.at(-1)))
  );
}

/**
 * Where `mv` and `cp` put things if the last path is a folder, and the copies that `sed -i` keeps: those count as written,
 * too. A star stands for the files that go along with a folder.
 */
export function placedFiles(words: readonly ShellWord[]): string[] {
  const name = commandName(words) ?? '';
  const args = words.slice(1).map((word) => word.value);
  if (name === 'sed') return sedCopies(args);
  const inFolders = takenFolders(words).flatMap(({ to }) => to.map((path) => join(path, '*')));
  if (!copies.has(name)) return inFolders;
  const operands = args.filter((value) => !value.startsWith('-'));
  const target = operands.at(-1) ?? '.';
  return [...operands.slice(0, -1).map((source) => join(target, basename(source))), ...new Set(inFolders)];
}

/** A folder that a command takes with all that is in it. */
export interface TakenFolder {
  from: string;
  /** Where its files change: where they may be afterwards, and where they were. */
  to: readonly string[];
  /** Its files stay where they are as well. */
  copied: boolean;
}

export function takenFolders(words: readonly ShellWord[]): TakenFolder[] {
  const name = commandName(words) ?? '';
  const args = words.slice(1).map((word) => word.value);
  const isRecursive = args.some((argument) => /^-[^-]*[rRa]|^--[ra]/.test(argument));
  const operands = args.filter((value) => !value.startsWith('-'));
  if (name === 'rm' && isRecursive) return operands.map((from) => ({ from, to: [from], copied: false }));
  if (name !== 'mv' && !(name === 'cp' && isRecursive)) return [];
  const target = operands.at(-1) ?? '.';
  return operands.slice(0, -1).map((from) => {
    const to = [target, join(target, basename(from))];
    return { from, to: name === 'mv' ? [from, ...to] : to, copied: name === 'cp' };
  });
}

function sedCopies(args: readonly string[]): string[] {
  const suffixes = args.flatMap((argument) => /^(?:-[nErsuz]*i|--in-place=)(.+)$/.exec(argument)?.[1] ?? []);
  return suffixes.flatMap((suffix) => (readSedCall(args)?.files ?? []).map((file) => `${file}${suffix}`));
}

/** Copies, moves or unpacks what may hold symbolic links, or makes one. */
export function mayPlaceLinks(words: readonly ShellWord[]): boolean {
  const name = commandName(words) ?? '';
  const args = words.slice(1).map((word) => word.value);
  if (name === 'cp') return args.some((argument) => /^-[^-]*[rRadP]|^--(r|a|no-d|pr|sy)/.test(argument));
  if (name === 'git') return !isReadOnlyGit(args);
  return linking.has(name);
}

const linking = new Set(['mv', 'ln', 'tar', 'bsdtar', 'unzip', 'rsync', 'cpio', '7z', 'patch']);

const copies = new Set(['mv', 'cp']);

const plainOptions = new Map([
  ['mkdir', /^(-[pv]+|--parents|--verbose)$/],
  ['touch', /^-[acm]+$/],
  ['rm', /^(-[rRfvd]+|--recursive|--force|--verbose|--dir)$/],
  ['rmdir', /^(-[pv]+|--verbose)$/],
  ['mv', /^(-[fnv]+|--force|--no-clobber|--verbose)$/],
  ['cp', /^(-[rRafpnv]+|--recursive|--force|--archive|--no-clobber|--verbose)$/],
  ['sed', /^-/],
]);
