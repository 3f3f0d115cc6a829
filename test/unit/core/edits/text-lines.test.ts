// What a line is, and how lines are numbered for the model.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutLine, MAX_LINE_LENGTH, numberLines } from '../../../../src/core/edits/number-lines';
import {
  countLines,
  lineAt,
  lineStart,
  offsetOfLine,
  splitLines,
  splitWithEndings,
} from '../../../../src/core/edits/text-lines';

describe('lines', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '\u2028', ''), { maxLength: 20 })
    .map((parts) => parts.join(''));

  it('are split at \\n, \\r\\n and a lone \\r only', () => {
    assert.deepEqual(splitLines('a\nb\r\nc\rd\u2028e\u0085f\fg\n'), ['a', 'b', 'c', 'd\u2028e\u0085f\fg']);
    assert.deepEqual(splitLines(''), []);
    assert.deepEqual(splitLines('\n'), ['']);
    assert.deepEqual(splitLines('a\n\n'), ['a', '']);
  });

  it('joined with their endings are the text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const lines = splitWithEndings(value);
        assert.equal(lines.map((line) => line.text + line.ending).join(''), value);
        assert.deepEqual(
          lines.map((line) => line.text),
          splitLines(value),
        );
        assert.equal(countLines(value), lines.length);
      }),
    );
  });

  it('start where their number says', () => {
    fc.assert(
      fc.property(text, (value) => {
        let offset = 0;
        splitWithEndings(value).forEach((line, index) => {
          assert.equal(offsetOfLine(value, index + 1), offset);
          assert.equal(lineAt(value, offset), index + 1);
          assert.equal(lineStart(value, offset + line.text.length), offset);
          offset += line.text.length + line.ending.length;
        });
        assert.equal(offsetOfLine(value, countLines(value) + 2), value.length);
      }),
    );
  });
});

describe('numberLines', () => {
  it('puts the real number and a tab before each line', () => {
    assert.equal(numberLines(['a', '', '\tb'], 9), '9\ta\n10\t\n11\t\tb');
  });

  it('cuts long lines with a note, never a character in two', () => {
    const long = `${'a'.repeat(MAX_LINE_LENGTH - 1)}😀${'b'.repeat(10)}`;
    assert.equal(cutLine(long), `${'a'.repeat(MAX_LINE_LENGTH - 1)}… [line cut: 12 more characters]`);
    assert.equal(cutLine('a'.repeat(MAX_LINE_LENGTH)), 'a'.repeat(MAX_LINE_LENGTH));
  });
});
