// Words of commands: those that a user is told, so that they can be copied into a shell, and those that are run.

/** In double quotes, whatever it is. */
export function shellQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** In quotes only where a shell would read it otherwise. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}

/** For a command that is run: in single quotes, in which a shell reads nothing, where it would read it otherwise. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
