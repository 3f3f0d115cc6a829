// Words of a line as a user types them: separated by spaces, kept together by quotes. Nothing is expanded.

/** Undefined where a quote is not closed. A backslash counts as itself but before a quote or a backslash in double quotes, so that Windows paths stay. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (quote !== '') {
      const escaped = line[at + 1] ?? '';
      if (letter === quote) quote = '';
      else if (quote === '"' && letter === '\\' && (escaped === '"' || escaped === '\\')) {
        word += escaped;
        at++;
      } else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}

/** How a word is written so that splitWords reads it back. */
export function quotedWord(word: string): string {
  if (/^[^\s"']+$/.test(word)) return word;
  return word.includes("'") ? `"${word.replace(/["\\]/g, '\\$&')}"` : `'${word}'`;
}
