// A change fits into a text that differs elsewhere, byte for byte, and never where a line of it or around it is another one.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitAgain } from '../../../../src/core/edits/fit-again';

const numbered = (from: number, to: number, own: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `${own[from + at] ?? from + at}\n`).join('');

describe('a change for a text that has changed elsewhere', () => {
  const cases: [name: string, before: string, after: string, current: string, fits: string | undefined][] = [
    [
      'lines above',
      numbered(1, 20),
      numbered(1, 20, { 15: 'x' }),
      `0\n${numbered(1, 20)}`,
      `0\n${numbered(1, 20, { 15: 'x' })}`,
    ],
    [
      'a change below',
      numbered(1, 20),
      numbered(1, 20, { 2: 'x' }),
      numbered(1, 20, { 18: 'y' }),
      numbered(1, 20, { 2: 'x', 18: 'y' }),
    ],
    [
      'four lines away',
      numbered(1, 9),
      numbered(1, 9, { 1: 'x' }),
      numbered(1, 9, { 5: 'y' }),
      numbered(1, 9, { 1: 'x', 5: 'y' }),
    ],
    ['a line around it', numbered(1, 9), numbered(1, 9, { 1: 'x' }), numbered(1, 9, { 4: 'y' }), undefined],
    ['the same line', numbered(1, 9), numbered(1, 9, { 5: 'x' }), numbered(1, 9, { 5: 'y' }), undefined],
    ['the same change', numbered(1, 9), numbered(1, 9, { 5: 'x' }), numbered(1, 9, { 5: 'x' }), undefined],
    ['a line at the end, which was seen', 'a\nb\n', 'x\nb\n', 'a\nb\nc\n', undefined],
    ['all is gone', numbered(1, 9), numbered(1, 9, { 5: 'x' }), '', undefined],
    [
      'other line endings',
      numbered(1, 9),
      numbered(1, 9, { 1: 'x' }),
      numbered(1, 9).replaceAll('\n', '\r\n'),
      undefined,
    ],
    [
      'two places',
      numbered(1, 30),
      numbered(1, 30, { 2: 'x', 28: 'z' }),
      numbered(1, 30, { 15: 'y\ny' }),
      numbered(1, 30, { 2: 'x', 15: 'y\ny', 28: 'z' }),
    ],
    [
      'a like block that was put above',
      "head\n{\na\nb\nc\nd\ne\nname: 'foo'\n}\n",
      "head\n{\nX\nb\nc\nd\ne\nname: 'foo'\n}\n",
      "head\n{\na\nb\nc\nd\ne\nname: 'bar'\n}\n{\na\nb\nc\nd\ne\nname: 'foo'\n}\n",
      undefined,
    ],
    [
      'an end without a line ending',
      '1\n2\n3\n4\n5\n6',
      '1\n2\n3\n4\n5\nx',
      '0\n1\n2\n3\n4\n5\n6',
      '0\n1\n2\n3\n4\n5\nx',
    ],
  ];
  for (const [name, before, after, current, fits] of cases)
    it(name, () => assert.equal(fitAgain(before, after, current), fits));

  it('makes the change where it was seen, and nothing else', () => {
    const texts = (max: number) =>
      fc
        .array(
          fc.oneof(
            fc.nat(60).map((one) => `${one}\n`),
            fc.constantFrom('a\n', 'b\r\n', '\n'),
          ),
          { maxLength: max },
        )
        .map((lines) => lines.join(''));
    let fitted = 0;
    fc.assert(
      fc.property(texts(40), fc.nat(40), texts(6), fc.nat(40), texts(14), (before, at, put, otherAt, otherPut) => {
        const all = before.split(/(?<=\n)/);
        const insert = (...puts: readonly (readonly [place: number, text: string])[]) =>
          puts
            .toSorted(([one], [other]) => other - one)
            .reduce((lines, [place, text]) => lines.toSpliced(Math.min(place, all.length), 0, text), all)
            .join('');
        const moved = fitAgain(before, insert([at, put]), insert([otherAt, otherPut]));
        if (moved === undefined) return;
        fitted++;
        assert.equal(moved, insert([at, put], [otherAt, otherPut]));
      }),
      { numRuns: 2_000 },
    );
    assert.ok(fitted > 50, `${fitted} fitted`);
  });
});
