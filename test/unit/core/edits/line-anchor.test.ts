// Anchors of comments: the same lines through any edits, or outdated; never other ones.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  anchorAfter,
  anchorAt,
  anchorIn,
  type LineAnchor,
  type LineEdit,
} from '../../../../src/core/edits/line-anchor';

const text = ['one', 'two', 'three', 'four', 'five'];
const at = (start: number, end = start + 1): LineAnchor => anchorAt(text, start, end);
const edit = (startLine: number, startCharacter: number, endLine: number, endCharacter: number, put: string) =>
  ({ startLine, startCharacter, endLine, endCharacter, text: put }) satisfies LineEdit;

/** A line that keeps its id as long as it is the same line, whatever is typed in it. */
interface Line {
  id: number;
  text: string;
  touched: boolean;
}

let ids = 0;
const made = (line: string): Line => ({ id: ++ids, text: line, touched: true });

/** The oracle: what becomes of each line. */
function applied(
  lines: readonly Line[],
  { startLine, startCharacter, endLine, endCharacter, text: put }: LineEdit,
): Line[] {
  const [first, last] = [lines[startLine]!, lines[endLine]!];
  const pieces = (first.text.slice(0, startCharacter) + put + last.text.slice(endCharacter)).split('\n');
  const isOneLine = startLine === endLine && !put.includes('\n');
  if (isOneLine)
    return [...lines.slice(0, startLine), { ...first, text: pieces[0]!, touched: true }, ...lines.slice(endLine + 1)];
  const keepsFirst = startCharacter === first.text.length && put.startsWith('\n') && startLine === endLine;
  const keepsLast = endCharacter === 0 && (put.endsWith('\n') || (put === '' && startCharacter === 0));
  const middle = pieces.map((piece, index) => {
    if (index === 0 && keepsFirst) return first;
    return index === pieces.length - 1 && keepsLast && !(index === 0 && keepsFirst) ? last : made(piece);
  });
  return [...lines.slice(0, startLine), ...middle, ...lines.slice(endLine + 1)];
}

/** Few different lines, so that others look like those that are meant. */
const word = fc.constantFrom('', 'a', 'b', '}', 'return x;');
const put = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom(words.join('\n'), `${words.join('\n')}\n`, `\n${words.join('\n')}`, ''));
const step = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'edit', 'comment'),
  from: fc.nat(1_000),
  to: fc.nat(3),
  startCharacter: fc.nat(20),
  endCharacter: fc.nat(20),
  edge: fc.boolean(),
  put,
});

function editOf(
  lines: readonly Line[],
  one: { from: number; to: number; startCharacter: number; endCharacter: number; edge: boolean; put: string },
): LineEdit {
  const startLine = one.from % lines.length;
  const endLine = Math.min(lines.length - 1, startLine + one.to);
  const inLine = (line: number, character: number): number => Math.min(character, lines[line]!.text.length);
  // Half of all edits are those of an editor: whole lines, or at an end of one.
  const startCharacter = one.edge
    ? one.startCharacter % 2 === 0
      ? 0
      : lines[startLine]!.text.length
    : inLine(startLine, one.startCharacter);
  const endCharacter = one.edge
    ? one.endCharacter % 2 === 0
      ? 0
      : lines[endLine]!.text.length
    : inLine(endLine, one.endCharacter);
  return edit(
    startLine,
    startCharacter,
    endLine,
    startLine === endLine ? Math.max(startCharacter, endCharacter) : endCharacter,
    one.put,
  );
}

describe('the anchor of a comment', () => {
  it('is right or outdated in 1,000 random interleavings of edits and comments, and wrong in none', () => {
    let [current, outdated] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.array(step, { maxLength: 25 }),
        (start, steps) => {
          let lines = start.map((line): Line => ({ ...made(line), touched: false }));
          const comments: { anchor: LineAnchor; ids: number[] }[] = [];
          for (const one of steps) {
            if (one.kind === 'comment') {
              const from = one.from % lines.length;
              const anchor = anchorAt(
                lines.map((line) => line.text),
                from,
                from + 1 + one.to,
              );
              comments.push({ anchor, ids: lines.slice(anchor.start, anchor.end).map(({ id }) => id) });
              // From here on it counts what happens to these lines.
              for (const line of lines.slice(anchor.start, anchor.end)) line.touched = false;
              continue;
            }
            const made = editOf(lines, one);
            lines = applied(lines, made);
            const now = lines.map((line) => line.text);
            for (const comment of comments) comment.anchor = anchorAfter(comment.anchor, [made], now);
          }
          for (const { anchor, ids: meant } of comments) {
            if (anchor.outdated) {
              outdated++;
              continue;
            }
            current++;
            const there = lines.slice(anchor.start, anchor.end);
            assert.deepEqual(
              there.map((line) => line.text),
              anchor.quoted,
            );
            assert.deepEqual(
              [there[0]?.id, there.at(-1)?.id],
              [meant[0], meant.at(-1)],
              'other lines than those that were meant',
            );
          }
        },
      ),
      { numRuns: 1_000 },
    );
    assert.ok(current > 100 && outdated > 100, `${current} right, ${outdated} outdated: one side is not tested`);
  });

  it('follows what is put or removed ahead of it, and what comes behind it', () => {
    const enter = anchorAfter(at(2), [edit(0, 0, 0, 0, 'zero\n')], ['zero', ...text]);
    assert.deepEqual([enter.start, enter.end, enter.outdated], [3, 4, false]);
    const gone = anchorAfter(at(2), [edit(0, 0, 1, 0, '')], text.slice(1));
    assert.deepEqual([gone.start, gone.outdated], [1, false]);
    const below = anchorAfter(at(2), [edit(2, 5, 2, 5, '\nnew')], ['one', 'two', 'three', 'new', 'four', 'five']);
    assert.deepEqual([below.start, below.end, below.outdated], [2, 3, false]);
    const several = anchorAfter(
      at(4),
      [edit(3, 0, 4, 0, ''), edit(0, 0, 0, 0, 'zero\n')],
      ['zero', 'one', 'two', 'three', 'five'],
    );
    assert.deepEqual([several.start, several.outdated], [4, false]);
  });

  it('is outdated while its line says something else, and right again once that is taken back', () => {
    const typed = anchorAfter(at(1), [edit(1, 3, 1, 3, '!')], ['one', 'two!', 'three', 'four', 'five']);
    assert.deepEqual([typed.start, typed.outdated, typed.quoted], [1, true, ['two']]);
    assert.equal(anchorAfter(typed, [edit(1, 3, 1, 4, '')], text).outdated, false);
  });

  it('never goes over to a line that looks the same', () => {
    const same = ['}', '}', '}'];
    const removed = anchorAfter(anchorAt(same, 1, 2), [edit(1, 0, 2, 0, '')], ['}', '}']);
    assert.equal(removed.outdated, true);
    assert.equal(anchorAfter(removed, [edit(0, 0, 0, 0, '}\n')], same).outdated, true);
  });

  it('is found again in a text of which nobody saw the edits only where it stands once', () => {
    const moved = anchorIn(at(1, 3), ['new', ...text], undefined);
    assert.deepEqual([moved.start, moved.end, moved.outdated], [2, 4, false]);
    assert.equal(anchorIn(at(1), ['two', 'two'], undefined).outdated, true);
    assert.equal(anchorIn(at(1), ['other'], undefined).outdated, true);
    const blank = anchorAt(['', 'x', ''], 0, 1);
    assert.equal(anchorIn(blank, ['', 'y'], undefined).outdated, true);
    assert.equal(anchorIn(blank, ['', 'x', ''], ['', 'x', '']).outdated, false);
  });
});
