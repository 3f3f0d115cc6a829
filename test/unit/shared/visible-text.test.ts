// Hidden characters are named; everything that a user can read stays as it is.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textParts, visibleText } from '../../../src/shared/visible-text';

describe('visible text', () => {
  const rows: [string, string][] = [
    ['rm -rf a', 'rm -rf a'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a\u200bb\u200db', 'a⟨U+200B⟩b⟨U+200D⟩b'],
    ['a\u00a0b\u3000c', 'a⟨U+00A0⟩b⟨U+3000⟩c'],
    ['\u001b[31m\u0007\u007f\u0085', '⟨U+001B⟩[31m⟨U+0007⟩⟨U+007F⟩⟨U+0085⟩'],
    ['a\r\nb\tc\n', 'a⟨U+000D⟩\nb\tc\n'],
    ['\u{e0041}\u{e01ef}', '⟨U+E0041⟩⟨U+E01EF⟩'],
    ['a\ufe0f', 'a⟨U+FE0F⟩'],
    ['\ud800', '⟨U+D800⟩'],
    ['👩‍💻 ❤️ 👍🏽 1️⃣', '👩‍💻 ❤️ 👍🏽 1️⃣'],
    ['日本語 für عربى', '日本語 für عربى'],
  ];
  for (const [text, expected] of rows) it(JSON.stringify(text), () => assert.equal(visibleText(text), expected));

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        assert.equal(
          textParts(text)
            .map((part) => part.text)
            .join(''),
          text,
        ),
      ),
    );
  });
});
