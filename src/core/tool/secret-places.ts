// Whether a new text has what stands in results for a secret where the old text may have a secret.

/** Stands in results for a secret. */
export const REDACTED = '[redacted]';

/** `shown` is the old text as results show it. Where nothing was hidden, and on a line that the old text had, the words are the text's own. */
export function marksSecret(text: string, base: string, shown: string): boolean {
  if (shown === base || !text.includes(REDACTED)) return false;
  const own = markedLines(base);
  const left = [...own];
  const hiding = new Set(
    markedLines(shown).filter((line) => {
      const at = left.indexOf(line);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    }),
  );
  return markedLines(text).some((line) => hiding.has(line) || !own.includes(line));
}

function markedLines(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.includes(REDACTED))
    .map((line) => line.trim());
}
