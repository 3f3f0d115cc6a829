// The incremental parser gives what a parse of the whole text gives, however the text is cut.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBlockParser, type ParsedBlocks } from '../../../webview-ui/markdown/block-parser';
import { createLexer } from '../../../webview-ui/markdown/syntax';

const block = fc.constantFrom(
  'A paragraph with `code`, **bold** and [a link](src/a.ts:3).',
  'First line\nsecond line',
  '# Heading',
  'Setext\n======',
  '- one\n- two\n  - nested',
  '- loose\n\n- list',
  '- item\n\n  continued',
  '1. first\n2. second',
  '* other bullet',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '~~~\ntext\n\n```\nmore\n~~~',
  '```\nnever closed\n\n- looks like a list',
  '    indented code\n\n    goes on',
  '> quote\n> goes on\n\n> another',
  '> lazy\ncontinued',
  '| a | b |\n| - | :-: |\n| 1 | 2 |',
  '| a | b |\n| - |',
  '---',
  '<div>\n\nraw\n\n</div>',
  '<!-- comment\n\nwith a gap -->',
  '<pre>\n\nkept\n</pre>',
  'text\\',
  '- [ ] task\n- [x] done',
  '**open bold',
  '`open code',
  '\ttab',
  '1',
  '-',
  '+ plus\n\n\n+ plus again',
  '$$\nx^2\n$$',
  'A line\n$$x^2$$\nand more with $a_i$',
  '$$\nnever closed',
  '\\[\na = b\n\\]',
  'Costs $5[^note] and \\(x + y\\).',
  '[^note]: What it says\ngoes on',
  '[^a]: One\n[^b]: Two',
);
const withDefinitions = fc.oneof(
  { weight: 4, arbitrary: block },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[ref]: https://example.org "title"', 'See [ref] and [other].', '[other]:\n  /b'),
  },
);
const gap = fc.constantFrom('\n', '\n\n', '\n\n\n', '\r\n\r\n', '\n \n', ' \n');

function documents(blocks: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(fc.tuple(blocks, gap), { maxLength: 8 }).map((parts) => parts.flat().join(''));
}

const tokensOf = (parsed: ParsedBlocks) => [...parsed.closed, ...parsed.open];
const whole = (text: string) => [...createLexer().lex(text)];

describe('block parser', () => {
  it('equals a parse of the whole text after every piece', () => {
    fc.assert(
      fc.property(documents(block), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (text, sizes) => {
        const parser = createBlockParser();
        for (let end = 0, step = 0; end < text.length; step++) {
          end = Math.min(text.length, end + (sizes[step % sizes.length] ?? 1));
          const soFar = text.slice(0, end);
          const parsed = parser.update(soFar);
          if (!soFar.endsWith('\r')) assert.deepEqual(tokensOf(parsed), whole(soFar));
        }
        assert.deepEqual(tokensOf(parser.finish(text)), whole(text));
      }),
      {
        numRuns: 1_500,
        examples: [['[^a]: One\n[^b]: Two\n<pre>\n\nkept\n</pre>\n\n[^note]: What it says\ngoes on\n', [1]]],
      },
    );
  });

  it('equals a parse of the whole text at the end, also with link definitions', () => {
    fc.assert(
      fc.property(documents(withDefinitions), fc.integer({ min: 1, max: 20 }), (text, size) => {
        const parser = createBlockParser();
        for (let end = size; end < text.length; end += size) parser.update(text.slice(0, end));
        assert.deepEqual(tokensOf(parser.finish(text)), whole(text));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps finished blocks as they are', () => {
    const parser = createBlockParser();
    const first = parser.update('One.\n\nTwo.\n\nThr').closed;
    const second = parser.update('One.\n\nTwo.\n\nThree.\n\nFour\n').closed;
    assert.ok(first.length > 0);
    assert.ok(second.length > first.length);
    for (const [index, token] of first.entries()) assert.equal(second[index], token);
  });

  it('starts again when the text was replaced', () => {
    const parser = createBlockParser();
    parser.update('One.\n\nTwo.\n\nThree.\n');
    const text = 'Other.\n\nText.';
    assert.deepEqual(tokensOf(parser.update(text)), whole(text));
  });

  it('parses only the end of a long text', () => {
    const parser = createBlockParser();
    const paragraphs = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} with some words in it.\n\n`);
    let text = '';
    let open = 0;
    for (const paragraph of paragraphs) {
      text += paragraph;
      open = Math.max(open, parser.update(text).open.length);
    }
    assert.ok(open <= 4, `${open} blocks were open`);
  });
});
