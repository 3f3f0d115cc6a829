// What two machines wrote into one log: a long one is parted in slices, to the same records.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { partedWriters } from '../../../../src/core/sessions/parted-writers';

const record = (uuid: string, parentUuid: string | null): SessionRecord =>
  ({ type: 'custom-title', title: '', uuid, parentUuid, timestamp: '' }) as unknown as SessionRecord;
const chain = (name: string, length: number, from: string | null = null): SessionRecord[] =>
  Array.from({ length }, (_, at) => record(`${name}${at}`, at === 0 ? from : `${name}${at - 1}`));

describe('a long log', () => {
  let pauses: number;
  const slices = { pause: async () => void pauses++ };
  beforeEach(() => (pauses = 0));

  it('of one writer stays the same array, and others have their turn meanwhile', async () => {
    const records = chain('a', 20_000);
    assert.equal(await partedWriters(records, slices), records);
    assert.equal(pauses, 5);
  });

  it('of two is parted across slices', async () => {
    const begin = chain('b', 2);
    const [one, other] = [chain('c', 9_000, 'b1'), chain('d', 9_000, 'b0')];
    const mixed = [...begin, ...one.flatMap((own, at) => [own, other[at] ?? assert.fail()])];
    assert.deepEqual(await partedWriters(mixed, slices), [...begin, ...one, ...other]);
    assert.equal(pauses, 4);
  });
});
