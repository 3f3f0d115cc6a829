// Formulas and footnotes in Markdown: what is one, and what only looks like it.
import assert from 'node:assert/strict';
import { type Token } from 'marked';
import { createLexer } from '../../../webview-ui/markdown/syntax';

/** The formulas of a text in their order; those on a line of their own in brackets. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const look = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'math') found.push(token['display'] === true ? `[${token['text']}]` : String(token['text']));
      look((token as { tokens?: Token[] }).tokens ?? []);
      for (const item of (token as { items?: Token[] }).items ?? []) look([item]);
    }
  };
  look(createLexer().lex(text));
  return found;
}

const formulaCases: readonly [string, string[]][] = [
  ['The area is $\\pi r^2$.', ['\\pi r^2']],
  ['$x$ and $y$', ['x', 'y']],
  ['With $a_i$ and _emphasis_, $b_i$', ['a_i', 'b_i']],
  ['**Bold $x^2$**', ['x^2']],
  ['- item \\(a + b\\)', ['a + b']],
  ['$$\nE = mc^2\n$$', ['[E = mc^2]']],
  ['Text\n$$a = b$$\nmore', ['[a = b]']],
  ['So \\[a = b\\] holds.', ['[a = b]']],
  ['\\[\n\\frac{1}{2}\n\\]', ['[\\frac{1}{2}]']],
  ['$\\text{costs } \\$5$', ['\\text{costs } \\$5']],
  ['$1$', ['1']],
  ['($n!$)', ['n!']],
  ['$5 and $6', []],
  ['It costs $5, she paid 6$.', []],
  ['Between $5 and $10 (US$ 5 and US$ 10)', []],
  ['$20/month or $200/year', []],
  ['A\\$5 and \\$6', []],
  ['`$x$` in code, and `$HOME`', []],
  ['Set $HOME/bin:$PATH', []],
  ['$HOME and $PATH', []],
  ['${a}/${b} and ${c}', []],
  ['$FOO$BAR', []],
  ['a$b$c', []],
  ['$ x $', []],
  ['An empty $$ and $$$$', []],
  ['escaped \\(optional\\) and \\[also this\\]', []],
  ['\\[text\\](src/a.ts)', []],
  ['$$\na\n\nb\n$$', []],
  ['```\n$x$\n```', []],
  ['Never closed: $x^2', []],
  ['Never closed: $$x^2', []],
];

describe('formulas in Markdown', () => {
  for (const [text, expected] of formulaCases)
    it(JSON.stringify(text), () => assert.deepEqual(formulas(text), expected));
});

describe('footnotes in Markdown', () => {
  const types = (text: string) =>
    createLexer()
      .lex(text)
      .map(({ type }) => type);

  it('end with their paragraph or at the next one', () => {
    const [first, second] = createLexer().lex('[^a]: One\n  goes *on*\n[^b]: Two');
    assert.equal(first?.type, 'footnote');
    assert.equal((first as { tokens?: Token[] }).tokens?.map(({ raw }) => raw).join(''), 'One\ngoes *on*');
    assert.equal((second as { name?: string } | undefined)?.name, 'b');
  });

  it('interrupt a paragraph, and are no definitions of links', () => {
    assert.deepEqual(types('Text[^a]\n[^a]: https://example.org'), ['paragraph', 'footnote']);
  });

  it('are marked in a text', () => {
    const [paragraph] = createLexer().lex('It is so[^why], they say.');
    assert.deepEqual(
      (paragraph as { tokens?: Token[] }).tokens?.map(({ type }) => type),
      ['text', 'footnoteMark', 'text'],
    );
  });
});
