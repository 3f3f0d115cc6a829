// What Markdown of answers has beyond the usual: formulas and footnotes, as extensions of the lexer.
import { getDefaults, Lexer, type MarkedOptions, type Token, type TokenizerExtension } from 'marked';
import { type Extension } from './syntax-extension';
import { footnoteDefinition, footnoteMark } from './footnote-syntax';
import { blockMath, inlineMath } from './math-syntax';

const extensions: readonly Extension[] = [blockMath, footnoteDefinition, inlineMath, footnoteMark];

const of = (level: Extension['level']) => extensions.filter((extension) => extension.level === level);
const starts = (level: Extension['level']) => of(level).flatMap(({ start }) => start ?? []);
const readers = (level: Extension['level']) =>
  of(level).map(
    ({ read }): TokenizerExtension['tokenizer'] =>
      function (text, before) {
        // That of a block is read with all others, once the blocks are known: no block begins within an element of another.
        const inline = (inside: string): Token[] =>
          level === 'block' ? this.lexer.inline(inside) : this.lexer.inlineTokens(inside);
        return read(text, before, inline) as ReturnType<TokenizerExtension['tokenizer']>;
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
