// The listing behind "@": what ignore files leave out, what else is left out, links and the limit.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type FileListing, listFiles } from '../../../../src/node/search/ripgrep-files';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';

describe('listing files with ripgrep', () => {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'deft-listing-')));
  after(() => rmSync(base, { recursive: true, force: true }));

  const tree = (name: string, files: Record<string, string>): string => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(base, name, file)), { recursive: true });
      writeFileSync(path.join(base, name, file), text);
    }
    return path.join(base, name);
  };
  const list = async (folder: string, more: Partial<FileListing> = {}): Promise<string[] | undefined> => {
    const executable =
      (await findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] })) ??
      assert.fail('no ripgrep');
    return (
      await listFiles(
        { executable, folder, excluding: [], followLinks: true, limit: 100, ...more },
        new AbortController().signal,
      )
    )?.sort();
  };

  it('leaves out what ignore files name, in a repository and outside of one, and the repository itself', async () => {
    const files = {
      '.gitignore': 'dist/\n*.log\n',
      'a.ts': '',
      'dist/a.js': '',
      'noise.log': '',
      'sub/.gitignore': '!kept.log\n',
      'sub/kept.log': '',
      '.env': '',
    };
    const left = ['.env', '.gitignore', 'a.ts', 'sub/.gitignore', 'sub/kept.log'];
    assert.deepEqual(await list(tree('plain', files)), left);
    assert.deepEqual(await list(tree('repository', { ...files, '.git/HEAD': 'ref: refs/heads/main\n' })), left);
  });

  it('an ignore file above counts only where it is of the same repository', async () => {
    tree('above', { '.gitignore': '*\n' });
    assert.deepEqual(await list(tree('above/inner', { 'a.ts': '' })), ['a.ts']);
    tree('whole', { '.gitignore': 'b.ts\n', '.git/HEAD': 'ref: refs/heads/main\n' });
    assert.deepEqual(await list(tree('whole/inner', { 'a.ts': '', 'b.ts': '' })), ['a.ts']);
  });

  it('excluding globs, links and the limit hold', async () => {
    const folder = tree('more', { 'a.ts': '', 'b.map': '', 'deep/c.map': '', 'd.ts': '' });
    symlinkSync(path.join(folder, 'a.ts'), path.join(folder, 'link.ts'));
    assert.deepEqual(await list(folder, { excluding: ['**/*.map'] }), ['a.ts', 'd.ts', 'link.ts']);
    assert.deepEqual(await list(folder, { excluding: ['**/*.map'], followLinks: false }), ['a.ts', 'd.ts']);
    assert.equal((await list(folder, { limit: 2 }))?.length, 2);
    assert.equal(await list(path.join(base, 'none')), undefined);
  });

  it('finds by a part of the name in any case, and nothing that is ignored', async () => {
    const folder = tree('named', {
      '.gitignore': '*.log\nout/\n',
      'deep/WideTable.ts': '',
      'deep/other.ts': '',
      'wideTable.log': '',
      'out/wideTable.ts': '',
      'wide/x.ts': '',
      'a[1],b.ts': '',
      'Ünï.ts': '',
    });
    assert.deepEqual(await list(folder, { containing: 'detab' }), ['deep/WideTable.ts']);
    assert.deepEqual(await list(folder, { containing: '[1],b' }), ['a[1],b.ts']);
    assert.deepEqual(await list(folder, { containing: 'ünÏ' }), ['Ünï.ts']);
    assert.deepEqual(await list(folder, { containing: 'none' }), []);
  });
});
