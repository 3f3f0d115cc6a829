// The commands of a line as they can be judged: loops with each of their values, and what `find` and `xargs` run as commands of their own.
import { commandPaths } from './command-paths';
import { type AllCommands } from './hidden-commands';
import { listedBy } from './listing-commands';
import { readsOnly } from './shell-read-only';
import { commandName, isOneWord, movesFolder, type ShellWord, type SimpleCommand } from './simple-command';
import { unwrap } from './shell-wrappers';

export function plainCommands(
  written: readonly SimpleCommand[],
  { alternatives, replaced }: AllCommands,
): SimpleCommand[] {
  const set = new Set(['HOME', 'PWD']);
  return written.flatMap((command) => {
    if (command.takesLine === true) return [];
    const isKnown = replaced.has(command) && namesIn(command).every((name) => set.has(name));
    if (command.always === true && command.words.length === 0)
      for (const { name } of command.assignments) set.add(name);
    if (command.loops === undefined && !isKnown) return withoutRunners(command);
    const found = isKnown ? alternatives.get(command) : undefined;
    return (found?.every(readsListedFiles) === true ? found : [chosenByLoop(command)])
      .map((one) => (one === command ? one : { ...one, assignments: command.assignments }))
      .flatMap(withoutRunners);
  });
}

function withoutRunners(command: SimpleCommand): SimpleCommand[] {
  const passed = withListedFiles(command);
  return passed === undefined ? withoutActions(command) : [passed];
}

/** Variables whose value may have come with the environment, as far as the line sets them at all: not those of its loops. */
function namesIn({ words, redirections, loops = [] }: SimpleCommand): string[] {
  const targets = redirections.flatMap((one) => (one.kind === 'text' ? [] : [one.target]));
  const names = [...words, ...targets].flatMap(({ text }) =>
    [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name),
  );
  return names.filter((name) => !loops.some((loop) => loop.name === name));
}

/** What nobody knows of a loop's value the line has chosen all the same: as with `$(…)`, it may be any option. */
function chosenByLoop(command: SimpleCommand): SimpleCommand {
  const names = (command.loops ?? []).map(({ name }) => name);
  const chosen = ({ kind, text }: ShellWord): boolean =>
    kind === 'dynamic' && names.includes(/^"?\$\{?(\w+)/.exec(text)?.[1] ?? '');
  if (!command.words.some(chosen)) return command;
  return {
    ...command,
    words: command.words.map((word) =>
      chosen(word) ? { ...word, text: isOneWord(word.text) ? '"$(loop)"' : '$(loop)' } : word,
    ),
  };
}

/** `find a -exec wc {} +` is a `find a` and a `wc` of what is in `a`; where that is not plain, it stays what it is. */
function withoutActions(command: SimpleCommand): SimpleCommand[] {
  const { words, open } = unwrap(command.words);
  if (open || commandName(words) !== 'find' || !words.some(({ value }) => value === '-exec')) return [command];
  const own: ShellWord[] = [];
  const inner: ShellWord[][] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    if (word.value !== '-exec') {
      own.push(word);
      continue;
    }
    const end = words.findIndex(
      ({ value }, at) => at > index && (value === ';' || (value === '+' && words[at - 1]?.value === '{}')),
    );
    if (end < 0) return [command];
    inner.push(words.slice(index + 1, end));
    index = end;
  }
  const roots = rootsOf(own);
  const run = inner.flatMap((given) => roots.map((root) => onWhatIsIn(root, given, command)));
  if (!run.every(readsOnly)) return [command];
  const isSafe = run.every(({ words: given }) => commandPaths(given)?.content !== true) || findsFilesOnly(words);
  return isSafe && roots.every(({ kind }) => kind === 'literal') ? [{ ...command, words: own }, ...run] : [command];
}

function rootsOf(words: readonly ShellWord[]): ShellWord[] {
  const args = words.slice(1);
  const end = args.findIndex(({ value }) => /^[-(!,]/.test(value));
  const roots = args.slice(0, end < 0 ? undefined : end);
  return roots.length > 0 ? roots : [{ text: '.', value: '.', kind: 'literal', tilde: false }];
}

/** Any file below the folder is named as the folder is: it begins with it, so it is no option. */
function onWhatIsIn(root: ShellWord, given: readonly ShellWord[], command: SimpleCommand): SimpleCommand {
  const words = given.map((word) => (word.value.includes('{}') ? { ...root, tilde: root.tilde } : word));
  return {
    ...command,
    words,
    assignments: [],
    redirections: [],
    text: words.map(({ text }) => text).join(' '),
    below: true,
  };
}

/** Without links, which would show what they lead to. What stands behind `-exec` does not select. */
function findsFilesOnly(words: readonly ShellWord[]): boolean {
  const values = words.map(({ value }) => value);
  const type = values.indexOf('-type');
  return (
    type > 0 &&
    type < values.indexOf('-exec') &&
    values[type + 1] === 'f' &&
    !values.some((value) => /^(-o|-or|!|-not|,|\(|\)|-L|-follow|-H)$/.test(value))
  );
}

/** `find src | xargs grep x` is a `grep x` of the files below `src`; undefined for anything that is not plainly like it. */
function withListedFiles(command: SimpleCommand): SimpleCommand | undefined {
  const call = xargsCall(command.words);
  if (call === undefined || command.assignments.length > 0) return undefined;
  const { words, put } = call;
  const name = commandName(words) ?? '';
  if (printers.has(name)) return { ...command, words };
  const files = readers.has(name) && command.piped !== undefined ? listedBy(command.piped) : undefined;
  if (files === undefined) return undefined;
  // Twice: where the first would be a pattern or a script, not all of them are files.
  const given =
    put === undefined ? [...words, ...files, ...files] : words.flatMap((word) => (word.value === put ? files : [word]));
  const run = { ...command, words: given };
  return readsListedFiles(run) ? run : undefined;
}

/** Whatever words of it stand for listed files, it only reads those, or prints their names. */
function readsListedFiles({ redirections, ...command }: SimpleCommand): boolean {
  const count = (among: readonly ShellWord[]): number => among.filter(({ listed }) => listed !== undefined).length;
  const given = count(command.words);
  const targets = redirections.flatMap((one) => (one.kind === 'text' ? [] : [one]));
  if (given === 0 && count(targets.map(({ target }) => target)) === 0) return true;
  if (targets.some(({ kind, target }) => kind === 'write' && target.listed !== undefined)) return false;
  const uses = (commandPaths(command.words)?.uses ?? []).filter(({ access }) => access === 'read');
  const only = { ...command, redirections: [] };
  return (
    readsOnly(only) &&
    !movesFolder(command.words) &&
    (printers.has(commandName(command.words) ?? '') || count(uses.map(({ word }) => word)) === given)
  );
}

interface XargsCall {
  words: readonly ShellWord[];
  /** Stands for what the pipe brings; without it, that follows the other words. */
  put?: string;
}

function xargsCall(all: readonly ShellWord[]): XargsCall | undefined {
  if (commandName(all) !== 'xargs' || !all.every(({ kind }) => kind === 'literal')) return undefined;
  let put: string | undefined;
  let index = 1;
  for (let option = all[1]?.value; option?.startsWith('-') === true; option = all[index]?.value) {
    const length = optionLength(option, all[index + 1]?.value ?? '');
    if (length === 0) return undefined;
    if (option.startsWith('-I')) put = option.slice(2) || all[index + 1]?.value;
    index += length;
  }
  const words = all.slice(index);
  if (words.length === 0) return { words: [{ text: 'echo', value: 'echo', kind: 'literal', tilde: false }] };
  if (put === undefined) return { words };
  const mark = put;
  return words.every(({ value }) => value === mark || !value.includes(mark)) ? { words, put } : undefined;
}

/** How many words the option takes up; 0 where it is not known to be harmless. */
function optionLength(option: string, next: string): number {
  if (/^(-[0rt]+|--null|--no-run-if-empty|--max-(args|procs)=\d+)$/.test(option)) return 1;
  const [, letter = '', joined = ''] = /^-([nPLId])(.*)$/s.exec(option) ?? [];
  const value = joined === '' ? next : joined;
  const isKnown = letter === 'I' ? /^(\{\}|[%@])$/ : letter === 'd' ? /^\\n$/ : /^\d+$/;
  return letter !== '' && isKnown.test(value) ? (joined === '' ? 2 : 1) : 0;
}

/** They print their words, whatever those are. */
const printers = new Set(['echo', 'basename', 'dirname']);

/** All their operands are files that they read, however many there are. */
const readers = new Set(
  'cat tac nl head tail wc ls stat file du grep egrep fgrep rg sed jq cksum md5sum sha1sum sha256sum'.split(' '),
);
