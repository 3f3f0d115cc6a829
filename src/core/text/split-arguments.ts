// Parts what follows a command's name into arguments, with quotes as a shell has them.

/** An open quote goes to the end. */
export function splitArguments(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (
      character === '\\' &&
      next !== '' &&
      (quote === undefined ? /[\s\\"']/.test(next) : quote === '"' && /[\\"$`]/.test(next))
    ) {
      word = `${word ?? ''}${next}`;
      at++;
    } else word = `${word ?? ''}${character}`;
  }
  return word === undefined ? words : [...words, word];
}
