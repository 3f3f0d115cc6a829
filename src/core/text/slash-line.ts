// A message that begins with a slash and a name: a command, not a prompt.

export interface SlashLine {
  name: string;
  /** What follows the name, without the space around it. */
  rest: string;
}

/** Undefined for any other message: a path such as /usr/bin is none, but `/apps/web:deploy` is. */
export function slashLine(text: string): SlashLine | undefined {
  const found = /^\s*\/((?:[\w.@-]+\/)*[\w.@-]+:[\w:.@-]+|[A-Za-z0-9_][A-Za-z0-9_:.@-]*)(?:\s+([\s\S]*))?$/.exec(text);
  return found?.[1] === undefined ? undefined : { name: found[1], rest: (found[2] ?? '').trim() };
}
