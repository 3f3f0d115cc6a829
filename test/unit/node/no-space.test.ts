// A disk that is full in the middle of a write (ENOSPC): a clear sentence, the old content kept, nothing left behind.
import assert from 'node:assert/strict';
import promises from 'node:fs/promises';
import { appendFile, link, readdir, readFile, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { DeftError } from '../../../src/core/text/errors';
import { decodeRecord } from '../../../src/core/sessions/session-codec';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { replaceFile } from '../../../src/node/files/replace-file';
import { openSessionLog } from '../../../src/node/sessions/session-log-file';
import { createNodeDisk } from '../../../src/vscode/files/node-disk';
import { onFullDisk, type Writing } from '../../support/full-disk';
import { makeTree, type Tree } from './search-tree';

const files = createNodeFileSystem();

describe('no space on the disk', () => {
  let place: Tree;
  const at = (name: string): string => path.join(place.root, name);
  beforeEach(async () => {
    place = await makeTree({ 'a.txt': 'before\n', 'twin.txt': 'before\n' });
  });
  afterEach(() => place.remove());

  const replacement = async (name: string) => {
    const read = await files.readText(at(name), 1_000);
    assert.ok(read.outcome === 'read');
    return () => files.writeText({ path: at(name), base: read.file, text: `${'after'.repeat(20)}\n`, approved: true });
  };
  const said = (name: string) => ({
    outcome: 'refused',
    code: 'no_space',
    message: `No space is left on the disk: ${at(name)} was not written.`,
  });
  const names = () => readdir(place.root).then((found) => found.sort());
  const line = (title: string): string => JSON.stringify({ type: 'ai-title', title, uuid: title });
  const record = (title: string) => decodeRecord(line(title)) ?? assert.fail();
  const openLog = () =>
    openSessionLog(
      {
        id: 's',
        path: at('s.jsonl'),
        size: 0,
        unterminated: false,
        namesFormat: false,
        release: async () => undefined,
      },
      'new',
    );
  const titles = async () =>
    (await readFile(at('s.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((written) => (JSON.parse(written) as { title: string }).title);

  for (const of of ['writeFile', 'sync'] satisfies Writing[]) {
    it(`keeps a file that was to be replaced (${of})`, async () => {
      const write = await replacement('a.txt');
      assert.deepEqual(await onFullDisk(of, write), said('a.txt'));
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'before\n');
      assert.deepEqual(await names(), ['a.txt', 'twin.txt']);
      assert.equal((await write()).outcome, 'written');
    });

    it(`leaves nothing of a new file and its folders (${of})`, async () => {
      const create = () =>
        files.writeText({ path: at('new/deep/b.txt'), base: undefined, text: 'b\n', approved: true });
      assert.deepEqual(await onFullDisk(of, create), said('new/deep/b.txt'));
      assert.deepEqual(await names(), ['a.txt', 'twin.txt']);
    });
  }

  it('gives a file that is written in place its old bytes back', async () => {
    await link(at('twin.txt'), at('linked.txt'));
    const write = await replacement('twin.txt');
    assert.deepEqual(await onFullDisk('write', write, 1), said('twin.txt'));
    assert.equal(await readFile(at('linked.txt'), 'utf8'), 'before\n');
  });

  it("keeps a file of Deft's own as it was", async () => {
    const write = () => files.writeOwnFile(at('a.txt'), 'x'.repeat(1_000));
    await assert.rejects(onFullDisk('writeFile', write), (error) => {
      assert.ok(error instanceof DeftError);
      assert.deepEqual([error.code, error.retryable, error.message], ['file-no-space', true, said('a.txt').message]);
      return true;
    });
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'before\n');
    assert.deepEqual(await names(), ['a.txt', 'twin.txt']);
  });

  for (const of of ['write', 'datasync'] satisfies Writing[]) {
    it(`loses no record of a session (${of})`, async () => {
      const file = at('s.jsonl');
      const log = await openLog();
      log.append([record('one')]);
      await log.sync();
      await onFullDisk(of, async () => {
        log.append([record('two')]);
        const message = `The session cannot be saved. No space is left on the disk: ${file} was not written. Deft tries again with the next message.`;
        await assert.rejects(log.sync(), { code: 'session-no-space', message });
        const lines = (await readFile(file, 'utf8')).split('\n');
        assert.deepEqual([lines.length, lines.at(-1)], [of === 'write' ? 2 : 3, ''], 'only whole lines stand there');
      });
      log.append([record('three')]);
      await log.sync();
      await log.close();
      assert.deepEqual(await titles(), ['one', 'two', 'three']);
    });
  }

  it('takes nothing away that another machine writes into a session after a batch of its own failed', async () => {
    const log = await openLog();
    log.append([record('one')]);
    await log.sync();
    await onFullDisk('write', async () => {
      log.append([record('a batch that is longer than what the other one writes')]);
      await assert.rejects(log.sync(), { code: 'session-no-space' });
    });
    await appendFile(at('s.jsonl'), `${line('other')}\n`);
    await log.sync();
    await log.close();
    assert.deepEqual(await titles(), ['one', 'other', 'a batch that is longer than what the other one writes']);
  });

  it('is seen before an editor writes', async () => {
    const whole = promises.statfs;
    Object.assign(promises, {
      statfs: async (...args: Parameters<typeof whole>) => ({ ...(await whole(...args)), bavail: 1, bsize: 512 }),
    });
    syncBuiltinESMExports();
    try {
      const disk = createNodeDisk();
      assert.deepEqual(await disk.obstacle(at('a.txt'), 513), said('a.txt'));
      assert.equal(await disk.obstacle(at('a.txt'), 512), undefined);
    } finally {
      Object.assign(promises, { statfs: whole });
      syncBuiltinESMExports();
    }
  });
});

describe('replaceFile where a file cannot be renamed over', () => {
  for (const code of ['EBUSY', 'EXDEV', 'EPERM', 'EACCES', 'EIO']) {
    it(`${code}: ${code === 'EIO' ? 'fails, and the old file stays' : 'is written in place'}`, async () => {
      const place = await makeTree({ 'a.txt': 'before\n' });
      const file = path.join(place.root, 'a.txt');
      const stats = await stat(file);
      const whole = promises.rename;
      Object.assign(promises, { rename: async () => Promise.reject(Object.assign(new Error(code), { code })) });
      syncBuiltinESMExports();
      const replaced = replaceFile(file, Buffer.from('after\n'), Buffer.from('before\n'), stats);
      try {
        if (code === 'EIO') await assert.rejects(replaced, { code });
        else await replaced;
        assert.equal(await readFile(file, 'utf8'), code === 'EIO' ? 'before\n' : 'after\n');
        assert.deepEqual([(await stat(file)).ino === stats.ino, await readdir(place.root)], [true, ['a.txt']]);
      } finally {
        Object.assign(promises, { rename: whole });
        syncBuiltinESMExports();
        await place.remove();
      }
    });
  }
});
