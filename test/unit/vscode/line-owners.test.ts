import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hunksOf,
  isAllOf,
  keepAll,
  keepLines,
  ownersOf,
  recordApproved,
  recordUnreviewed,
  rewoundTo,
  seeText,
  textWithoutAll,
  unreviewedHunks,
  type TrackedFile,
} from '../../../src/vscode/review/tracked-file';

const original = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const write = (file: TrackedFile | undefined, session: string, after: string): TrackedFile =>
  recordUnreviewed(file, file?.known ?? original, after, session);
const replace = (file: TrackedFile, session: string, from: string, to: string): TrackedFile =>
  write(file, session, file.known.replace(from, to));
const owners = (file: TrackedFile): string[] =>
  unreviewedHunks(file).map((hunk) => ownersOf(file, hunk).toSorted().join('+'));
const only = (session: string) => (all: readonly string[]) => all.every((one) => one === session);
const byBoth = (): TrackedFile => replace(write(undefined, 'A', original.replace('two', 'TWO')), 'B', 'six', 'SIX');

describe('the lines of a session', () => {
  it('are all that changed where there is one session, and where nobody knows', () => {
    assert.deepEqual(owners(write(undefined, 'A', original.replace('two', 'TWO'))), ['A']);
    assert.deepEqual(owners(recordUnreviewed(undefined, original, original.replace('two', 'TWO'))), ['']);
  });

  it('are told apart where two have written, and stay so while the user types above, in and below them', () => {
    const file = byBoth();
    assert.deepEqual(owners(file), ['A', 'B']);
    for (const typed of [
      file.known.replace('one', 'zero\none'),
      file.known.replace('TWO', 'TWO\nmine'),
      file.known.replace('TWO', 'mine'),
      file.known.replace('four', 'FOUR'),
      file.known.replace('SIX\n', 'SIX\nmine\n'),
      `${file.known}eight\n`,
    ])
      assert.deepEqual(
        owners(seeText(file, typed))
          .slice(0, 1)
          .concat(owners(seeText(file, typed)).slice(-1)),
        ['A', 'B'],
      );
  });

  it('are of both where the second one wrote over those of the first, or next to them', () => {
    assert.deepEqual(owners(replace(byBoth(), 'B', 'TWO', 'ZWEI')), ['A+B', 'B']);
    assert.deepEqual(owners(replace(byBoth(), 'B', 'three', 'THREE')), ['A+B', 'B']);
  });

  it('may be lines that are gone', () => {
    const file = replace(write(undefined, 'A', original.replace('two\n', '')), 'B', 'six\n', '');
    assert.deepEqual(owners(file), ['A', 'B']);
    assert.equal(textWithoutAll(file, file.known, hunksOf(file, only('A'))), original.replace('six\n', ''));
    assert.deepEqual(owners(replace(file, 'B', 'one\n', 'one\nput in their place\n')), ['A+B', 'B']);
  });

  it('are kept and undone alone', () => {
    const file = byBoth();
    const kept = keepAll(file, hunksOf(file, only('A')));
    assert.equal(kept.baseline, original.replace('two', 'TWO'));
    assert.deepEqual(owners(kept), ['B']);
    assert.equal(isAllOf(kept, only('B')), true);
    const text = textWithoutAll(file, file.known, hunksOf(file, only('B')));
    assert.equal(text, original.replace('two', 'TWO'));
    assert.deepEqual(owners(recordApproved(file, file.known, text)), ['A']);
  });

  it('are nobody’s once they are settled: what is changed next to them later is not theirs', () => {
    const file = byBoth();
    const [first] = unreviewedHunks(file);
    assert.ok(first);
    assert.deepEqual(owners(replace(keepLines(file, first), 'B', 'three', 'THREE')), ['B', 'B']);
    assert.deepEqual(owners(replace(seeText(file, file.known.replace('TWO', 'two')), 'B', 'three', 'THREE')), [
      'B',
      'B',
    ]);
    assert.deepEqual(owners(rewoundTo(file, original.replace('six', 'SIX'))), ['B']);
  });

  it('are found again whatever three sessions and the user write: each line is owned by who wrote it', () => {
    const step = fc.record({
      by: fc.constantFrom('A', 'B', 'C', 'user'),
      at: fc.nat(),
      lines: fc.nat(2),
      gone: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.nat(12), fc.array(step, { minLength: 2, maxLength: 8 }), (length, steps) => {
        const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
        let lines = Array.from({ length }, (_, index) => `line ${index}`);
        const before = text(lines);
        let file: TrackedFile | undefined;
        steps.forEach(({ by, at, lines: count, gone }, serial) => {
          const known = text(lines);
          const added = Array.from({ length: count }, (_, index) => `${by} ${serial}.${index}`);
          lines = lines.toSpliced(at % (lines.length + 1), gone, ...added);
          if (by !== 'user') file = recordUnreviewed(file, known, text(lines), by);
          else if (file !== undefined) file = seeText(file, text(lines));
        });
        if (file === undefined) return;
        const seen = file;
        for (const hunk of unreviewedHunks(seen)) {
          const own = ownersOf(seen, hunk);
          for (const line of lines.slice(hunk.newStart, hunk.newEnd)) {
            const by = line.split(' ')[0] ?? '';
            if ('ABC'.includes(by)) assert.ok(own.includes(by), `${line} is of ${own.join()}: ${before}`);
          }
        }
        // What one session undoes takes no line of another along.
        const left = textWithoutAll(seen, seen.known, hunksOf(seen, only('A'))).split('\n');
        for (const line of lines) if (/^[BC] /.test(line)) assert.ok(left.includes(line), line);
      }),
    );
  });
});
