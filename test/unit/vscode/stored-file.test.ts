import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromStored, toStored } from '../../../src/vscode/review/stored-file';
import { parseStoredFile } from '../../../src/vscode/review/stored-shapes';
import { type TrackedFile } from '../../../src/vscode/review/tracked-file';

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀', '\ud83d'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const ids = fc.array(fc.uuid(), { maxLength: 3 });
const lines = fc.array(fc.record({ session: fc.uuid(), start: fc.nat(9), end: fc.nat(9) }, { noNullPrototype: true }), {
  maxLength: 3,
});
const parts = {
  baseline: text,
  known: text,
  written: text,
  created: fc.boolean(),
  movedFrom: fc.constantFrom('/w/b.ts', '/w/sub/c.ts'),
  sessions: ids,
  owned: lines,
  typed: lines,
};
/** A file that has not moved has no place that it comes from. */
const requiredKeys = ['baseline', 'known', 'written', 'created', 'sessions', 'owned', 'typed'] as const;
const path = '/w/a.ts';
const throughJson = (file: TrackedFile): unknown => JSON.parse(JSON.stringify(toStored(path, file)));
const readBack = (value: unknown): TrackedFile | undefined => {
  const stored = parseStoredFile(value);
  return stored && fromStored(stored);
};

describe('stored review state', () => {
  it('is what was stored, whatever the texts', () => {
    fc.assert(
      fc.property(fc.record(parts, { noNullPrototype: true, requiredKeys: [...requiredKeys] }), (file) => {
        assert.deepEqual(readBack(throughJson(file)), file);
      }),
    );
  });

  it('holds a large text once', () => {
    const baseline = 'a line of text\n'.repeat(10_000);
    const known = baseline.replace('line', 'row');
    const size = JSON.stringify(
      toStored(path, { baseline, known, written: known, created: false, sessions: [], owned: [], typed: [] }),
    ).length;
    assert.ok(size < JSON.stringify(baseline).length + 1_000, `${size} characters`);
  });

  it('is read as older versions wrote it, and refused where it is something else', () => {
    const file = { baseline: 'a\n', known: 'b\n', written: 'b\n', created: false };
    assert.deepEqual(readBack({ path, ...file }), { ...file, sessions: [], owned: [], typed: [] });
    assert.equal(readBack({ ...file, path: '' }), undefined);
  });

  it('is refused where a part lies outside the text that it is of', () => {
    const file = { path, baseline: 'abc', known: 'abc', created: false };
    assert.equal(readBack({ ...file, written: { start: 1, end: 3, text: 'x' } })?.written, 'ax');
    assert.equal(readBack({ ...file, written: { start: 2, end: 1, text: 'x' } }), undefined);
    assert.equal(readBack({ ...file, written: { start: 1, end: 4, text: 'x' } }), undefined);
  });
});
