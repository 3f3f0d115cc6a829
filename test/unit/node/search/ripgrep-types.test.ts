// ripgrep's own list of file types: asked for anew where it could not be had.
import assert from 'node:assert/strict';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type GrepQuery } from '../../../../src/core/ports/search';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';
import { withTypeAndGlob } from '../../../../src/node/search/ripgrep-types';
import { makeTree } from '../search-tree';

it('the types of files are known once ripgrep runs, though it could not be started before', async () => {
  const place = await makeTree({ bin: 'no folder yet\n' });
  try {
    const executable = path.join(place.root, 'bin/rg');
    const query: GrepQuery = {
      pattern: 'x',
      path: place.root,
      type: 'ts',
      glob: '*.tsx',
      mode: 'content',
      ignoreCase: false,
      multiline: false,
      onlyMatching: false,
      before: 0,
      after: 0,
      limit: 1,
      offset: 0,
      hidden: () => false,
    };
    const hides = async (name: string): Promise<boolean> => {
      const typed = await withTypeAndGlob(query, executable, new AbortController().signal);
      return typed.hidden(path.join(place.root, name));
    };
    assert.equal(await hides('a.js'), false, 'an unknown type is for ripgrep to refuse');
    await rm(path.join(place.root, 'bin'));
    await mkdir(path.join(place.root, 'bin'));
    await symlink(
      (await findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] })) ?? assert.fail(),
      executable,
    );
    assert.deepEqual([await hides('a.js'), await hides('a.tsx')], [true, false]);
  } finally {
    await place.remove();
  }
});
