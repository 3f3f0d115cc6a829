// Something that Markdown of answers has beyond the usual.
import { type Token } from 'marked';

export interface Extension {
  level: 'block' | 'inline';
  /** Where the next one may begin. */
  start: (text: string) => number | undefined;
  /** The one that the text begins with. `inline` reads the tokens of a text in it. */
  read: (text: string, before: readonly Token[], inline: (text: string) => Token[]) => Token | undefined;
}
