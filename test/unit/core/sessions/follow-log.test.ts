// What is kept of a log: the same as reading all of it, and no record is read twice.
import assert from 'node:assert/strict';
import { isPastClearing } from '../../../../src/core/loop/limits';
import { historyEpoch } from '../../../../src/core/loop/pinned-capabilities';
import { followLog } from '../../../../src/core/sessions/follow-log';
import { type SessionRecord } from '../../../../src/core/ports/record';

const of = (subtype: string, more: object = {}): SessionRecord =>
  ({ type: 'system', subtype, uuid: subtype, timestamp: '', ...more }) as unknown as SessionRecord;
const cleared = (toolUses: number): SessionRecord => of('reply_end', { cleared: { toolUses, tokens: 1 } });

describe('following a log', () => {
  it('looks at what was appended, and at all of another log', () => {
    let looks = 0;
    const names = followLog(
      '',
      (state, record) => (looks++, state + (record.type === 'system' ? record.subtype[0] : '-')),
    );
    const log = [of('a'), of('b')];
    assert.deepEqual([names(log), names(log), looks], ['ab', 'ab', 2]);
    log.push(of('c'));
    assert.deepEqual([names(log), looks], ['abc', 3]);
    assert.deepEqual([names([...log]), looks], ['abc', 6]);
    log.splice(1, 2, of('d'), of('e'));
    assert.equal(names(log), 'ade', 'it was rewritten');
    log.length = 0;
    assert.equal(names(log), '');
  });

  /** Records, how often the history became another one, whether the API has cleared results. */
  const cases: [SessionRecord[], number, boolean][] = [
    [[], 0, false],
    [[cleared(2)], 0, true],
    [[of('compact_boundary')], 1, false],
    [[cleared(2), of('compact_boundary')], 1, false],
    [[cleared(2), of('compact_boundary'), of('compact_undone')], 2, false],
    [[of('compact_boundary'), cleared(1), of('compact_edited')], 2, true],
    [[cleared(2), cleared(0)], 0, false],
    [[cleared(2), of('reply_end')], 0, true],
  ];
  it('tells of compactions and clearings the same at once and record by record', () => {
    for (const [records, epoch, past] of cases) {
      assert.deepEqual([historyEpoch(records), isPastClearing(records)], [epoch, past]);
      const growing: SessionRecord[] = [];
      for (const record of records) {
        growing.push(record);
        historyEpoch(growing);
        isPastClearing(growing);
      }
      assert.deepEqual([historyEpoch(growing), isPastClearing(growing)], [epoch, past]);
    }
  });

  it('is how a long log is asked about: nothing of it is read again', () => {
    let reads = 0;
    const log = Array.from({ length: 100 }, () => of('setting'));
    const watched = new Proxy(log, {
      get: (target, key) => (
        typeof key === 'string' && /^\d+$/.test(key) && reads++,
        Reflect.get(target, key) as unknown
      ),
    });
    for (const ask of [historyEpoch, isPastClearing]) {
      ask(watched);
      reads = 0;
      ask(watched);
      log.push(of('compact_boundary'));
      ask(watched);
      assert.ok(reads < 10, `${reads} reads`);
    }
  });
});
