// Finds the "/name" that is being typed at the start of a message, and writes the chosen one.
import { type SlashCommand } from '../../src/shared/answers';

/** What is typed behind the slash; undefined where the cursor is in no such name. */
export function slashAt(text: string, cursor: number): string | undefined {
  return /^\/([\w:./@-]{0,100})$/.exec(text.slice(0, cursor))?.[1];
}

/** The whole message, with the cursor where arguments go. */
export function applySlash(
  text: string,
  cursor: number,
  { name }: Pick<SlashCommand, 'name'>,
): { text: string; cursor: number } {
  const rest = text.slice(cursor).replace(/^[\w:./@-]*[^\S\n]?/, '');
  const written = `/${name} `;
  return { text: written + rest, cursor: written.length };
}

/** Enter on it sends it as it is: it takes nothing, or its whole name is there already. */
export function runsAtOnce(text: string, { name, argumentHint }: Pick<SlashCommand, 'name' | 'argumentHint'>): boolean {
  const typed = text.trim();
  return typed === `/${name}` || (argumentHint === undefined && !/\s/.test(typed));
}
