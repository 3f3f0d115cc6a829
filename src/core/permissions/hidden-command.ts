// Whether a line may hold a command that a rule names, behind words that nobody can read before they run.
import { commandPattern } from './command-pattern';
import { parseShell } from './shell-command';
import { unwrap, withHiddenCommands } from './shell-wrappers';
import { type SimpleCommand } from './simple-command';

/** True for `$(echo git) push` and `git $VERB` beside `git push *`; arguments behind the rule's own words may be anything. */
export function mayHide(content: string, line: string): boolean {
  const { fixedWords } = commandPattern(content);
  return withHiddenCommands(parseShell(line).commands).commands.some((command) => mayBe(fixedWords, command));
}

function mayBe(fixedWords: readonly string[], command: SimpleCommand): boolean {
  const { words } = unwrap(command.words);
  if (words.length === 0) return false;
  // One word that nobody knows may be several.
  for (const [index, fixed] of (fixedWords.length === 0 ? [''] : fixedWords).entries()) {
    const word = words[index];
    if (word === undefined) return false;
    if (word.kind !== 'literal') return true;
    const name = index === 0 ? word.value.slice(word.value.lastIndexOf('/') + 1) : word.value;
    if (name !== fixed && word.value !== fixed) return false;
  }
  return false;
}
