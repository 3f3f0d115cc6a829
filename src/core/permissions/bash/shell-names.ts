// Aliases and functions of the user's own start-up files: which of them a command line uses, and what they stand for.
import { type BashLine, isReadOnlyCommand } from './bash-line';
import { commandName } from './simple-command';

export interface ShellDefinition {
  kind: 'alias' | 'function';
  /** What an alias stands for; of a function all of it, as bash prints it. */
  text: string;
}

/** By name. */
export type ShellNames = ReadonlyMap<string, ShellDefinition>;

export interface UsedName {
  name: string;
  definition: ShellDefinition;
}

/** What uses more than these is not a shorthand: it is not known to commands then. */
const mostUsed = 20;

/**
 * The names that the line calls, and those that these call in turn. What is judged and what a shell is given are both this list,
 * so that no name reaches a command whose meaning nobody has looked at.
 */
export function usedNames({ all }: BashLine, names: ShellNames): UsedName[] {
  if (names.size === 0) return [];
  const called = all.commands.flatMap(({ words }) => commandName(words) ?? []);
  const used = new Map<string, ShellDefinition>();
  const waiting = [...called];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = names.get(name);
    if (definition === undefined || used.has(name) || !isNewName(name)) continue;
    used.set(name, definition);
    // Any word of it may be one: to look at too many costs a question at most.
    waiting.push(...definition.text.split(/[^\w-]+/).filter((word) => names.has(word)));
  }
  return used.size > mostUsed ? [] : [...used].map(([name, definition]) => ({ name, definition }));
}

/** What the name stands for, as a line of commands. */
export function meaningOf({ kind, text }: ShellDefinition): string {
  return kind === 'alias' ? text : text.slice(text.indexOf('{') + 1, text.lastIndexOf('}')).trim();
}

/** A word that rules take for a command of its own is never another one. */
function isNewName(name: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(name) && !isReadOnlyCommand(name);
}
