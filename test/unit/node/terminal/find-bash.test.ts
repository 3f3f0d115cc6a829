// Which bash runs commands: the system's, else one of the PATH, and none on Windows, whatever lies there.
import assert from 'node:assert/strict';
import path from 'node:path';
import { findBash } from '../../../../src/node/terminal/command-environment';
import { makeTree } from '../search-tree';

describe('findBash', () => {
  it('finds one here', () => assert.match(findBash(process.env, 'linux') ?? '', /^\/.*\/bash$/));

  it('finds none on Windows: not that of WSL, nor that of Git', async () => {
    const place = await makeTree({
      'System32/bash.exe': '',
      'Git/cmd/git.exe': '',
      'Git/bin/bash.exe': '',
      'Git/bin/bash': '',
    });
    try {
      const folders = ['System32', 'Git/cmd', 'Git/bin'].map((name) => path.join(place.root, name));
      assert.equal(findBash({ PATH: folders.join(path.delimiter) }, 'win32'), undefined);
    } finally {
      await place.remove();
    }
  });
});
