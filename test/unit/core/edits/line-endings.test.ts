// New texts take the line endings of the text that they replace.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endingAround, keepLineEndings, uniformEnding } from '../../../../src/core/edits/line-endings';
import { splitLines, splitWithEndings } from '../../../../src/core/edits/text-lines';

const kept: [name: string, base: string, text: string, expected: string][] = [
  ['LF stays LF', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
  ['LF becomes CRLF', 'a\r\nb\r\n', 'a\nc\nd\n', 'a\r\nc\r\nd\r\n'],
  ['CRLF becomes LF', 'a\nb\n', 'a\r\nc\r\n', 'a\nc\n'],
  ['CR', 'a\rb', 'x\ny', 'x\ry'],
  ['a base without endings changes nothing', 'a', 'x\r\ny\n', 'x\r\ny\n'],
  ['an empty base changes nothing', '', 'x\r\ny\n', 'x\r\ny\n'],
  ['the final ending is the text’s own business', 'a\r\nb\r\n', 'a\nb', 'a\r\nb'],
  ['mixed, unchanged', 'a\r\nb\nc\r\n', 'a\nb\nc\n', 'a\r\nb\nc\r\n'],
  ['mixed, one line changed', 'a\r\nb\nc\r\n', 'a\nx\nc\n', 'a\r\nx\nc\r\n'],
  ['mixed, a line inserted', 'a\r\nb\nc\n', 'a\nx\nb\nc\n', 'a\r\nx\r\nb\nc\n'],
  ['mixed, a line inserted at the top', 'a\nb\r\nc\n', 'x\na\nb\nc\n', 'x\na\nb\r\nc\n'],
  ['mixed, a line removed', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
  ['mixed, an ending added at the end', 'a\nb\r\nc', 'a\nb\nc\n', 'a\nb\r\nc\r\n'],
  ['mixed, all new', 'a\r\nb\n', 'x\ny\nz\n', 'x\r\ny\nz\n'],
  ['mixed, emptied', 'a\r\nb\n', '', ''],
];

describe('keepLineEndings', () => {
  for (const [name, base, text, expected] of kept) it(name, () => assert.equal(keepLineEndings(base, text), expected));

  it('changes nothing but line endings, and nothing at all where only endings differ', () => {
    const texts = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
      .map((parts) => parts.map(([text, ending]) => text + ending).join('x'));
    fc.assert(
      fc.property(texts, texts, (base, text) => {
        const result = keepLineEndings(base, text);
        assert.deepEqual(splitLines(result), splitLines(text));
        assert.equal(keepLineEndings(base, base.replace(/\r\n|\r/g, '\n')), base);
        const allowed = new Set(
          [...splitWithEndings(base), ...(uniformEnding(base) === 'none' ? splitWithEndings(text) : [])].map(
            (line) => line.ending,
          ),
        );
        for (const line of splitWithEndings(result)) if (line.ending !== '') assert.ok(allowed.has(line.ending));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('line endings', () => {
  it('are told apart', () => {
    assert.equal(uniformEnding('a'), 'none');
    assert.equal(uniformEnding('a\nb\n'), '\n');
    assert.equal(uniformEnding('a\r\nb\r\n'), '\r\n');
    assert.equal(uniformEnding('a\rb\r'), '\r');
    assert.equal(uniformEnding('a\r\nb\n'), 'mixed');
    assert.equal(uniformEnding('a\nb\r\n'), 'mixed');
    assert.equal(uniformEnding('a\r\nb\rc'), 'mixed');
    assert.equal(uniformEnding('a\rb\r\n'), 'mixed');
  });

  it('are those of the line at an offset, on the last line those of the line before', () => {
    assert.equal(endingAround('a\r\nb\nc', 0), '\r\n');
    assert.equal(endingAround('a\r\nb\nc', 3), '\n');
    assert.equal(endingAround('a\r\nb\nc', 6), '\n');
    assert.equal(endingAround('a\r\n', 3), '\r\n');
    assert.equal(endingAround('abc', 1), undefined);
  });
});
