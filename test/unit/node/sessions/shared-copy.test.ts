// Where the copy of a session for Claude Code goes: under the name of the folder that the other program finds it by.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { shareSession } from '../../../../src/node/sessions/shared-copy';
import { makeTree, type Tree } from '../search-tree';

const said: SessionRecord = {
  ...{ uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' },
  type: 'user',
  message: { role: 'user', content: 'Hello' },
};

describe('a copy for Claude Code', () => {
  let place: Tree;
  beforeEach(async () => (place = await makeTree({ 'work/a.txt': 'one' })));
  afterEach(() => place.remove());

  it('of a folder that was opened by a link is that of the folder behind it', async () => {
    const root = await realpath(place.root);
    await mkdir(path.join(root, '.claude'));
    const [linked, work] = [path.join(root, 'linked'), path.join(root, 'work')];
    await symlink(work, linked);
    const session = { records: [said], choices: { model: 'claude-opus-5' }, settings: { version: '1' } };
    const answer = await shareSession(session as unknown as Parameters<typeof shareSession>[0], {
      ...{ home: root, folder: linked, environment: {} },
    });
    const [, file = ''] = /^A copy of the session is in (\S+)\. Continue it in /.exec(answer) ?? assert.fail(answer);
    assert.ok(answer.includes(` Continue it in ${work} with: claude --resume `), answer);
    assert.equal(path.basename(path.dirname(file)), work.replace(/[^A-Za-z0-9]/g, '-'));
    assert.ok(existsSync(file));
    assert.equal((JSON.parse((await readFile(file, 'utf8')).trim()) as { cwd: string }).cwd, work);
  });
});
