// The sessions of a repository's other folders: further worktrees, folders inside of a checkout, and none of a neighbour with a similar name.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositorySessions } from '../../../../src/node/sessions/repository-sessions';
import { defaultSessionsDirectory, sessionsDirectory } from '../../../../src/node/sessions/sessions-directory';
import { makeTree, type Tree } from '../search-tree';

describe('the sessions of other folders of a repository', () => {
  let place: Tree;
  const at = (...parts: string[]): string => path.join(place.root, ...parts);
  const list = (folder: string, setting = defaultSessionsDirectory) =>
    repositorySessions({ home: at('home'), folder: at(folder), setting });
  /** A session that was held there. */
  const session = (folder: string, id: string): void => {
    const root = sessionsDirectory(at('home'), at(folder));
    mkdirSync(root, { recursive: true });
    writeFileSync(
      path.join(root, `${id}.jsonl`),
      `${JSON.stringify({ type: 'user', uuid: id, parentUuid: null, timestamp: '2026-11-27T00:00:00.000Z', sessionId: id, cwd: at(folder), version: '0', message: { role: 'user', content: `In ${id}` } })}\n`,
    );
  };

  before(async () => {
    place = await makeTree({
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/packages/a/x.txt': '',
      'repo/.git/worktrees/fix/commondir': '../..\n',
      'repo/.git/worktrees/fix/HEAD': 'ref: refs/heads/fix\n',
      'repo-other/.git/HEAD': 'ref: refs/heads/main\n',
      'alone/x.txt': '',
    });
    writeFileSync(at('repo/.git/worktrees/fix/gitdir'), `${at('fix', '.git')}\n`);
    mkdirSync(at('repo/.git/worktrees/gone'));
    writeFileSync(at('repo/.git/worktrees/gone/gitdir'), `${at('gone', '.git')}\n`);
    mkdirSync(at('fix'));
    writeFileSync(at('fix', '.git'), `gitdir: ${at('repo/.git/worktrees/fix')}\n`);
    for (const folder of ['repo', 'repo/packages/a', 'fix', 'repo-other', 'alone'])
      session(folder, folder.replaceAll('/', '.'));
  });
  after(() => place.remove());

  const titles = (found: Awaited<ReturnType<typeof list>>) =>
    found.flatMap(({ sessions }) => sessions.map(({ title }) => title)).sort();

  it('are those of its worktrees and of folders in it, seen from any of them', async () => {
    assert.deepEqual(titles(await list('repo')), ['In fix', 'In repo.packages.a']);
    assert.deepEqual(titles(await list('fix')), ['In repo', 'In repo.packages.a']);
    assert.deepEqual(titles(await list('repo/packages/a')), ['In fix', 'In repo']);
  });

  it('are none outside of a repository, and none where all folders share one place', async () => {
    assert.deepEqual(await list('alone'), []);
    assert.deepEqual(await list('repo-other'), []);
    assert.deepEqual(await list('repo', '~/shared'), []);
  });
});
