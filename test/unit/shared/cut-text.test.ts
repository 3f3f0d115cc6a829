// Cutting text never leaves half a character behind.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutMiddle, headOf, shortened, tailOf } from '../../../src/shared/cut-text';

describe('cutting text', () => {
  const table: [text: string, length: number, head: string, tail: string, short: string][] = [
    ['abc', 3, 'abc', 'abc', 'abc'],
    ['abcd', 3, 'abc', 'bcd', 'ab…'],
    ['😀😀', 3, '😀', '😀', '😀…'],
    ['a😀b', 2, 'a', 'b', 'a…'],
    ['a😀b', 3, 'a😀', '😀b', 'a…'],
    ['😀', 1, '', '', '…'],
    ['abc', 0, '', '', '…'],
    ['', 0, '', '', ''],
  ];
  for (const [text, length, head, tail, short] of table) {
    it(`${JSON.stringify(text)} to ${length}`, () => {
      assert.deepEqual([headOf(text, length), tailOf(text, length), shortened(text, length)], [head, tail, short]);
    });
  }
});

describe('cutMiddle', () => {
  it('keeps the limit, counts what went and never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (text, limit) => {
        const cut = cutMiddle(text, limit);
        if (text.length <= limit) return assert.equal(cut, text);
        const match = /^([\s\S]*)\n\n\.\.\. \[(\d+) characters truncated\] \.\.\.\n\n([\s\S]*)$/.exec(cut);
        const [, head = '', count, tail = ''] = match ?? [];
        assert.ok(text.startsWith(head) && text.endsWith(tail));
        assert.equal(head.length + Number(count) + tail.length, text.length);
        assert.ok(head.length + tail.length <= limit);
        assert.ok(!/[\ud800-\udbff]$/.test(head) && !/^[\udc00-\udfff]/.test(tail));
      }),
    );
  });
});
