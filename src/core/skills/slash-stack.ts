// What a message that begins with a slash asks for: up to six commands, and what follows their names.
import { slashLine } from '../text/slash-line';

/** So many skills one message may begin with. */
const maxStacked = 6;

export interface SlashStack {
  /** The first one, known or not. */
  names: readonly string[];
  /** For each of them. */
  args: string;
}

/** Undefined for any other message. A second name counts where there is such a command: `/deploy /srv` has an argument. */
export function slashStack(text: string, isKnown: (name: string) => boolean): SlashStack | undefined {
  let line = slashLine(text);
  if (line === undefined) return undefined;
  const names = [line.name];
  let args = line.rest;
  while (names.length < maxStacked && isKnown(line.name)) {
    line = slashLine(args);
    if (line === undefined || !isKnown(line.name)) break;
    names.push(line.name);
    args = line.rest;
  }
  return { names: [...new Set(names)], args };
}
