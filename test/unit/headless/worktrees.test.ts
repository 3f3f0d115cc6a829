// Agents in worktrees in the built runner: nothing in the workspace, commands of the report that run, and an end that names what is left.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from '../../support/git-repository';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless worktrees', function () {
  this.timeout(180_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const ask = (prompt: string, ...args: string[]): Promise<HeadlessEnd> =>
    place.run(['-p', prompt, '--output-format', 'json', '--permission-mode', 'acceptEdits', ...args], {
      url: server.url,
    });
  const system = (request: number): string => JSON.stringify(server.requests[request]?.body['system']);
  const last = (request: number): string =>
    JSON.stringify((server.requests[request]?.body['messages'] as unknown[]).at(-1));

  it('leave a branch, which the run names, the model sees and merges, and Deft removes', async () => {
    const { workspace } = place;
    await gitIn(workspace, 'init', '--quiet', '-b', 'main');
    await writeFile(path.join(workspace, 'a.txt'), 'one\n');
    await gitIn(workspace, 'add', '.');
    await gitIn(workspace, 'commit', '--quiet', '-m', 'Begin');
    let branch = '';
    server.setScript((_request, index) => {
      if (index === 0)
        return reply(toolUse('Agent', { description: 'Add', prompt: 'Add a file', isolation: 'worktree' }));
      if (index === 1) {
        const [, folder = '', name = ''] = /git worktree, (\S+) \(branch (\S+)\)/.exec(system(1)) ?? [];
        branch = name;
        return reply(toolUse('Write', { file_path: `${folder}/new.txt`, content: 'of the agent\n' }));
      }
      if (index === 2) return reply('Added.');
      if (index === 3) {
        const [, diff = ''] = /`(git diff [^`]*)`/.exec(last(3)) ?? [];
        return reply(toolUse('Bash', { command: diff }));
      }
      return reply('Done.');
    });
    const end = await ask('Go');
    assert.equal(end.code, 0, end.stderr);
    assert.match(branch, /^worktree-agent-a[0-9a-f]{12}$/);
    assert.match(last(4), /\+of the agent/, 'read-only git needs no rule');
    assert.deepEqual(jsonLines(end.stdout).at(-1)?.['worktrees_left'], [{ name: branch, commits: 1 }]);
    assert.match(end.stderr, new RegExp(`Agents left ${branch}: 1 commit that is not merged`));
    assert.deepEqual((await readdir(workspace)).sort(), ['.git', 'a.txt']);
    assert.ok(existsSync(path.join(place.home, '.deft/worktrees')));

    const listed = await ask('/worktrees');
    assert.match(String(jsonLines(listed.stdout).at(-1)?.['result']), new RegExp(`${branch}: 1 commit`));
    server.setScript([reply(toolUse('Bash', { command: `git merge ${branch}` })), reply('Merged.')]);
    const merged = await ask(`/worktrees merge ${branch}`, '--allowedTools', 'Bash(git merge:*)');
    assert.equal(merged.code, 0, merged.stderr);
    assert.equal(await readFile(path.join(workspace, 'new.txt'), 'utf8'), 'of the agent\n');
    const none = await ask('/worktrees');
    assert.match(String(jsonLines(none.stdout).at(-1)?.['result']), /have left no branches/);
    assert.equal(await gitIn(workspace, 'branch', '--list'), '* main');
    assert.equal(none.stderr, '');
  });
});
