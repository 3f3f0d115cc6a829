// Where hooks, worktrees and commands begin once the session's folder is none of the workspace.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { ownFolder } from '../../../../src/core/calls/own-folder';
import { startFolder } from '../../../../src/core/tools/bash/bash-folder';
import { createMemoryFiles, type MemoryEntry } from '../../../support/memory-files';

const DIRECTORY: MemoryEntry = { type: 'directory' };

describe('the folder of the workspace', () => {
  const rows: [cwd: string, folders: string[], worktree: string | undefined, expected: string][] = [
    ['/w', ['/w', '/x'], undefined, '/w'],
    ['/w/src', ['/w'], undefined, '/w/src'],
    ['/x/src', ['/w', '/x'], undefined, '/x/src'],
    ['/added/src', ['/w', '/x'], undefined, '/w'],
    ['/w-other', ['/w'], undefined, '/w'],
    ['/tree', ['/tree/gone'], '/tree', '/tree'],
    ['/home/p', [], undefined, '/home/p'],
  ];
  for (const [cwd, folders, worktree, expected] of rows) {
    it(`of a session in ${cwd} is ${expected}`, () => {
      assert.equal(ownFolder({ cwd, folders }, { ignoreCase: false, ...defined({ worktree }) }), expected);
    });
  }
});

describe('the start of a command', () => {
  const files = createMemoryFiles({ '/w/src': DIRECTORY, '/added/src': DIRECTORY, '/taken': DIRECTORY });
  const rows: [cwd: string, home: string, expected: string, note?: RegExp][] = [
    ['/w/src', '/w', '/w/src'],
    ['/added/src', '/w', '/added/src'],
    ['/taken', '/w', '/w', /^The folder \/taken is no longer in the workspace; the command started in \/w\.$/],
    ['/added/gone', '/w', '/w', /no longer exists/],
    ['/taken', '/nowhere', '/taken'],
  ];
  for (const [cwd, home, expected, note] of rows) {
    it(`in ${cwd} of ${home} is ${expected}`, async () => {
      const step = await startFolder({ cwd, folders: [home], allowedFolders: () => [home, '/added'] }, files);
      assert.equal(step.cwd, expected);
      if (note === undefined) assert.equal(step.note, undefined);
      else assert.match(step.note ?? '', note);
    });
  }
});
