// The commands of a line as they can be judged: loops with each of their values, and what `find` runs as a command of its own.
import { commandPaths } from './command-paths';
import { type AllCommands } from './hidden-commands';
import { readsOnly } from './shell-read-only';
import { commandName, isOneWord, type ShellWord, type SimpleCommand } from './simple-command';
import { unwrap } from './shell-wrappers';

export function plainCommands(
  written: readonly SimpleCommand[],
  { alternatives, replaced }: AllCommands,
): SimpleCommand[] {
  const set = new Set(['HOME', 'PWD']);
  return written.flatMap((command) => {
    const isKnown = replaced.has(command) && namesIn(command).every((name) => set.has(name));
    if (command.always === true && command.words.length === 0)
      for (const { name } of command.assignments) set.add(name);
    if (command.loops === undefined && !isKnown) return withoutActions(command);
    const found = isKnown ? alternatives.get(command) : undefined;
    return (found ?? [chosenByLoop(command)])
      .map((one) => (one === command ? one : { ...one, assignments: command.assignments }))
      .flatMap(withoutActions);
  });
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
