// Edits of language servers on texts: places by line and column, whatever the line endings.
import assert from 'node:assert/strict';
import { applyReplacements, type Replacement } from '../../../../src/core/edits/apply-replacements';
import { randomFrom } from '../../../support/seeded';

const at = (line: number, start: number, end: number, newText: string, endLine = line): Replacement => ({
  range: { start: { line, character: start }, end: { line: endLine, character: end } },
  newText,
});

describe('replacements by line and column', () => {
  const cases: [name: string, text: string, edits: Replacement[], after: string | undefined][] = [
    ['in any order', 'ab\ncd\n', [at(1, 0, 1, 'X'), at(0, 1, 2, 'Y')], 'aY\nXd\n'],
    ['two at one place, as they come', 'ab', [at(0, 1, 1, '1'), at(0, 1, 1, '2')], 'a12b'],
    ['an insertion before what is replaced there', 'ab', [at(0, 1, 2, 'X'), at(0, 1, 1, '1')], 'a1X'],
    ['over lines', 'a\r\nb\r\nc', [at(0, 1, 0, '\n\n', 2)], 'a\r\n\r\nc'],
    ['lone carriage returns end lines', 'a\rb\rc', [at(2, 0, 1, 'X')], 'a\rb\rX'],
    ['behind the end of a line', 'a\nb', [at(0, 9, 9, '!')], 'a!\nb'],
    ['behind the end of the text', 'a\nb', [at(7, 0, 0, '!')], 'a\nb!'],
    ['none', 'a', [], 'a'],
    ['that overlap', 'abc', [at(0, 0, 2, 'X'), at(0, 1, 3, 'Y')], undefined],
    ['whose end is before the start', 'abc', [at(0, 2, 1, 'X')], undefined],
  ];
  for (const [name, text, edits, after] of cases) it(name, () => assert.equal(applyReplacements(text, edits), after));

  it('like replacing by offsets, for any edits that do not overlap', () => {
    const random = randomFrom(7);
    const pick = (most: number): number => Math.floor(random() * most);
    for (let round = 0; round < 500; round++) {
      const lines = Array.from({ length: 1 + pick(6) }, () => 'abcdefgh'.slice(0, pick(8)));
      const text = lines.join('\n');
      const edits: Replacement[] = [];
      let expected = text;
      for (let line = lines.length - 1; line >= 0; line--) {
        const own = lines[line] ?? '';
        const start = pick(own.length + 1);
        const end = start + pick(own.length - start + 1);
        const newText = 'XY\n'.slice(pick(4));
        const offset = lines.slice(0, line).join('\n').length + (line === 0 ? 0 : 1);
        expected = expected.slice(0, offset + start) + newText + expected.slice(offset + end);
        edits.push(at(line, start, end, newText));
      }
      assert.equal(applyReplacements(text, edits), expected, JSON.stringify({ text, edits }));
    }
  });
});
