// Something that Markdown of answers has beyond the usual.
import { type Token } from 'marked';

export interface Extension {
  level: 'block' | 'inline';
  /** Where the next one may begin, if it interrupts what the lexer would otherwise read on: a paragraph, a text without signs. */
  start?: (text: string) => number | undefined;
  /** The one that the text begins with. `inline` reads the tokens of a text in it. */
  read: (text: string, before: readonly Token[], inline: (text: string) => Token[]) => Token | undefined;
}

/** Looks for it in the paragraph with which the text begins: what is behind it is looked at in its turn. */
export function startInParagraph(pattern: RegExp): (text: string) => number | undefined {
  return (text) => {
    const end = text.indexOf('\n\n');
    return pattern.exec(end < 0 ? text : text.slice(0, end))?.index;
  };
}
