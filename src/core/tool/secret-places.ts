// Whether a new text has what is in results for a secret where the old text may have a secret.
import { marks } from '../text/redact';

/** `shown` is the old text as results show it. Where nothing was hidden, and on a line that the old text had, the words are the text's own. */
export function marksSecret(text: string, base: string, shown: string): string | undefined {
  if (shown === base) return undefined;
  const own = markedLines(base);
  const left = [...own];
  const hiding = new Set(
    markedLines(shown).filter((line) => {
      const at = left.indexOf(line);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    }),
  );
  const found = markedLines(text).find((line) => hiding.has(line) || !own.includes(line));
  return found?.match(marks)?.[0];
}

function markedLines(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.match(marks) !== null)
    .map((line) => line.trim());
}
