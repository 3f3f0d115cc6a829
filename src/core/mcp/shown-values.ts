// What a user is shown of an MCP server's values: never one that may be a secret, always the name of a variable that is put in.

/** A value can change what a program does, so it is shown, but where its name says that it is a secret. */
export function shownVariable(name: string, value: string): string {
  return /key|token|secret|passw|auth|credential/i.test(name) && !value.includes('${') ? '…' : value;
}

/** Values are mostly secrets; a variable's name shows which of the user's values is sent to the address. */
export function shownHeader(value: string): string | undefined {
  return value.includes('${') ? value : undefined;
}

/** Only within the part that names the host: elsewhere an `@` would hide it. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/@:?#\\]*):[^/@?#\\]*@/i, '$1:…@');
}
