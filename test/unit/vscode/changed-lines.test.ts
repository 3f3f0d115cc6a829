// The lines that text edits change, before and after.
import assert from 'node:assert/strict';
import { changedLines, type TextReplacement } from '../../../src/vscode/languages/changed-lines';

const edit = (line: number, from: number, to: number, newText: string, endLine = line): TextReplacement => ({
  range: { start: { line, character: from }, end: { line: endLine, character: to } },
  newText,
});

describe('changedLines', () => {
  const text = 'one two\nthree\r\nfour five\n';
  const cases: [string, TextReplacement[], [number, string, string][]][] = [
    ['one edit', [edit(1, 0, 5, '3')], [[1, 'three', '3']]],
    ['two edits of one line, given in any order', [edit(0, 4, 7, '2'), edit(0, 0, 3, '1')], [[0, 'one two', '1 2']]],
    [
      'edits of several lines',
      [edit(2, 5, 9, '5'), edit(0, 0, 3, '1')],
      [
        [0, 'one two', '1 two'],
        [2, 'four five', 'four 5'],
      ],
    ],
    ['an edit across lines', [edit(0, 4, 4, 'X', 2)], [[0, 'one two\nthree\nfour five', 'one X five']]],
    [
      'an edit that begins where another ends',
      [edit(0, 4, 2, 'X', 1), edit(1, 2, 5, 'Y')],
      [[0, 'one two\nthree', 'one XY']],
    ],
    ['an insertion of lines', [edit(1, 5, 5, '\nmore')], [[1, 'three', 'three\nmore']]],
    ['an edit behind the end', [edit(9, 0, 0, 'x')], [[9, '', 'x']]],
    ['nothing', [], []],
  ];
  for (const [name, edits, expected] of cases) {
    it(name, () =>
      assert.deepEqual(
        changedLines(text, edits).map(({ start, before, after }) => [start.line, before, after]),
        expected,
      ),
    );
  }
});
