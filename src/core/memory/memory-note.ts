// "# remember this" in the composer: the note, and a memory file with it at its end.

/** Undefined where the message is none. */
export function noteOf(message: string): string | undefined {
  const note = /^# +(\S[\s\S]*)$/.exec(message.trim())?.[1]?.trim();
  return note === undefined || note === '' ? undefined : note;
}

/** In the line endings that the file has. */
export function withNote(text: string, note: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = note.split(/\r?\n/);
  const item = lines.map((line, index) => (index === 0 ? `- ${line}` : line === '' ? '' : `  ${line}`)).join(newline);
  const before = text === '' || text.endsWith('\n') ? text : `${text}${newline}`;
  return `${before}${item}${newline}`;
}
