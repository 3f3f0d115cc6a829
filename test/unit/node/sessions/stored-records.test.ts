// Reading again what a session's file holds: where each record stands, one of them at a time, and what became of the file since.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type RecordPlace, type SessionLog } from '../../../../src/core/ports/session-store';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { onFullDisk } from '../../../support/full-disk';

function prompt(uuid: string, text: string): SessionRecord {
  const record = decodeRecord(
    JSON.stringify({
      type: 'user',
      message: { role: 'user', content: text },
      uuid,
      parentUuid: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      sessionId: 's1',
      cwd: '/w',
      version: '1',
    }),
  );
  return record ?? assert.fail();
}

const begin = { at: 0, format: 1 };
/** Longer than what is read at once, and of characters that such a part may cut. */
const long = 'ä€😀'.repeat(60_000);

describe('stored records', () => {
  let root: string;
  let log: SessionLog;
  let file: string;
  const records = [
    prompt('u1', 'one'),
    prompt('u2', long),
    prompt('u3', 'drei ä'),
    prompt('u4', long),
    prompt('u5', 'five'),
  ];

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'deft-test-'));
    log = await createJsonlSessionStore(root).create('s1');
    file = path.join(root, 's1.jsonl');
    log.append(records);
    await log.sync();
  });
  afterEach(async () => {
    await log.close().catch(() => undefined);
    await rm(root, { recursive: true, force: true });
  });

  const stored = () => log.stored ?? assert.fail('nothing is stored');
  async function scan(from = begin) {
    const found: { record: SessionRecord; place: RecordPlace }[] = [];
    let end = from;
    for await (const part of stored().scan(from)) {
      found.push(...part.found);
      end = part.end;
    }
    return { found, end };
  }
  const placeOf = async (index: number): Promise<RecordPlace> =>
    (await scan()).found[index]?.place ?? assert.fail('there is no such record');
  const changed = { code: 'session-changed', message: /before the compaction cannot be read again/ };

  it('are found in order, and read one by one', async () => {
    const { found, end } = await scan();
    assert.deepEqual(
      found.map(({ record }) => encodeRecord(record)),
      records.map(encodeRecord),
    );
    for (const index of [4, 0, 3, 1, 2, 0])
      assert.deepEqual(stored().read(found[index]?.place ?? assert.fail()), records[index]);
    assert.equal(end.at, (await readFile(file)).length);
    assert.deepEqual((await scan(found[2]?.place)).found, found.slice(2), 'it goes on from any record');
    assert.deepEqual(await scan(end), { found: [], end });
    log.append([prompt('u6', 'six')]);
    await log.sync();
    assert.deepEqual(
      (await scan(end)).found.map(({ record }) => encodeRecord(record)),
      [encodeRecord(prompt('u6', 'six'))],
    );
  });

  it('are those of whole lines: what cannot be read, and what is not written yet, is left out', async () => {
    await appendFile(file, 'no json\n\n');
    const six = prompt('u6', 'six');
    await onFullDisk('write', async () => {
      log.append([six]);
      await assert.rejects(log.sync());
      assert.equal((await scan()).found.length, 5);
    });
    await log.sync();
    const { found } = await scan();
    assert.deepEqual([found.length, found.at(-1)?.record], [6, six]);
    assert.deepEqual(stored().read(found.at(-1)?.place ?? assert.fail()), six);
  });

  it('are read from a session that was resumed, and after it was closed', async () => {
    const place = await placeOf(2);
    await log.close();
    assert.deepEqual(stored().read(place), records[2]);
    log = (await createJsonlSessionStore(root).open('s1'))?.log ?? assert.fail();
    assert.deepEqual(await placeOf(2), place);
    assert.deepEqual(stored().read(place), records[2]);
  });

  it('are read from a file that was removed or moved while it is open', async function () {
    if (process.platform === 'win32') this.skip();
    const place = await placeOf(0);
    await unlink(file);
    assert.deepEqual(stored().read(place), records[0]);
    log.append([prompt('u6', 'six')]);
    await log.sync();
    const last = (await scan()).found.at(-1)?.place ?? assert.fail();
    assert.deepEqual(stored().read(last), prompt('u6', 'six'));
    assert.deepEqual(stored().read(await placeOf(4)), records[4]);
    await rename(file, `${file}.moved`);
    assert.deepEqual(stored().read(await placeOf(3)), records[3]);
  });

  const changes: [string, () => Promise<void>][] = [
    ['written over', async () => writeFile(file, 'x'.repeat((await readFile(file)).length))],
    ['cut off', () => truncate(file, 10)],
    ['changed within the line', async () => writeFile(file, (await readFile(file, 'utf8')).replace('drei', 'vier'))],
    ['moved within the file', async () => writeFile(file, `{}\n${await readFile(file, 'utf8')}`)],
  ];
  for (const [how, change] of changes)
    it(`are not taken for others where the file was ${how}`, async () => {
      const place = await placeOf(2);
      await change();
      assert.throws(() => stored().read(place), changed);
      await log.close().catch(() => undefined);
      assert.throws(() => stored().read(place), changed);
    });

  it('say where a closed session is gone', async () => {
    const place = await placeOf(2);
    await log.close();
    await rm(file);
    assert.throws(() => stored().read(place), { ...changed, message: /s1\.jsonl/ });
  });
});
