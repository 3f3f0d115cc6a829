// A file goes to its new place whole or stays, and folders come and go with it.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { moveFile } from '../../../../src/node/files/move-file';

describe('a move on the disk', () => {
  let root: string;
  const at = (name: string): string => path.join(root, name);
  const put = (name: string, text = name): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };

  beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'deft-move-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('makes the folders that it needs, and removes those that it empties', async () => {
    put('a/b/c.txt');
    const { ino } = lstatSync(at('a/b/c.txt'));
    await moveFile(at('a/b/c.txt'), at('d/e/f.txt'), []);
    assert.deepEqual(readdirSync(root), ['d']);
    assert.deepEqual([readFileSync(at('d/e/f.txt'), 'utf8'), lstatSync(at('d/e/f.txt')).ino], ['a/b/c.txt', ino]);
    assert.equal(lstatSync(at('d/e/f.txt')).nlink, 1);
  });

  it('leaves folders that are kept, hold something else, or hold the target', async () => {
    put('kept/a.txt');
    put('full/b.txt');
    put('full/c.txt');
    put('in/d.txt');
    await moveFile(at('kept/a.txt'), at('a.txt'), [at('kept')]);
    await moveFile(at('full/b.txt'), at('b.txt'), []);
    await moveFile(at('in/d.txt'), at('in/deep/d.txt'), []);
    assert.deepEqual(readdirSync(root).sort(), ['a.txt', 'b.txt', 'full', 'in', 'kept']);
  });

  it('overwrites nothing, and leaves no folder behind', async () => {
    put('a.txt');
    put('b.txt');
    await assert.rejects(moveFile(at('a.txt'), at('b.txt'), []), { code: 'EEXIST' });
    await assert.rejects(moveFile(at('none.txt'), at('x/y.txt'), []), { code: 'ENOENT' });
    await assert.rejects(moveFile(at('a.txt'), at('b.txt/c.txt'), []), { code: 'ENOTDIR' });
    assert.deepEqual([readFileSync(at('a.txt'), 'utf8'), readFileSync(at('b.txt'), 'utf8')], ['a.txt', 'b.txt']);
    assert.equal(existsSync(at('x')), false);
  });
});
