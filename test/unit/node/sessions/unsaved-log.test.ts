// Sessions in a folder that takes no files: they go on, every sync says so, and all of it is saved once it can be.
import assert from 'node:assert/strict';
import promises, { mkdtemp, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeRecord } from '../../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';

const line = JSON.stringify({
  type: 'custom-title',
  title: 'One',
  uuid: 'u1',
  parentUuid: null,
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 's1',
  cwd: '/',
  version: '1',
});

describe('a session in a folder that cannot be written', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'deft-test-'))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** As on a disk that is mounted read-only; opening to read works. */
  async function readOnly<Result>(use: () => Promise<Result>): Promise<Result> {
    const { open, mkdir } = promises;
    const refused = (file: unknown) =>
      Promise.reject(Object.assign(new Error(`EROFS: read-only file system '${String(file)}'`), { code: 'EROFS' }));
    Object.assign(promises, {
      open: (file: string, flags: string, mode?: number) => (flags === 'r' ? open(file, flags, mode) : refused(file)),
      mkdir: refused,
    });
    syncBuiltinESMExports();
    try {
      return await use();
    } finally {
      Object.assign(promises, { open, mkdir });
      syncBuiltinESMExports();
    }
  }
  const record = () => [decodeRecord(line)].filter((one) => one !== undefined);
  const unsaved = /The session cannot be saved\. .*read-only/i;

  it('is made, and saved when the folder takes files again', async () => {
    const store = createJsonlSessionStore(path.join(root, 'sessions'));
    const log = await readOnly(async () => {
      const made = await store.create('s1');
      made.append(record());
      await assert.rejects(made.sync(), unsaved);
      await assert.rejects(made.sync(), unsaved);
      return made;
    });
    await log.sync();
    log.append(record());
    await log.close();
    const text = await readFile(path.join(root, 'sessions', 's1.jsonl'), 'utf8');
    assert.equal(text.trim().split('\n').length, 2);
  });

  it('has nothing stored until it is saved', async () => {
    const store = createJsonlSessionStore(path.join(root, 'sessions'));
    const log = await readOnly(async () => {
      const made = await store.create('s1');
      made.append(record());
      await assert.rejects(made.sync(), unsaved);
      assert.equal(made.stored, undefined);
      return made;
    });
    await log.sync();
    const found: unknown[] = [];
    for await (const part of log.stored?.scan({ at: 0, format: 1 }) ?? [])
      found.push(...part.found.map((one) => one.record));
    assert.deepEqual(found, record());
    await log.close();
  });

  it('is opened with what it holds', async () => {
    const store = createJsonlSessionStore(root);
    const first = await store.create('s1');
    first.append(record());
    await first.close();
    const opened = await readOnly(async () => {
      const again = await store.open('s1');
      assert.equal(again?.records.length, 1);
      again?.log.append(record());
      await assert.rejects(again?.log.sync() ?? Promise.resolve(), unsaved);
      return again;
    });
    await opened?.log.close();
    assert.equal((await readFile(path.join(root, 's1.jsonl'), 'utf8')).trim().split('\n').length, 2);
  });

  it('leaves nothing where nothing was said', async () => {
    const store = createJsonlSessionStore(path.join(root, 'sessions'));
    const log = await readOnly(() => store.create('s1'));
    await log.close();
    assert.equal(await readFile(path.join(root, 'sessions', 's1.jsonl'), 'utf8').catch(() => 'none'), 'none');
  });
});
