import assert from 'node:assert/strict';
import { type FileState, type RewindStep } from '../../../../src/core/ports/checkpoints';
import { fullFolder } from '../../../../src/core/rewind/plan-rewind';
import { countSteps, nothingToPutBack, previewWords } from '../../../../src/vscode/rewind/rewind-words';

const absent: FileState = { kind: 'absent' };
const step = (path: string, more: Partial<RewindStep> = {}): RewindStep => ({
  path,
  action: 'delete',
  from: absent,
  to: absent,
  ...more,
});

describe('the preview of a rewind', () => {
  it('tells what happens, what is left to the user, and what is not covered', () => {
    const plan = {
      steps: [step('/w/a'), step('/w/b', { others: 'since' }), step('/w/c')],
      lost: [{ path: '/w/d', why: 'too large to back up' }],
      asThen: ['/w/f', '/w/g'],
    };
    const uncovered = { large: 3, largePaths: ['/w/d', '/w/e'], more: 0, unlisted: true };
    const { own, theirs, detail } = previewWords(
      { plan, uncovered },
      (path) => path.slice(3),
      (path) => path === '/w/c' || path === '/w/g',
    );
    assert.deepEqual([own.map(({ path }) => path), theirs.map(({ path }) => path)], [['/w/a'], ['/w/b', '/w/c']]);
    for (const said of [
      'Delete a',
      'b: changed since',
      'c: an editor holds unsaved text',
      'd: too large',
      'g: an editor holds unsaved text of yours, which Deft may have changed',
      '3 files over 2 MB (d, e …)',
      'no snapshot',
    ])
      assert.ok(detail.includes(said), `${said}: ${detail}`);
    assert.ok(!/^f: /m.test(detail), detail);
  });

  it('names what stands in editors alone, also where the disk needs nothing', () => {
    const name = (path: string): string => path.slice(3);
    assert.equal(nothingToPutBack([], name), 'no file needs to be restored.');
    assert.match(
      nothingToPutBack(['/w/g'], name),
      /^no file needs to be restored on disk\. Left alone: g: an editor holds unsaved text of yours/,
    );
  });

  it('counts files; folders only where there is nothing else', () => {
    const folder = step('/w/made', { from: fullFolder });
    assert.deepEqual(
      [[step('/w/a'), folder], [folder], [folder, step('/w/x', { to: { kind: 'folder' } })]].map(countSteps),
      ['1 file', '1 folder', '2 folders'],
    );
  });
});
