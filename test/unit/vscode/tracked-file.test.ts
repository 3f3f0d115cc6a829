import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineHunks } from '../../../src/vscode/files/line-hunks';
import {
  changedLines,
  findHunk,
  isSettled,
  keepLines,
  mirrorEdit,
  keepAll,
  recordApproved,
  recordMoved,
  recordUnreviewed,
  seeText,
  textUndone,
  textWithout,
  textWithoutOwn,
  typedIn,
  unreviewedHunks,
} from '../../../src/vscode/review/tracked-file';

const original = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const deft = 'one\nTWO\nthree\nfour\nfive\nSIX\nsix and a half\nseven\n';

describe('a file with unreviewed changes', () => {
  it('has the hunks between the text before and the text that Deft wrote', () => {
    const file = recordUnreviewed(undefined, original, deft);
    assert.deepEqual(unreviewedHunks(file), [
      { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
      { oldStart: 5, oldEnd: 6, newStart: 5, newEnd: 7 },
    ]);
    assert.deepEqual(changedLines(file), { added: 3, removed: 2 });
  });

  it('keeps the user’s own lines out of the hunks', () => {
    const file = seeText(recordUnreviewed(undefined, original, deft), deft.replace('four\n', 'four\nmine\n'));
    assert.equal(file.baseline, original.replace('four\n', 'four\nmine\n'));
    assert.deepEqual(changedLines(file), { added: 3, removed: 2 });
  });

  it('takes typing inside a hunk as part of it', () => {
    const file = seeText(recordUnreviewed(undefined, original, deft), deft.replace('SIX\n', 'SIX\nmine\n'));
    assert.equal(file.baseline, original);
    assert.deepEqual(changedLines(file), { added: 4, removed: 2 });
  });

  it('knows what somebody else wrote into a hunk, also after further edits of Deft, and can leave it there', () => {
    const written = recordUnreviewed(undefined, original, deft);
    const mine = deft.replace('TWO\n', 'TWO MINE\n').replace('SIX\n', 'SIX\nmine\n');
    const typed = seeText(written, mine);
    const [first, second] = unreviewedHunks(typed);
    assert.ok(first && second);
    assert.deepEqual([typedIn(typed, first), typedIn(typed, second)], [['TWO MINE'], ['mine']]);
    assert.equal(textWithoutOwn(typed, mine, first), mine.replace('TWO MINE\n', 'two\nTWO MINE\n'));
    assert.equal(textWithoutOwn(typed, mine, second), mine.replace('SIX\nmine\nsix and a half\n', 'six\nmine\n'));
    const later = mine.replace('three', 'three again');
    const again = recordUnreviewed(typed, mine, later);
    assert.deepEqual(
      unreviewedHunks(again).flatMap((hunk) => typedIn(again, hunk)),
      ['TWO MINE', 'mine'],
    );
  });

  it('takes neither a formatter nor an accepted edit for typing', () => {
    const written = recordUnreviewed(undefined, original, deft);
    const formatted = seeText(written, deft.replace('TWO', '  TWO'));
    assert.deepEqual(
      unreviewedHunks(formatted).flatMap((hunk) => typedIn(formatted, hunk)),
      [],
    );
    const accepted = recordApproved(written, deft, deft.replace('TWO', 'TWO!'));
    assert.deepEqual(
      unreviewedHunks(accepted).flatMap((hunk) => typedIn(accepted, hunk)),
      [],
    );
  });

  it('is settled when the user takes the edit back', () => {
    const file = recordUnreviewed(undefined, original, deft);
    assert.equal(isSettled(file), false);
    assert.equal(isSettled(seeText(file, original)), true);
  });

  it('collects further edits of Deft over the same baseline', () => {
    const later = deft.replace('three', 'THREE');
    const file = recordUnreviewed(recordUnreviewed(undefined, original, deft), deft, later);
    assert.equal(file.baseline, original);
    assert.equal(file.written, later);
  });

  it('counts an approved edit elsewhere as reviewed', () => {
    const later = deft.replace('four', 'FOUR');
    const file = recordApproved(recordUnreviewed(undefined, original, deft), deft, later);
    assert.equal(file.baseline, original.replace('four', 'FOUR'));
    assert.equal(unreviewedHunks(file).length, 2);
  });

  it('loses one hunk when it is kept and none of its text', () => {
    const file = recordUnreviewed(undefined, original, deft);
    const [first] = unreviewedHunks(file);
    assert.ok(first);
    const kept = keepLines(file, first);
    assert.equal(kept.baseline, original.replace('two', 'TWO'));
    assert.equal(kept.known, deft);
    assert.equal(unreviewedHunks(kept).length, 1);
  });

  it('has the old lines back when a hunk is undone', () => {
    const file = recordUnreviewed(undefined, original, deft);
    const second = unreviewedHunks(file)[1];
    assert.ok(second);
    assert.equal(textWithout(file, deft, second), original.replace('two', 'TWO'));
  });

  it('undoes within mixed line endings without touching the others', () => {
    const before = 'a\r\nb\nc\r\n';
    const file = recordUnreviewed(undefined, before, 'a\r\nB\nc\r\n');
    const [hunk] = unreviewedHunks(file);
    assert.ok(hunk);
    assert.equal(textWithout(file, file.known, hunk), before);
  });

  it('has its old lines back with the endings that the user has given the file since', () => {
    const before = 'a\nb\nc\n';
    const file = seeText(recordUnreviewed(undefined, before, 'a\nB\nc\nD\n'), 'a\r\nB\r\nc\r\nD\r\n');
    const [hunk] = unreviewedHunks(file);
    assert.ok(hunk);
    assert.equal(textWithout(file, file.known, hunk), 'a\r\nb\r\nc\r\nD\r\n');
    assert.equal(textUndone(file, file.known), 'a\r\nb\r\nc\r\n');
    // Deft itself has changed them here.
    assert.equal(textUndone(recordUnreviewed(undefined, before, 'a\r\nB\r\n'), 'a\r\nB\r\n'), before);
  });

  it('that Deft made waits even while it is empty, until it is kept', () => {
    const file = recordUnreviewed(undefined, undefined, '');
    assert.equal(isSettled(file), false);
    const made = recordUnreviewed(undefined, undefined, 'a\nb\n');
    assert.deepEqual(changedLines(made), { added: 2, removed: 0 });
    const [hunk] = unreviewedHunks(made);
    assert.ok(hunk);
    assert.equal(isSettled(keepLines(made, hunk)), true);
  });

  it('finds the hunk that was meant after lines have moved a little', () => {
    const hunks = [{ oldStart: 5, oldEnd: 6, newStart: 6, newEnd: 9 }];
    assert.equal(findHunk(hunks, { newStart: 5, newEnd: 8 }), hunks[0]);
    assert.equal(findHunk(hunks, { newStart: 1, newEnd: 2 }), undefined);
    const removal = [{ oldStart: 5, oldEnd: 6, newStart: 6, newEnd: 6 }];
    assert.equal(findHunk(removal, { newStart: 6, newEnd: 7 }), removal[0]);
  });

  it('keeps every line of the user, wherever they type: undoing all of Deft leaves them', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 3, maxLength: 10 });
    fc.assert(
      fc.property(lines, lines, fc.nat(), (before, after, place) => {
        const text = (list: string[]): string => list.map((entry) => `${entry}\n`).join('');
        const at = place % (after.length + 1);
        const typed = [...after.slice(0, at), 'typed by the user', ...after.slice(at)];
        const baseline = mirrorEdit(text(before), text(after), text(typed));
        const outside = lineHunks(text(before), text(after), true).every(
          (hunk) =>
            at < hunk.newStart ||
            at > hunk.newEnd ||
            (hunk.newStart < hunk.newEnd && (at === hunk.newStart || at === hunk.newEnd)),
        );
        const expected = outside ? [...before, 'typed by the user'].sort() : [...before].sort();
        assert.deepEqual(baseline.split('\n').filter(Boolean).sort(), expected);
      }),
    );
  });
});

describe('a file that Deft moves', () => {
  const move = { from: '/a.ts', to: '/lib/a.ts', text: original, approved: false, session: 's' };

  it('waits for review without a change of its text, and where it was kept no more', () => {
    const file = recordMoved(undefined, move) ?? assert.fail();
    assert.deepEqual(
      [file.movedFrom, file.baseline, file.sessions, isSettled(file)],
      ['/a.ts', original, ['s'], false],
    );
    assert.deepEqual(unreviewedHunks(file), []);
    const edited = recordUnreviewed(file, original, deft, 's');
    assert.equal(edited.movedFrom, '/a.ts');
    const kept = keepAll(edited, unreviewedHunks(edited));
    assert.deepEqual([kept.movedFrom, isSettled(kept)], [undefined, true]);
  });

  it('takes along what waited in it', () => {
    const file =
      recordMoved(recordUnreviewed(undefined, original, deft, 'r'), { ...move, text: deft }) ?? assert.fail();
    assert.deepEqual([file.movedFrom, file.sessions], ['/a.ts', ['r', 's']]);
    assert.deepEqual(changedLines(file), { added: 3, removed: 2 });
  });

  it('comes from where it was first, and from nowhere when it is back there', () => {
    const once = recordMoved(undefined, move);
    const twice = recordMoved(once, { ...move, from: '/lib/a.ts', to: '/b.ts' });
    assert.equal(twice?.movedFrom, '/a.ts');
    assert.equal(recordMoved(twice, { ...move, from: '/b.ts', to: '/a.ts' }), undefined);
  });

  it('has no origin if Deft made it: undoing removes it wherever it is', () => {
    const made = recordMoved(recordUnreviewed(undefined, undefined, original, 's'), move);
    assert.deepEqual([made?.created, made?.movedFrom], [true, undefined]);
  });

  it('waits for nothing where the user agreed, but for what waited before', () => {
    const approved = { ...move, approved: true };
    assert.equal(recordMoved(undefined, approved), undefined);
    const file = recordMoved(recordUnreviewed(undefined, original, deft, 'r'), { ...approved, text: deft });
    assert.deepEqual([file?.movedFrom, file?.sessions], [undefined, ['r']]);
  });
});
