// Where a Grep's glob lets the search begin: a folder below the searched one, never what a link or a repository folder hides.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { grepPlace } from '../../../../../src/core/tools/grep/grep-globs';
import { createNodeFileSystem } from '../../../../../src/node/files/node-file-system';
import { makeTree, type Tree } from '../../../node/search-tree';

describe('the place of a Grep', () => {
  let place: Tree;
  let root: string;
  before(async () => {
    place = await makeTree({
      'home/.ssh/keys/id': 'secret\n',
      'ws/src/deep/a.ts': 'a\n',
      'ws/.git/config': 'c\n',
      'ws/lib/.hg/store/x': 'x\n',
    });
    root = path.join(place.root, 'ws');
    await symlink(path.join(place.root, 'home/.ssh'), path.join(root, 'link'));
    await symlink(path.join(place.root, 'home/.ssh'), path.join(root, 'src/link'));
    await symlink(path.join(root, 'src'), path.join(root, 'inner'));
    await symlink(root, path.join(place.root, 'same'));
  });
  after(() => place.remove());

  const rows: [glob: string, folder: string][] = [
    ['src/**', 'src'],
    ['./src/deep/', 'src/deep'],
    ['link/**', ''],
    ['link/', ''],
    ['link', ''],
    ['link/keys/**', ''],
    ['src/link/**', ''],
    ['inner/**', ''],
    ['.git/**', ''],
    ['.git', ''],
    ['lib/.hg/store/**', ''],
  ];
  for (const [glob, folder] of rows) {
    it(`of ${glob} is ${folder === '' ? 'the folder itself' : folder}`, async () => {
      const files = createNodeFileSystem();
      assert.equal((await grepPlace(glob, root, files)).path, path.join(root, folder));
      // Also where the folder itself is named through a link.
      const linked = path.join(place.root, 'same');
      assert.equal((await grepPlace(glob, linked, files)).path, path.join(linked, folder));
    });
  }

  it('of a whole path through a link is the folder itself', async () => {
    assert.equal((await grepPlace(`${root}/link/**`, root, createNodeFileSystem())).path, root);
  });
});
