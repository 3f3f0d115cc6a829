// A session that one process writes and another one reads as it grows: every record once, in order, whatever the writes look like.
import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FollowedSession } from '../../../../src/core/ports/session-store';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { encodeRecord } from '../../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { followSessionFile } from '../../../../src/node/sessions/session-follower';
import { makeTree, type Tree } from '../search-tree';

const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  uuid: `u-${text.slice(0, 8)}`,
  type: 'user',
  message: { role: 'user', content: text },
});
const line = (text: string): string => `${encodeRecord(prompt(text))}\n`;

describe('a session that is followed', () => {
  let place: Tree;
  let followed: FollowedSession | undefined;
  const changes = new EventEmitter();
  const seen: SessionRecord[] = [];
  const holds: boolean[] = [];
  const follower = {
    added: (records: SessionRecord[]) => {
      seen.push(...records);
      changes.emit('change');
    },
    held: (isHeld: boolean) => {
      holds.push(isHeld);
      changes.emit('change');
    },
  };
  const until = async (holdsTrue: () => boolean): Promise<void> => {
    while (!holdsTrue()) await once(changes, 'change');
  };
  beforeEach(async () => {
    place = await makeTree({});
    seen.length = 0;
    holds.length = 0;
  });
  afterEach(async () => {
    followed?.stop();
    await place.remove();
  });

  for (const watches of [true, false]) {
    it(`is read on as it grows, ${watches ? 'told by the system' : 'by looks alone'}: torn lines, many at once, one of many megabytes`, async () => {
      const file = path.join(place.root, 's.jsonl');
      await writeFile(file, `${line('one')}${line('two').slice(0, 40)}`);
      followed = await followSessionFile(file, follower, async () => true, {
        gatherMs: 1,
        lookMs: watches ? 600_000 : 5,
        watches,
      });
      assert.deepEqual(followed.records, [prompt('one')]);
      await appendFile(file, line('two').slice(40));
      await until(() => seen.length === 1);
      const many = Array.from({ length: 3_000 }, (_, index) => `n${index}`);
      await appendFile(file, many.map(line).join(''));
      const long = line('x'.repeat(9_000_000));
      await appendFile(file, long.slice(0, 6_000_000));
      await appendFile(file, long.slice(6_000_000));
      await appendFile(file, line('end'));
      await until(() => seen.length >= 3_003);
      assert.deepEqual(
        seen.map((record) => (record.type === 'user' ? String(record.message.content).slice(0, 5) : '')),
        ['two', ...many.map((text) => text.slice(0, 5)), 'xxxxx', 'end'],
      );
    });
  }

  it('says when nobody has it open any more, and when somebody has again', async () => {
    const store = createJsonlSessionStore(place.root);
    const log = await store.create('s');
    log.append([prompt('one')]);
    await log.sync();
    // As fast as the store's own, whose looks are two seconds apart.
    followed = await createJsonlSessionStore(place.root).follow?.('s', follower);
    assert.deepEqual(followed?.records, [prompt('one')]);
    log.append([prompt('two')]);
    await log.close();
    await until(() => holds.length === 1);
    assert.deepEqual([holds, seen], [[false], [prompt('two')]], 'what was written last comes before');
    const again = await store.open('s');
    again?.log.append([prompt('three')]);
    await again?.log.sync();
    await until(() => holds.length === 2 && seen.length === 2);
    assert.deepEqual(holds, [false, true]);
    await again?.log.close();
  });

  it('tells nothing once it is left, nor of a session that is not there', async () => {
    const file = path.join(place.root, 's.jsonl');
    assert.deepEqual((await followSessionFile(file, follower, async () => true)).records, []);
    await writeFile(file, line('one'));
    const left = await followSessionFile(file, follower, async () => true, { gatherMs: 1, lookMs: 1 });
    left.stop();
    const other: SessionRecord[] = [];
    followed = await followSessionFile(
      file,
      { added: (records) => void (other.push(...records), changes.emit('change')), held: () => undefined },
      async () => true,
      { gatherMs: 1, lookMs: 1 },
    );
    await appendFile(file, line('two'));
    await until(() => other.length === 1);
    assert.deepEqual(seen, []);
  });
});
