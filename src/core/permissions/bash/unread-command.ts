// Whether a line may hold a command that a rule names, behind words that nobody can read before they run.
import { commandPattern } from '../rules/command-pattern';
import { type PermissionRule } from '../../../shared/permission';
import { readBash } from './bash-line';
import { commandRules, valuedOptions } from './command-rules';
import { gitValued } from './program-options';
import { type AllCommands } from './hidden-commands';
import { unwrap } from './shell-wrappers';
import { isInterpreter, isRunner, readsCode } from './runners';
import { commandName, isOneWord, lastName, type ShellWord, type SimpleCommand } from './simple-command';
import { type PermissionContext } from '../rules/verdict';

/** True for `$(echo git) push` and `git $VERB` where there is a rule for `git push *`; arguments after the rule's own words may be anything. */
export function mayHide(content: string, line: string): boolean {
  return unreadFor(content, dynamicCommands(readBash(line).all)) !== undefined;
}

/** The rule that a command may fall under which nobody can read before it runs. */
export function restrictionOfUnread(
  behavior: 'deny' | 'ask',
  written: readonly SimpleCommand[],
  all: AllCommands,
  context: PermissionContext,
): { rule: PermissionRule; text: string } | undefined {
  const rules = commandRules(context, behavior);
  if (rules.length === 0) return undefined;
  const given = shellOfUnread(written);
  const dynamic = dynamicCommands(all);
  for (const rule of rules) {
    const text = given ?? unreadFor(rule.value.ruleContent ?? '', dynamic)?.text;
    if (text !== undefined) return { rule, text };
  }
  return undefined;
}

function unreadFor(content: string, dynamic: readonly SimpleCommand[]): SimpleCommand | undefined {
  const { fixedWords } = commandPattern(content);
  return dynamic.find((command) => mayBe(fixedWords, command));
}

/** Those of which a word is not known before the line runs: of all others, the rules see what they are. */
function dynamicCommands({ commands, replaced }: AllCommands): SimpleCommand[] {
  return commands.filter(
    (command) =>
      !replaced.has(command) && (unwrap(command.words).open || command.words.some(({ kind }) => kind !== 'literal')),
  );
}

/** A shell of the line that reads what another program writes. */
function shellOfUnread(written: readonly SimpleCommand[]): string | undefined {
  const shell = written.find(
    ({ words, redirections }) =>
      redirections.every(({ kind }) => kind === 'write') &&
      [unwrap(words).words, behindRunner(words)].some((inner) => isShell(inner) && readsCode(inner, false)),
  );
  const others = written.filter((one) => one !== shell && !known.has(commandName(one.words) ?? ''));
  return shell !== undefined && others.length > 0 ? shell.text : undefined;
}

/** What follows options, their values and assignments: `sudo -u x bash`. */
function behindRunner(words: readonly ShellWord[]): readonly ShellWord[] {
  if (!isRunner(commandName(words) ?? '') || isInterpreter(commandName(words) ?? '')) return [];
  const start = words.findIndex(
    ({ value }, index) =>
      index > 0 &&
      (isShell(words.slice(index)) || (!/^-|^\w+=/.test(value) && !(words[index - 1]?.value ?? '').startsWith('-'))),
  );
  return start < 0 ? [] : words.slice(start);
}

function isShell(words: readonly ShellWord[]): boolean {
  return /^(ba|z|da|k|fi)?sh$/.test(commandName(words) ?? '');
}

/** What they print stands in their words. */
const known = new Set(['echo', 'printf', 'cd', 'set', ':', 'true', 'false']);

function mayBe(fixedWords: readonly string[], command: SimpleCommand): boolean {
  const { words, open } = unwrap(command.words);
  return (
    words.length > 0 && fits(fixedWords.length === 0 ? [''] : fixedWords, words, { fixed: 0, word: 0 }, open, false)
  );
}

/** `unread`: a word before this one is not known. */
function fits(
  fixedWords: readonly string[],
  words: readonly ShellWord[],
  at: { fixed: number; word: number },
  open: boolean,
  unread: boolean,
): boolean {
  const fixed = fixedWords[at.fixed];
  if (fixed === undefined) return unread;
  const word = words[at.word];
  // What xargs passes may be the rest: hardly an option.
  if (word === undefined) return open && at.word > 0 && !fixed.startsWith('-');
  const next = { fixed: at.fixed + 1, word: at.word + 1 };
  const value = word.kind === 'literal' ? word.value : lastName(word);
  // One word that nobody knows may be several, unless it stands in quotes.
  if (value === undefined) return !isOneWord(word.text) || fits(fixedWords, words, next, open, true);
  const name = at.fixed === 0 ? value.slice(value.lastIndexOf('/') + 1) : value;
  if (name === fixed || value === fixed) return fits(fixedWords, words, next, open, unread || word.kind !== 'literal');
  // Options before a subcommand, and what may be their values.
  if (at.fixed === 0 || !value.startsWith('-')) return false;
  if (at.word > maxOptions) return words.slice(at.word).some(({ kind }) => kind !== 'literal');
  const skips = gitValued.has(value) || valuedOptions.has(value) ? [2] : [1, 2];
  return skips.some((skip) => fits(fixedWords, words, { ...at, word: at.word + skip }, open, unread));
}

const maxOptions = 8;
