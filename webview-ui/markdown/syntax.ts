// What Markdown of answers has beyond the usual: formulas and footnotes, as extensions of the lexer.
import { getDefaults, Lexer, type MarkedOptions, type Token, type TokenizerExtension } from 'marked';
import { footnoteDefinition, footnoteMark } from './footnote-syntax';
import { blockMath, inlineMath } from './math-syntax';

export interface Extension {
  level: 'block' | 'inline';
  /** Where the next one may begin. */
  start: (text: string) => number | undefined;
  /** The one that the text begins with. `inline` reads the tokens of a text in it. */
  read: (text: string, before: readonly Token[], inline: (text: string) => Token[]) => Token | undefined;
}

const extensions: readonly Extension[] = [blockMath, footnoteDefinition, inlineMath, footnoteMark];

const of = (level: Extension['level']) => extensions.filter((extension) => extension.level === level);
const starts = (level: Extension['level']) => of(level).map(({ start }) => start);
const readers = (level: Extension['level']) =>
  of(level).map(
    ({ read }): TokenizerExtension['tokenizer'] =>
      function (text, before) {
        return read(text, before, (inside) => this.lexer.inlineTokens(inside)) as ReturnType<
          TokenizerExtension['tokenizer']
        >;
      },
  );

const options = (): MarkedOptions => ({
  ...getDefaults(),
  extensions: {
    block: readers('block'),
    inline: readers('inline'),
    startBlock: starts('block'),
    startInline: starts('inline'),
    childTokens: {},
    renderers: {},
  },
});

export function createLexer(): Lexer {
  return new Lexer(options());
}
