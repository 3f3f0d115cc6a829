// The FileSystem port on real files: links, special files, modes, encodings, and what stays behind after a failure.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TextFile } from '../../../../src/core/ports/files';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { makeTree, type Tree } from '../search-tree';

const files = createNodeFileSystem();
const most = 10_000_000;

describe('NodeFileSystem', () => {
  let place: Tree;
  const at = (...names: string[]): string => path.join(place.root, ...names);
  beforeEach(async () => {
    place = await makeTree({ 'a.txt': 'one\n', 'folder/b.txt': 'two\n' });
  });
  afterEach(() => place.remove());

  const read = async (file: string): Promise<TextFile> => {
    const result = await files.readText(file, most);
    assert.equal(result.outcome, 'read', JSON.stringify(result));
    return (result as { file: TextFile }).file;
  };
  const refusal = async (file: string, limit = most): Promise<string> => {
    const result = await files.readText(file, limit);
    assert.equal(result.outcome, 'refused');
    assert.match((result as { message: string }).message, /\w+.*\.$/s);
    return (result as { code: string }).code;
  };
  const write = (file: string, base: TextFile | undefined, text: string) =>
    files.writeText({ path: file, base, text, approved: true });

  describe('reading', () => {
    it('gives text, encoding and hash', async () => {
      const file = await read(at('a.txt'));
      assert.deepEqual(
        { ...file, hash: '' },
        {
          ...{ path: at('a.txt'), text: 'one\n', encoding: 'utf8', hash: '', unsaved: false },
          disk: await files.stat(at('a.txt')),
        },
      );
      assert.equal((await read(at('a.txt'))).hash, file.hash);
    });

    it('refuses what is no readable text, with a code', async () => {
      await writeFile(at('latin1.txt'), Buffer.from([0x67, 0xfc]));
      await writeFile(at('binary.bin'), Buffer.from([1, 0, 2]));
      execFileSync('mkfifo', [at('pipe')]);
      await symlink('pipe', at('to-pipe'));
      await symlink('circle', at('circle'));
      assert.equal(await refusal(at('nothing')), 'not_found');
      assert.equal(await refusal(at('a.txt', 'below')), 'not_found');
      assert.equal(await refusal(at('folder')), 'directory');
      assert.equal(await refusal(at('latin1.txt')), 'encoding');
      assert.equal(await refusal(at('binary.bin')), 'binary');
      assert.equal(await refusal(at('pipe')), 'not_a_file');
      assert.equal(await refusal(at('to-pipe')), 'not_a_file');
      assert.equal(await refusal('/dev/zero'), 'not_a_file');
      assert.equal(await refusal(at('circle')), 'failed');
      assert.equal(await refusal(at('x'.repeat(300))), 'failed');
      assert.equal(await refusal(`${at('a')}\0b`), 'failed');
      assert.equal(await refusal(at('a.txt'), 3), 'too_large');
      assert.equal((await files.readBytes(at('a.txt'), 4)).outcome, 'read');
    });

    it('never opens a socket', async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
      assert.equal(await refusal(at('socket')), 'not_a_file');
      assert.equal((await files.stat(at('socket')))?.type, 'other');
      await new Promise((resolve) => server.close(resolve));
    });

    it('reads files whose size is not told', async function () {
      if (process.platform !== 'linux') {
        console.log('      skipped: no /proc here');
        this.skip();
      }
      assert.match((await read('/proc/self/status')).text, /^Name:/);
    });

    it('stats and lists, following links', async () => {
      await symlink('folder', at('link'));
      await symlink('nowhere', at('dangling'));
      assert.equal((await files.stat(at('link')))?.type, 'directory');
      assert.equal(await files.stat(at('dangling')), undefined);
      assert.equal(await files.stat(at('a.txt', 'x')), undefined);
      const listed = new Map((await files.list(place.root)).map((entry) => [entry.name, entry.type]));
      assert.deepEqual(
        [listed.get('link'), listed.get('a.txt'), listed.get('dangling')],
        ['directory', 'file', 'other'],
      );
      await assert.rejects(files.list(at('a.txt')), /is not a folder/);
    });

    it('resolves links, also where the file is not there yet', async () => {
      await symlink('folder', at('link'));
      await symlink('folder/new.txt', at('dangling'));
      await symlink('loop-b', at('loop-a'));
      await symlink('loop-a', at('loop-b'));
      assert.equal(await files.realPath(at('link', 'b.txt')), at('folder', 'b.txt'));
      assert.equal(await files.realPath(at('link', 'x', 'y.txt')), at('folder', 'x', 'y.txt'));
      assert.equal(await files.realPath(at('dangling')), at('folder', 'new.txt'));
      assert.equal(path.dirname(await files.realPath(at('loop-a'))), place.root);
    });
  });

  describe('writing', () => {
    it('creates with parents, and only where nothing is', async () => {
      const outcome = await write(at('x', 'y', 'new.txt'), undefined, 'fresh\r\n');
      assert.equal(outcome.outcome, 'written');
      assert.equal(await readFile(at('x', 'y', 'new.txt'), 'utf8'), 'fresh\r\n');
      const again = await write(at('a.txt'), undefined, 'other');
      assert.deepEqual([again.outcome, await readFile(at('a.txt'), 'utf8')], ['changed', 'one\n']);
      assert.deepEqual((await readdir(at('x', 'y'))).sort(), ['new.txt']);
    });

    it('refuses to create below a file, and leaves nothing', async () => {
      const outcome = await write(at('a.txt', 'sub', 'c.txt'), undefined, 'x');
      assert.deepEqual([outcome.outcome, 'code' in outcome && outcome.code], ['refused', 'not_a_file']);
      const folder = await write(at('folder'), undefined, 'x');
      assert.deepEqual([folder.outcome, 'code' in folder && folder.code], ['refused', 'not_a_file']);
    });

    it('removes the folders that it made for a file that could not be made', async () => {
      const outcome = await write(at('p', 'q', `${'x'.repeat(300)}`), undefined, 'x');
      assert.equal(outcome.outcome, 'refused');
      assert.equal(await files.stat(at('p')), undefined);
    });

    it('replaces, and answers with the file as it is now', async () => {
      const base = await read(at('a.txt'));
      const outcome = await write(at('a.txt'), base, 'three\n');
      assert.equal(outcome.outcome, 'written');
      assert.deepEqual(outcome.outcome === 'written' && outcome.file, await read(at('a.txt')));
      assert.deepEqual((await readdir(place.root)).sort(), ['a.txt', 'folder']);
    });

    it('writes nothing when the file changed, however small the change', async () => {
      const base = await read(at('a.txt'));
      await writeFile(at('a.txt'), 'onE\n');
      const outcome = await write(at('a.txt'), base, 'three\n');
      assert.deepEqual([outcome.outcome, outcome.outcome === 'changed' && outcome.current?.text], ['changed', 'onE\n']);
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'onE\n');
    });

    it('writes nothing when the file has gone', async () => {
      const base = await read(at('a.txt'));
      execFileSync('rm', [at('a.txt')]);
      assert.deepEqual(await write(at('a.txt'), base, 'x'), { outcome: 'changed', current: undefined });
    });

    it('treats a changed encoding as a change', async () => {
      const base = await read(at('a.txt'));
      await writeFile(at('a.txt'), '\uFEFFone\n');
      assert.equal((await write(at('a.txt'), base, 'x')).outcome, 'changed');
    });

    for (const [name, bytes, expected] of [
      ['CRLF', Buffer.from('a\r\nb\r\n'), Buffer.from('a\r\nc\r\n')],
      ['mixed endings', Buffer.from('a\r\nb\nb\r'), Buffer.from('a\r\nc\nc\r')],
      ['a mark', Buffer.from('\uFEFFb\r\n'), Buffer.from('\uFEFFc\r\n')],
      ['UTF-16LE', Buffer.from('\uFEFFäb\r\n', 'utf16le'), Buffer.from('\uFEFFäc\r\n', 'utf16le')],
      ['UTF-16BE', Buffer.from('\uFEFFäb\r\n', 'utf16le').swap16(), Buffer.from('\uFEFFäc\r\n', 'utf16le').swap16()],
    ] as const) {
      it(`keeps ${name}`, async () => {
        await writeFile(at('kept'), bytes);
        const base = await read(at('kept'));
        assert.equal((await write(at('kept'), base, base.text.replaceAll('b', 'c'))).outcome, 'written');
        assert.deepEqual(await readFile(at('kept')), expected);
      });
    }

    it('never writes half a character', async () => {
      const base = await read(at('a.txt'));
      const outcome = await write(at('a.txt'), base, 'x\uD83D');
      assert.deepEqual(['code' in outcome && outcome.code, await readFile(at('a.txt'), 'utf8')], ['encoding', 'one\n']);
      const created = await write(at('new.txt'), undefined, '\uD83D');
      assert.deepEqual(['code' in created && created.code, await files.stat(at('new.txt'))], ['encoding', undefined]);
    });

    it('keeps the mode', async () => {
      await chmod(at('a.txt'), 0o751);
      await write(at('a.txt'), await read(at('a.txt')), 'x');
      assert.equal((await stat(at('a.txt'))).mode & 0o777, 0o751);
    });

    it('keeps the owner', async function () {
      if (process.getuid?.() !== 0) {
        console.log('      skipped: only root can give files away');
        this.skip();
      }
      execFileSync('chown', ['12:34', at('a.txt')]);
      await write(at('a.txt'), await read(at('a.txt')), 'x');
      const { uid, gid } = await stat(at('a.txt'));
      assert.deepEqual([uid, gid], [12, 34]);
    });

    it('refuses a file that nobody may write, also as root', async () => {
      await chmod(at('a.txt'), 0o444);
      const outcome = await write(at('a.txt'), await read(at('a.txt')), 'x');
      assert.deepEqual(['code' in outcome && outcome.code, await readFile(at('a.txt'), 'utf8')], ['readonly', 'one\n']);
    });

    it('follows symbolic links to the file and leaves them links', async () => {
      await symlink('folder/b.txt', at('link'));
      await symlink('folder/new.txt', at('dangling'));
      assert.equal((await write(at('link'), await read(at('link')), 'via link\n')).outcome, 'written');
      assert.equal(await readFile(at('folder', 'b.txt'), 'utf8'), 'via link\n');
      assert.equal((await write(at('dangling'), undefined, 'made\n')).outcome, 'written');
      assert.deepEqual(
        [await readFile(at('folder', 'new.txt'), 'utf8'), await readlink(at('dangling'))],
        ['made\n', 'folder/new.txt'],
      );
      assert.ok((await lstat(at('link'))).isSymbolicLink());
    });

    it('writes nothing where the path leads elsewhere than it did', async () => {
      await mkdir(at('other'));
      await writeFile(at('other', 'b.txt'), 'two\n');
      const base = await read(at('folder', 'b.txt'));
      const allowed = {
        path: at('folder', 'b.txt'),
        realPath: await files.realPath(at('folder', 'b.txt')),
        text: 'new\n',
        approved: true,
      };
      await rename(at('folder'), at('before'));
      await symlink(at('other'), at('folder'));
      for (const change of [
        { ...allowed, base },
        { ...allowed, path: at('folder', 'c.txt'), realPath: at('folder', 'c.txt'), base: undefined },
      ]) {
        const result = await files.writeText(change);
        assert.equal(result.outcome === 'refused' && result.code, 'moved', JSON.stringify(result));
      }
      assert.deepEqual(await readdir(at('other')), ['b.txt']);
      assert.equal(await readFile(at('other', 'b.txt'), 'utf8'), 'two\n');
      assert.equal((await files.writeText({ ...allowed, realPath: at('other', 'b.txt'), base })).outcome, 'written');
    });

    it('keeps hard links together', async () => {
      await link(at('a.txt'), at('twin.txt'));
      await write(at('a.txt'), await read(at('a.txt')), 'both\n');
      assert.deepEqual([await readFile(at('twin.txt'), 'utf8'), (await stat(at('a.txt'))).nlink], ['both\n', 2]);
    });

    it('does not write to a FIFO', async () => {
      execFileSync('mkfifo', [at('pipe')]);
      const base = { ...(await read(at('a.txt'))), path: at('pipe') };
      const outcome = await write(at('pipe'), base, 'x');
      assert.deepEqual(['code' in outcome && outcome.code], ['not_a_file']);
      assert.equal((await write(at('pipe'), undefined, 'x')).outcome, 'refused');
    });

    it('leaves an unchanged file alone', async () => {
      const before = await stat(at('a.txt'));
      const base = await read(at('a.txt'));
      assert.equal((await write(at('a.txt'), base, base.text)).outcome, 'written');
      assert.equal((await stat(at('a.txt'))).ino, before.ino);
    });

    it('writes its own files for this user alone, with parents', async () => {
      await files.writeOwnFile(at('own', 'deep', 'result.txt'), 'large');
      await files.writeOwnFile(at('own', 'deep', 'result.txt'), 'larger');
      assert.equal(await readFile(at('own', 'deep', 'result.txt'), 'utf8'), 'larger');
      assert.equal((await stat(at('own', 'deep', 'result.txt'))).mode & 0o777, 0o600);
      await mkdir(at('taken'));
      await assert.rejects(files.writeOwnFile(at('taken'), 'x'), { name: 'DeftError' });
    });
  });
});
