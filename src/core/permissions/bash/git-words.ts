// The words of a git command: the options of git itself, and what follows them.
import { gitValued } from './program-options';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';
import { unwrap } from './shell-wrappers';

export interface OwnOptions {
  /** Without their values. */
  own: string[];
  /** The values of `-c`. */
  settings: string[];
  /** From the subcommand on. */
  rest: string[];
}

/** `args` without `git`. */
export function ownOptions(args: readonly string[]): OwnOptions {
  const found: OwnOptions = { own: [], settings: [], rest: [] };
  let index = 0;
  for (; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (!argument.startsWith('-') || argument === '--version') break;
    found.own.push(argument);
    if (argument === '-c') found.settings.push(args[index + 1] ?? '');
    if (gitValued.has(argument)) index++;
  }
  return { ...found, rest: args.slice(index) };
}

/** Settings that change how git prints, and nothing that it runs. */
export function isReadOnlySetting(setting: string): boolean {
  return /^(color\.[\w.]+|core\.quotepath|core\.abbrev|log\.(decorate|date|abbrevcommit)|diff\.renames|advice\.\w+)=[\w-]*$|^core\.pager=(cat)?$/i.test(
    setting,
  );
}

const stepped = new WeakMap<SimpleCommand, SimpleCommand>();

/** `git -C a log` as what it is: a `git log` in the folder `a`. Other commands stay as they are. */
export function inItsFolder(command: SimpleCommand): SimpleCommand {
  const { words, open } = unwrap(command.words);
  if (open || commandName(words) !== 'git' || words[1]?.value.startsWith('-') !== true) return command;
  let found = stepped.get(command);
  if (found === undefined) {
    found = stepIn(command, words);
    stepped.set(command, found);
  }
  return found;
}

function stepIn(command: SimpleCommand, words: readonly ShellWord[]): SimpleCommand {
  const moves = [...command.moves];
  let index = 1;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word?.value.startsWith('-') !== true || word.value === '--version') break;
    const next = words[index + 1];
    if (word.value === '-C' && next !== undefined) moves.push({ words: [goTo, next], certain: true });
    if (gitValued.has(word.value)) index++;
  }
  return { ...command, words: [...words.slice(0, 1), ...words.slice(index)], moves };
}

const goTo: ShellWord = { text: 'cd', value: 'cd', kind: 'literal', tilde: false };
