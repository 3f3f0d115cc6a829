// What a session's file may have suffered, and what is read of it all the same.
import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile, mkdir } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { forkRecords } from '../../../../src/core/sessions/fork-records';
import { migrated } from '../../../../src/core/sessions/log-format';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { encodeRecord } from '../../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { readRecords, readSessionFile } from '../../../../src/node/sessions/session-reader';
import { makeTree, type Tree } from '../search-tree';

const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  uuid: `u-${text.slice(0, 8)}`,
  type: 'user',
  message: { role: 'user', content: text },
});
const line = (text: string): string => encodeRecord(prompt(text));

describe('a session file', () => {
  let place: Tree;
  const file = (id: string): string => path.join(place.root, `${id}.jsonl`);
  const store = () => createJsonlSessionStore(place.root);
  const reopened = async (id: string): Promise<SessionRecord[]> => {
    const opened = await store().open(id);
    opened?.log.append([prompt('next')]);
    await opened?.log.close();
    const again = await store().open(id);
    await again?.log.close();
    return again?.records ?? [];
  };
  beforeEach(async () => {
    place = await makeTree({});
  });
  afterEach(() => place.remove());

  const suffered: [name: string, content: string | Buffer, kept: SessionRecord[]][] = [
    [
      'a tail of zeros after a power loss',
      Buffer.concat([Buffer.from(`${line('one')}\n`), Buffer.alloc(9_000)]),
      [prompt('one')],
    ],
    [
      'zeros where a line was under way, and what was written behind them',
      `${line('one')}\n${'\0'.repeat(500)}${line('two')}\n`,
      [prompt('one'), prompt('two')],
    ],
    [
      'a torn character',
      Buffer.concat([Buffer.from(`${line('one')}\n`), Buffer.from(line('café')).subarray(0, -4)]),
      [prompt('one')],
    ],
    ['a mark at its beginning', `\uFEFF${line('one')}\n${line('two')}\n`, [prompt('one'), prompt('two')]],
    ['lines that end as on Windows', `${line('one')}\r\n\r\n${line('two')}\r\n`, [prompt('one'), prompt('two')]],
    ['nothing but zeros', Buffer.alloc(4_096), []],
  ];
  for (const [name, content, kept] of suffered) {
    it(`with ${name} opens, and goes on`, async () => {
      await writeFile(file('a'), content);
      assert.deepEqual(await reopened('a'), [...kept, prompt('next')]);
    });
  }

  it('holds lines of any length, also where the next one is torn', async () => {
    const long = 'é'.repeat(6_000_000);
    await writeFile(file('a'), `${line('one')}\n${line(long)}\n${line('two')}\n${line('torn').slice(0, -3)}`);
    const { records, size } = await readSessionFile(file('a'));
    assert.deepEqual(records, [prompt('one'), prompt(long), prompt('two')]);
    assert.equal(size, Buffer.byteLength(`${line('one')}\n${line(long)}\n${line('two')}\n`));
  });

  it('reads the same in parts as at once, wherever the parts end', async () => {
    const texts = Array.from({ length: 400 }, (_, index) => `${index} ${'ü€😀'.repeat((index * 7919) % 900)}`);
    const bytes = Buffer.from(texts.map((text) => `${line(text)}\n`).join(''));
    assert.ok(bytes.length > 1_000_000);
    await writeFile(file('a'), bytes);
    const whole = readRecords(bytes);
    assert.deepEqual(whole.records, texts.map(prompt));
    assert.deepEqual(await readSessionFile(file('a')), whole);
  });

  it('keeps lines that it does not know byte for byte, also in a copy', async () => {
    const own = [
      '{"type":"of tomorrow",  "n":12345678901234567890, "e":"\\u00e9\\/", "f":1.0}',
      '{ "sessionId": "s", "type":"of tomorrow", "deep":{"n":1e400} }',
      '{"type":"progress","data":{"a":[1]}}',
    ];
    await writeFile(file('a'), own.map((text) => `${text}\r\n`).join(''));
    const { records } = await readSessionFile(file('a'));
    assert.deepEqual(records.map(encodeRecord), own);
    const log = await store().create('b');
    log.append([prompt('first'), ...forkRecords(records, 'b')]);
    await log.close();
    const copied = (await readFile(file('b'), 'utf8')).split('\n').slice(1, -1);
    assert.deepEqual(copied, [own[0], own[1]?.replace('"s"', '"b"'), own[2]]);
  });

  it('any bytes at all are read, and what is kept of them reads the same', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(...[`${line('one')}\n`, '{"a":1}\r\n', '\uFEFF', '\0\0', '\n'].map((text) => Buffer.from(text))),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const bytes = Buffer.concat(parts);
        const { records, size, unterminated } = readRecords(bytes);
        assert.ok(size <= bytes.length);
        const next = Buffer.concat([
          bytes.subarray(0, size),
          Buffer.from(`${unterminated ? '\n' : ''}${line('next')}\n`),
        ]);
        assert.deepEqual(readRecords(next).records, [...records, prompt('next')]);
      }),
      { numRuns: 500 },
    );
  });

  describe('of a format', () => {
    it('says it once, on its first line', async () => {
      const log = await store().create('a');
      log.append([prompt('one'), prompt('two')]);
      await log.close();
      assert.deepEqual(await reopened('a'), [prompt('one'), prompt('two'), prompt('next')]);
      const lines = (await readFile(file('a'), 'utf8')).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((text) => (JSON.parse(text) as Record<string, unknown>)['deftFormat']),
        [1, undefined, undefined],
      );
    });

    it('that is newer is not opened, and nothing in it changes', async () => {
      const before = `${line('one')}\n${line('two').slice(0, -1)},"deftFormat":2}\n{"type":"us`;
      await writeFile(file('a'), before);
      await utimes(file('a'), 1_000, 1_000);
      await assert.rejects(store().open('a'), {
        code: 'session-newer',
        message: /newer version of Deft.*Nothing in it was changed/,
      });
      assert.equal(await readFile(file('a'), 'utf8'), before);
      assert.equal((await stat(file('a'))).mtimeMs, 1_000_000);
      assert.equal((await store().list())[0]?.title, 'one');
      await assert.rejects(stat(path.join(place.root, 'a.lock')), { code: 'ENOENT' });
    });

    it('that is older goes through every step to the present one', () => {
      const steps = [
        (fields: object) => ({ ...fields, second: true }),
        (fields: object) => ({ ...fields, third: Object.keys(fields).length }),
      ];
      assert.deepEqual(migrated({ deftFormat: 1, a: 1 }, 1, steps), { a: 1, second: true, third: 2 });
      assert.deepEqual(migrated({ a: 1 }, 2, steps), { a: 1, third: 1 });
      assert.deepEqual(migrated({ deftFormat: 3, a: 1 }, 3, steps), { a: 1 });
    });
  });

  it('is not locked by a process from before the machine was started', async () => {
    await writeFile(file('a'), `${line('one')}\n`);
    const lock = path.join(place.root, 'a.lock');
    await writeFile(lock, JSON.stringify({ pid: process.ppid, host: hostname(), started: '', token: 'x' }));
    await assert.rejects(store().open('a'), { code: 'session-locked' });
    const beforeStart = Date.now() / 1_000 - uptime() - 3_600;
    await utimes(lock, beforeStart, beforeStart);
    assert.deepEqual(await reopened('a'), [prompt('one'), prompt('next')]);
    if (process.platform !== 'linux') return;
    await writeFile(
      lock,
      JSON.stringify({ pid: process.ppid, host: hostname(), started: '', boot: 'another', token: 'x' }),
    );
    assert.equal((await reopened('a')).length, 3);
  });

  it('gives its end at once where it is long', async () => {
    await mkdir(place.root, { recursive: true });
    const reply = (id: string, text: string): SessionRecord => ({
      ...envelope,
      uuid: `${id}${text}`,
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', stop_reason: null, content: [{ type: 'text', text }] },
    });
    const records = [
      prompt('What it began with'),
      ...Array.from({ length: 900 }, (_, index) => [
        reply(`m${index}`, 'x'.repeat(2_000)),
        reply(`m${index}`, 'y'.repeat(1_000)),
      ]).flat(),
    ];
    await writeFile(file('a'), records.map((record) => `${encodeRecord(record)}\n`).join(''));
    const end = await store().end?.('a');
    assert.equal(end?.title, 'What it began with');
    assert.ok((end?.records.length ?? 0) >= 300 && (end?.records.length ?? 0) < records.length);
    assert.deepEqual(end?.records, records.slice(-(end?.records.length ?? 0)));
    const [first] = end?.records ?? [];
    assert.ok(first?.type === 'assistant' && first.uuid.endsWith('x'), 'it begins with a whole message');
    await writeFile(file('b'), `${line('short')}\n`);
    assert.equal(await store().end?.('b'), undefined);
    assert.equal(await store().end?.('none'), undefined);
  });
});
