// Words of commands that a user is told, so that they can be copied into a shell.

/** In double quotes, whatever it is. */
export function shellQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** In quotes only where a shell would read it otherwise. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}
