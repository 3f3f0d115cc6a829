// The message that is a command: "/compact", with what the summary should keep above all.

/** Empty where nothing follows; undefined for any other message. */
export function compactFocus(text: string): string | undefined {
  const found = /^\s*\/compact(?:\s+([\s\S]*))?$/.exec(text);
  return found === null ? undefined : (found[1] ?? '').trim();
}
