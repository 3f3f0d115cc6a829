// Which links of a conversation may be opened outside: only what a browser or a mail program opens, never a command of VS Code.

export function isWebAddress(url: string): boolean {
  return /^(?:https?|mailto):/i.test(url);
}
