import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editorLines, lineHunks, replaceLines } from '../../../src/vscode/files/line-hunks';

const line = fc.constantFrom('a', 'b', 'c', '', '  d');
const ending = fc.constantFrom('\n', '\r\n');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 12 }), line)
  .map(([lines, last]) => lines.map(([content, end]) => content + end).join('') + last);

describe('line hunks', () => {
  it('name the changed lines of both sides, ends exclusive', () => {
    assert.deepEqual(lineHunks('a\nb\nc\n', 'a\nB\nc\n'), [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 }]);
    assert.deepEqual(lineHunks('a\nc\n', 'a\nb\nc\n'), [{ oldStart: 1, oldEnd: 1, newStart: 1, newEnd: 2 }]);
    assert.deepEqual(lineHunks('a\nb\nc\n', 'a\nc\n'), [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 1 }]);
  });

  it('see a changed line ending only where endings count', () => {
    assert.equal(lineHunks('a\r\nb\n', 'a\nb\n').length, 1);
    assert.deepEqual(lineHunks('a\r\nb\n', 'a\nb\n', true), []);
  });

  it('see a missing final line ending', () => {
    assert.notEqual(lineHunks('a\nb', 'a\nb\n', true).length, 0);
  });

  it('turn one text into the other when their lines are replaced from the last to the first', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const newLines = editorLines(after);
        let lines = editorLines(before);
        for (const hunk of lineHunks(before, after).toReversed()) {
          lines = [
            ...lines.slice(0, hunk.oldStart),
            ...newLines.slice(hunk.newStart, hunk.newEnd),
            ...lines.slice(hunk.oldEnd),
          ];
        }
        assert.equal(lines.join(''), after);
      }),
    );
  });

  it('are counted from the top of a large text of which only the middle differs', () => {
    const common = 'a line\r\n\n'.repeat(20_000);
    const [before, after] = [`${common}old\nkept\nold\n${common}`, `${common}new\nnew\nkept\n${common}`];
    assert.deepEqual(lineHunks(before, after), [
      { oldStart: 40_000, oldEnd: 40_001, newStart: 40_000, newEnd: 40_002 },
      { oldStart: 40_002, oldEnd: 40_003, newStart: 40_003, newEnd: 40_003 },
    ]);
  });

  it('never touch each other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = lineHunks(before, after);
        hunks.slice(1).forEach((hunk, index) => {
          const last = hunks[index];
          assert.ok(last && hunk.oldStart > last.oldEnd && hunk.newStart > last.newEnd);
        });
      }),
    );
  });

  it('come out as one where the texts differ too much to compare', () => {
    const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}`).join('\n');
    const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}`).join('\n');
    assert.deepEqual(lineHunks(before, after), [{ oldStart: 0, oldEnd: 3_000, newStart: 0, newEnd: 3_000 }]);
  });

  it('give a last line an ending when lines are put behind it', () => {
    assert.deepEqual(replaceLines(['a\r\n', 'b'], 2, 2, ['c']), ['a\r\n', 'b\r\n', 'c']);
  });
});
