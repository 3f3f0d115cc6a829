// Markdown that is nested deeper than a lexer or a page can follow stays readable, and no text makes either of them fail or hang.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Token } from 'marked';
import { createBlockParser } from '../../../webview-ui/markdown/block-parser';
import { partsByNesting } from '../../../webview-ui/markdown/nesting';

const lex = (text: string): readonly Token[] => {
  const { closed, open } = createBlockParser().finish(text);
  return [...closed, ...open];
};
function depth(tokens: readonly Token[], at = 0): number {
  return tokens.reduce((most, token) => {
    const inner = [
      ...('tokens' in token ? (token.tokens ?? []) : []),
      ...(('items' in token && (token['items'] as Token[])) || []),
    ];
    return Math.max(most, inner.length === 0 ? at : depth(inner, at + 1));
  }, at);
}
const raw = (tokens: readonly Token[]): string => tokens.map((token) => token.raw).join('');

/** What recursion takes easily, in the lexer and in the page. */
const mostDepth = 200;
const deep: [what: string, text: (levels: number) => string][] = [
  ['lists in one line', (n) => `${'- '.repeat(n)}x`],
  ['ordered lists in one line', (n) => `${'1. '.repeat(n)}x`],
  ['quotes', (n) => `${'>'.repeat(n)} x`],
  ['quotes and lists by turns', (n) => `${'> - '.repeat(n)}x`],
  [
    'lists by their indent',
    (n) => Array.from({ length: Math.min(n, 400) }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
  ],
  ['lists by tabs', (n) => Array.from({ length: Math.min(n, 400) }, (_, i) => `${'\t'.repeat(i)}- a`).join('\n')],
  ['emphasis', (n) => `${'*'.repeat(n)}x${'*'.repeat(n)}`],
  ['emphasis with words between', (n) => `${'*a **b '.repeat(n)}${'** *'.repeat(n)}`],
  ['brackets', (n) => `${'['.repeat(n)}x${']'.repeat(n)}(u)`],
  ['pictures in pictures', (n) => `${'!['.repeat(n)}x${'](u)'.repeat(n)}`],
  ['a quote behind a code block that does not end', (n) => `a \`\`\`\n${'> '.repeat(n)}x`],
];

describe('nested Markdown', () => {
  for (const [what, text] of deep) {
    for (const levels of [40, 400, 4_000]) {
      it(`${what}, ${levels} levels: read to a bounded depth, nothing lost`, () => {
        const source = `Before.\n\n${text(levels)}\n\nAfter **all**.`;
        const tokens = lex(source);
        assert.ok(depth(tokens) <= mostDepth, `${depth(tokens)} levels`);
        assert.equal(raw(tokens), source);
        assert.equal(tokens.at(-1)?.type, 'paragraph', 'what follows is Markdown again');
      });
    }
  }

  it('of any kind neither fails nor gets too deep', () => {
    const piece = fc.constantFrom(
      '- ',
      '* ',
      '+ ',
      '1. ',
      '> ',
      '>',
      '  ',
      '    ',
      '\t',
      '\n',
      '\n\n',
      '*',
      '**',
      '_',
      '[',
      '](u)',
      '![',
      '`',
      '```\n',
      '~~',
      'a',
      ' ',
      '|',
      '---\n',
      '<b>',
      '\\',
    );
    const many = fc.tuple(piece, fc.integer({ min: 1, max: 150 })).map(([one, times]) => one.repeat(times));
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, many), { maxLength: 12 }), (pieces) => {
        const source = pieces.join('');
        const tokens = lex(source);
        assert.ok(depth(tokens) <= mostDepth);
      }),
      { numRuns: 400 },
    );
  });

  it('is what it was where nobody would call it deep', () => {
    for (const text of [
      '- a\n  - b\n    - c\n      - d',
      `${'-'.repeat(200)}\n`,
      `${'- '.repeat(100)}\n\n***\n\n${'*'.repeat(90)}`,
      `\`\`\`\n${'- '.repeat(100)}x\n\n${' '.repeat(300)}- y\n\`\`\`\n`,
      `${'> '.repeat(10)}x`,
    ])
      assert.deepEqual(
        partsByNesting(text).map(({ plain }) => plain),
        [false],
        text,
      );
  });
});
