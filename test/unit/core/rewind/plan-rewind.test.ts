import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type CheckpointEntry, type FileState } from '../../../../src/core/ports/checkpoints';
import { changedSince, fullFolder, planRewind, promptPoints } from '../../../../src/core/rewind/plan-rewind';

const absent: FileState = { kind: 'absent' };
const folder: FileState = { kind: 'folder' };
const link: FileState = { kind: 'link', target: 'a' };
const file = (hash: string, mode = 0o644): FileState => ({ kind: 'file', hash, mode, size: 1 });
const large: FileState = { kind: 'unkept', why: 'large', seen: '1' };
const prompt = (id: string): CheckpointEntry => ({ type: 'point', kind: 'prompt', id, at: 1, text: id });
const change = (by: string, before: FileState, after?: FileState, doubt?: true): CheckpointEntry[] => [
  { type: 'before', by, path: '/w/a', state: before, ...defined({ doubt }) },
  ...(after === undefined ? [] : [{ type: 'after' as const, by, path: '/w/a', state: after }]),
];

/** Rewound to `p1`: what happens to `/w/a`, of which the disk holds `disk`. */
const cases: [name: string, entries: CheckpointEntry[], disk: FileState, expected: string][] = [
  ['nothing changed it', [], file('1'), 'nothing'],
  ['an edit', change('c', file('1'), file('2')), file('2'), 'restore'],
  ['an edit, taken back already', change('c', file('1'), file('2')), file('1'), 'as then'],
  ['an edit of what an editor holds unsaved', change('c', file('1'), file('1')), file('1'), 'as then'],
  ['a new file', change('c', absent, file('1')), file('1'), 'delete'],
  ['a deleted file', change('c', file('1'), absent), absent, 'create'],
  ['only the mode', change('c', file('1'), file('1', 0o755)), file('1', 0o755), 'restore'],
  ['a file that became a link', change('c', file('1'), link), link, 'restore'],
  ['a new empty folder', change('c', absent, folder), folder, 'delete'],
  ['a folder that was empty', change('c', folder, absent), fullFolder, 'restore'],
  ['a full folder that is a file now', change('c', fullFolder, file('1')), file('1'), 'restore'],
  ['a full folder that is gone: its files bring it back', change('c', fullFolder, absent), absent, 'nothing'],
  [
    'two edits: the first counts',
    [...change('c', file('1'), file('2')), ...change('d', file('2'), file('3'))],
    file('3'),
    'restore to 1',
  ],
  ['changed since by somebody else', change('c', file('1'), file('2')), file('9'), 'restore, since'],
  ['deleted since by somebody else', change('c', file('1'), file('2')), absent, 'create, since'],
  [
    'changed by somebody else between two edits',
    [...change('c', file('1'), file('2')), ...change('d', file('9'), file('3'))],
    file('3'),
    'restore, between',
  ],
  [
    'overlapping calls are one hand',
    [...change('c', file('1'), file('2')), ...change('d', file('1'), file('2'))],
    file('2'),
    'restore',
  ],
  ['a call that a crash cut before it wrote', change('c', file('1')), file('1'), 'as then'],
  ['a call that a crash cut after it wrote', change('c', file('1')), file('2'), 'restore, unknown'],
  ['while a background command ran', change('c', file('1'), file('2'), true), file('2'), 'restore, unknown'],
  ['a file that was too large', change('c', large, file('2')), file('2'), 'lost'],
  [
    'a rewind that was cut short before this file',
    [...change('c', file('1'), file('2')), ...change('rewind:1', file('2'), file('1'))],
    file('2'),
    'restore',
  ],
];

describe('planRewind', () => {
  for (const [name, entries, disk, expected] of cases) {
    it(name, () => {
      const plan =
        planRewind(
          [prompt('p0'), ...change('earlier', file('0'), file('1')), prompt('p1'), ...entries],
          'p1',
          new Map([['/w/a', disk]]),
        ) ?? assert.fail();
      const [step] = plan.steps;
      const to = step?.to.kind === 'file' && expected.includes(' to ') ? ` to ${step.to.hash}` : '';
      const actual =
        step === undefined
          ? plan.lost.length > 0
            ? 'lost'
            : plan.asThen.length > 0
              ? 'as then'
              : 'nothing'
          : `${step.action}${to}${step.others === undefined ? '' : `, ${step.others}`}`;
      assert.equal(actual, expected);
      assert.ok(plan.steps.length + plan.lost.length <= 1);
    });
  }

  it('knows its checkpoints, and what changed since each', () => {
    const entries = [prompt('p1'), ...change('c', file('1'), file('2')), prompt('p2')];
    assert.deepEqual(
      promptPoints(entries).map(({ id }) => id),
      ['p1', 'p2'],
    );
    assert.deepEqual(
      [changedSince(entries, 'p1'), changedSince(entries, 'p2'), changedSince(entries, 'p3')],
      [['/w/a'], [], []],
    );
    assert.equal(planRewind(entries, 'p3', new Map()), undefined);
  });
});
