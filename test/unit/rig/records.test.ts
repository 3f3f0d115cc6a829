// The rig counts what ran inside VS Code, and never takes silence for success.
import assert from 'node:assert/strict';
import { parseRecords, tally, unfinishedTest, type RunRecord } from '../../rig/in-host-records';

const pass: RunRecord = { type: 'pass', title: 'a', milliseconds: 1 };
const fail: RunRecord = { type: 'fail', title: 'b', error: 'wrong' };
const skip: RunRecord = { type: 'skip', title: 'c' };
const crash: RunRecord = { type: 'crash', error: 'broken' };
const end: RunRecord = { type: 'end' };

describe('records of an in-host run', () => {
  const cases: [string, RunRecord[], [number, number, number]][] = [
    ['passes, failures and skips are counted', [pass, fail, skip, crash, end], [1, 1, 1]],
    ['a run that did not end is a failure', [pass], [1, 1, 0]],
    ['a run that crashed outside of a test is a failure', [pass, crash, end], [1, 1, 0]],
    ['a run in which nothing ran is a failure', [skip, end], [0, 1, 1]],
    ['no records at all are a failure', [], [0, 1, 0]],
  ];
  for (const [name, records, [passed, failed, skipped]] of cases) {
    it(name, () => assert.deepEqual(tally(records), { passed, failed, skipped }));
  }

  it('keeps a line that is still being written for later', () => {
    const text = `${JSON.stringify(pass)}\n${JSON.stringify(end)}\n{"type":"pa`;
    assert.deepEqual(parseRecords(text), { records: [pass, end], rest: '{"type":"pa' });
  });

  it('names the test that was running, also when it has printed something', () => {
    assert.equal(unfinishedTest([pass, { type: 'start', title: 'slow' }, { type: 'log', text: 'x' }]), 'slow');
    assert.equal(unfinishedTest([{ type: 'start', title: 'a' }, pass]), undefined);
  });
});
