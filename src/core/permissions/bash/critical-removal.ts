// `rm` and `rmdir` on paths whose loss is beyond repair: asked in every mode, wherever the command hides.
import { type PermissionContext } from '../rules/verdict';
import { isCriticalPath } from '../files/critical-paths';
import { commandName, lastName, type ShellWord, type SimpleCommand } from './simple-command';
import { absolutePath } from '../rules/workspace-path';
import { unwrap } from './shell-wrappers';
import { isAbsolute, join } from 'pathe';

/** The word that names such a path, as written. `folders`: where the command may run; none where that is unknown. */
export function criticalRemoval(
  command: SimpleCommand,
  folders: readonly string[],
  context: PermissionContext,
): string | undefined {
  const { words, open } = unwrap(command.words);
  const name = commandName(words) ?? (words[0] === undefined ? undefined : lastName(words[0]));
  if (name === 'find')
    return foundRoots(words).find((word) =>
      targetsOf(word, context).some((target) => isCritical(target, folders, context)),
    )?.text;
  // A name from a variable may be anything.
  if (name !== 'rm' && name !== 'rmdir' && (name !== undefined || words[0]?.kind !== 'dynamic')) return undefined;
  const args = words.slice(1);
  if (open && args.some((word) => /^-[A-Za-z]*[rR]|^--r/.test(word.value)))
    return `${words[0]?.text ?? ''} of what xargs passes`;
  const relevant =
    name === undefined
      ? args.filter((word) => /[/~$.*]/.test(word.text))
      : args.filter((word) => !word.value.startsWith('-'));
  return relevant.find((word) => targetsOf(word, context).some((target) => isCritical(target, folders, context)))?.text;
}

/** Where `find` removes what it finds, and no test says which: the folders in which it looks. */
function foundRoots(words: readonly ShellWord[]): ShellWord[] {
  const args = words.slice(1);
  const removes = args.some(
    ({ value }, index) =>
      value === '-delete' || (/^-(exec|execdir|ok|okdir)$/.test(value) && removal(args.slice(index + 1))),
  );
  const start = args.findIndex(({ value }) => /^[-(!]/.test(value) && !/^-[HLP]$/.test(value));
  const tests = args
    .slice(Math.max(0, start))
    .some(({ value }) =>
      /^-(i?name|i?path|i?wholename|i?regex|i?lname|[acm](time|min)|newer\w*|anewer|cnewer|size|empty|user|group|uid|gid|perm|inum|samefile|links)$/.test(
        value,
      ),
    );
  if (!removes || tests) return [];
  const roots = (start < 0 ? args : args.slice(0, start)).filter(({ value }) => !/^-[HLP]$/.test(value));
  return roots.length > 0 ? roots : [{ text: '.', value: '.', kind: 'literal', tilde: false }];
}

function removal(words: readonly ShellWord[]): boolean {
  const name = commandName(unwrap(words).words);
  return name === 'rm' || name === 'rmdir' || name === 'unlink' || name === 'shred';
}

function isCritical(target: string, folders: readonly string[], context: PermissionContext): boolean {
  if (target === unknownRoot) return true;
  if (isAbsolute(target)) return isCriticalPath(absolutePath(target, '/'), context);
  if (folders.length === 0) return /^(\.\.?\/?)*\*?$/.test(target);
  return folders.some((folder) => isCriticalPath(absolutePath(target, folder), context));
}

/** Stands for a variable that may be empty or anything. */
const unknownRoot = '\0';

/** What the word may stand for; `x/*` removes as much as `x` does. */
function targetsOf(word: ShellWord, { home, cwd }: PermissionContext): string[] {
  return expandBraces(word.kind === 'literal' ? word.value : word.value.replaceAll(/["']/g, '')).map((text) => {
    let path = text
      .replace(/^\$(HOME|\{HOME(?:[:?%#-][^}]*)?\})(?=\/|$)/, home)
      .replace(/^(\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=\/|$)/, cwd);
    if (word.tilde && (path === '~' || path.startsWith('~/'))) path = join(home, path.slice(1));
    // Somebody's home folder.
    else if (word.tilde && /^~[^/]*\/?$/.test(path)) return unknownRoot;
    path = path.replace(/(^|\/)(\.?[*?]+|\.\[[^\]]*\]\*|\[[^\]]*\]\*)(\/[*?.]*)*$/, '$1') || '.';
    if (word.kind === 'dynamic' && /^(\$\w+|\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`)+\/+[^/]*\/?$/.test(path))
      return unknownRoot;
    return path;
  });
}

/** `{a,b}` written out, bounded: each brace multiplies what there is. Beyond that it may be anything. */
function expandBraces(text: string): string[] {
  let texts = [text];
  for (;;) {
    const next: string[] = [];
    for (const one of texts) {
      const match = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (match === null) {
        next.push(one);
        continue;
      }
      const [whole, list = ''] = match;
      next.push(
        ...list.split(',').map((piece) => one.slice(0, match.index) + piece + one.slice(match.index + whole.length)),
      );
    }
    if (next.length > maxTexts) return [unknownRoot];
    if (next.length === texts.length) return texts;
    texts = next;
  }
}

const maxTexts = 200;
