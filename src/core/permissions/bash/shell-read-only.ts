// Which command lines only look: safe to run unasked, and several at once.
import { type ShellWord, type SimpleCommand } from './simple-command';
import { hasFreeOptions, readOnlyChecks } from './programs/read-only-commands';
import { isReadOnlyGit } from './read-only-git';
import { setsPlainVariables } from './shell-variables';
import { areSafeAssignments, unwrap } from './shell-wrappers';

/** True where a command plainly only reads; `cd` counts as reading. Redirections into files do not. */
export function onlyReads(command: SimpleCommand): boolean {
  if (command.redirections.some((redirection) => redirection.kind === 'write' && !isDiscard(redirection.target)))
    return false;
  return readsOnly(command);
}

/** The command without its redirections. */
export function readsOnly({ words, assignments }: SimpleCommand): boolean {
  if (words.length === 0) return areSafeAssignments(assignments) || setsPlainVariables(assignments);
  if (!areSafeAssignments(assignments)) return false;
  const { words: inner, open } = unwrap(words);
  // On a terminal nohup writes a file.
  const wrappers = words.slice(0, words.length - inner.length);
  return !open && !wrappers.some(({ value }) => value === 'nohup') && isReadOnlyInvocation(inner);
}

export function isDiscard(target: ShellWord): boolean {
  return target.kind === 'literal' && target.value === '/dev/null';
}

function isReadOnlyInvocation(words: readonly ShellWord[]): boolean {
  const [first, ...rest] = words;
  if (first?.kind !== 'literal') return false;
  const name = first.value.replace(/^\/(usr\/)?bin\//, '');
  if (isVersionQuestion(name, rest)) return true;
  if (name === 'git') return arePlain(rest) && isReadOnlyGit(rest.map((word) => word.value));
  if (pure.has(name)) return true;
  // What follows its format is printed, whatever it is.
  if (name === 'printf' && !arePlain(rest.slice(0, 1))) return false;
  const check = readOnlyChecks.get(name);
  return (
    check !== undefined &&
    (name === 'printf' || arePlain(rest, hasFreeOptions(name))) &&
    check(rest.map((word) => word.value))
  );
}

/** An expansion, or a file named like an option that `*` finds, could be any option. */
function arePlain(words: readonly ShellWord[], freeOptions = false): boolean {
  return words.every(
    ({ kind, text }) =>
      kind === 'literal' ||
      (kind === 'glob' && (freeOptions || !/^[*?[]/.test(text))) ||
      (freeOptions && isFilter(text)),
  );
}

/** Whatever files it finds, `--include=*.ts` stays that option; with braces, as in `--include=*.{ts,tsx}`, it is several. */
export function isFilter(text: string): boolean {
  return filter.test(text);
}

const filter = /^--(include|exclude|exclude-dir)=["']?[\w.*,{}-]*["']?$/;

/** Whatever their arguments are, they only print or compare. */
const pure = new Set(['echo', 'pwd', 'true', 'false', ':', 'basename', 'dirname', 'cd']);

function isVersionQuestion(name: string, words: readonly ShellWord[]): boolean {
  const [question] = words;
  return (
    words.length === 1 &&
    question?.kind === 'literal' &&
    versionOptions.get(name)?.split(' ').includes(question.value) === true
  );
}

/** Not those of which a file of the project says which program answers: rustup's, `yarn`, `pnpm`, `dotnet`. */
const versionOptions = new Map([
  ...'uv javac gcc g++ clang cmake docker'.split(' ').map((name): [string, string] => [name, '--version']),
  ...'node npm bun tsc ruby php perl make'.split(' ').map((name): [string, string] => [name, '--version -v']),
  ...'python python3 pip pip3 deno'.split(' ').map((name): [string, string] => [name, '--version -V']),
  ['bash', '--version'],
  ['java', '--version -version'],
]);
