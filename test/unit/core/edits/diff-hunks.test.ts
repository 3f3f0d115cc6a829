// Hunks say what changed: applied to the old text they give the new one.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffTexts, unifiedDiff, type TextDiff } from '../../../../src/core/edits/diff-hunks';
import { capHunks, diffView, editedSnippet, MAX_VIEW_LINES } from '../../../../src/core/edits/diff-view';
import { splitLines, splitWithEndings } from '../../../../src/core/edits/text-lines';

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('diffTexts', () => {
  it('gives nothing for equal texts', () => {
    assert.deepEqual(diffTexts('a\n', 'a\n'), { hunks: [], added: 0, removed: 0 });
  });

  it('shows three lines of context with the real line numbers', () => {
    const text = numbered(20);
    assert.deepEqual(diffTexts(text, text.replace('line 10\n', 'ten\n')), {
      hunks: [
        {
          oldStart: 7,
          oldLines: 7,
          newStart: 7,
          newLines: 7,
          lines: [' line 7', ' line 8', ' line 9', '-line 10', '+ten', ' line 11', ' line 12', ' line 13'],
        },
      ],
      added: 1,
      removed: 1,
    });
  });

  it('joins changes that are six lines apart, and keeps those that are seven apart as two', () => {
    const text = numbered(40);
    const change = (...lines: number[]): string =>
      lines.reduce((all, line) => all.replace(`line ${line}\n`, `x${line}\n`), text);
    assert.equal(diffTexts(text, change(10, 17)).hunks.length, 1);
    const two = diffTexts(text, change(10, 18)).hunks;
    assert.deepEqual(
      two.map(({ oldStart, oldLines }) => [oldStart, oldLines]),
      [
        [7, 7],
        [15, 7],
      ],
    );
  });

  it('starts at 0 for a new file and for one that becomes empty', () => {
    assert.deepEqual(diffTexts('', 'a\nb\n').hunks, [
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ['+a', '+b'] },
    ]);
    assert.deepEqual(diffTexts('a\n', '').hunks, [
      { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] },
    ]);
  });

  it('marks a missing final newline', () => {
    assert.deepEqual(diffTexts('a\nb', 'a\nb\n').hunks[0]?.lines, [' a', '-b', '\\ No newline at end of file', '+b']);
  });

  it('counts a changed line ending as a change, unless told not to', () => {
    assert.deepEqual(diffTexts('a\r\nb\r\n', 'a\nb\r\n').hunks[0]?.lines, ['-a', '+a', ' b']);
    assert.deepEqual(diffTexts('a\r\nb\r\n', 'a\nb\n', true).hunks, []);
  });

  it('falls back to one block where everything differs', () => {
    const before = Array.from({ length: 6_000 }, (_, index) => `a${index}\n`).join('');
    const after = Array.from({ length: 6_000 }, (_, index) => `b${index}\n`).join('');
    const { hunks, added, removed } = diffTexts(before, after);
    assert.deepEqual([hunks.length, added, removed], [1, 6_000, 6_000]);
  });

  it('shows a rename in very many lines line by line', () => {
    const before = Array.from({ length: 4_000 }, (_, index) => (index % 2 ? `old ${index}\n` : `same ${index}\n`)).join(
      '',
    );
    const { hunks, added, removed } = diffTexts(before, before.replaceAll('old', 'new'));
    assert.deepEqual([hunks.length, added, removed], [1, 2_000, 2_000]);
    assert.deepEqual(hunks[0]?.lines.slice(0, 4), [' same 0', '-old 1', '+new 1', ' same 2']);
  });

  it('turns the old text into the new one, for all texts', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', ''), fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
      .chain((lines) =>
        fc.constantFrom('', 'z').map((tail) => lines.map(([line, ending]) => line + ending).join('') + tail),
      );
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffTexts(before, after);
        assert.deepEqual(applyHunks(splitLines(before), diff), splitLines(after));
        assert.equal(splitLines(after).length - splitLines(before).length, diff.added - diff.removed);
        assert.equal(diff.hunks.length === 0, before === after);
      }),
      { numRuns: 3_000 },
    );
  });

  it('finds few changes in a large text', () => {
    const lines = splitWithEndings(numbered(100_000)).map((line) => line.text + line.ending);
    const before = lines.join('');
    lines[70_000] = 'changed\n';
    lines[20_000] = '';
    const diff = diffTexts(before, lines.join(''));
    assert.deepEqual(
      diff.hunks.map(({ oldStart, newStart }) => [oldStart, newStart]),
      [
        [19_998, 19_998],
        [69_998, 69_997],
      ],
    );
    assert.deepEqual([diff.added, diff.removed], [1, 2]);
  });

  function applyHunks(lines: string[], { hunks }: TextDiff): string[] {
    const result: string[] = [];
    let taken = 0;
    for (const hunk of hunks) {
      const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
      result.push(...lines.slice(taken, start));
      taken = start;
      const newStart = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
      assert.equal(result.length, newStart);
      for (const line of hunk.lines) {
        if (line.startsWith('\\')) continue;
        if (!line.startsWith('+')) assert.equal(lines[taken++], line.slice(1));
        if (!line.startsWith('-')) result.push(line.slice(1));
      }
      assert.equal(taken - start, hunk.oldLines);
      assert.equal(result.length - newStart, hunk.newLines);
    }
    return [...result, ...lines.slice(taken)];
  }
});

describe('what is made of hunks', () => {
  it('a view of at most 200 lines', () => {
    const view = diffView('/a', true, diffTexts('', numbered(500)));
    assert.equal(view.truncated, true);
    assert.deepEqual([view.added, view.removed, view.created], [500, 0, true]);
    assert.equal(
      view.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0),
      MAX_VIEW_LINES,
    );
    assert.equal(view.hunks[0]?.newLines, MAX_VIEW_LINES);
    assert.equal(diffView('/a', true, diffTexts('', numbered(200))).truncated, false);
  });

  it('a cap that falls between two hunks', () => {
    const text = numbered(40);
    const { hunks } = diffTexts(text, text.replace('line 10\n', 'x\n').replace('line 30\n', 'y\n'));
    assert.deepEqual(capHunks(hunks, 8), { hunks: hunks.slice(0, 1), truncated: true });
  });

  it('the lines as they are now, with their real numbers', () => {
    const text = numbered(40);
    const { hunks } = diffTexts(text, text.replace('line 2\n', '').replace('line 30\n', 'y\nz\n'));
    const first = '1\tline 1\n2\tline 3\n3\tline 4\n4\tline 5';
    const second = '26\tline 27\n27\tline 28\n28\tline 29\n29\ty\n30\tz\n31\tline 31\n32\tline 32\n33\tline 33';
    assert.equal(editedSnippet(hunks, 100), `${first}\n...\n${second}`);
    assert.equal(
      editedSnippet(hunks, 5),
      `${first}\n...\n26\tline 27\n...\n… [the rest of the edited region is omitted]`,
    );
  });

  it('a unified diff that does not care for line endings', () => {
    assert.equal(
      unifiedDiff('a\nb\n', 'a\r\nc\r\n', 'proposed', 'accepted'),
      '--- proposed\n+++ accepted\n@@ -1,2 +1,2 @@\n a\n-b\n+c',
    );
    assert.equal(unifiedDiff('a\nb\n', 'a\r\nb\r\n', 'proposed', 'accepted'), '');
  });
});
