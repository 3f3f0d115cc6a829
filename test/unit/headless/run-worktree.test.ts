// --worktree: a run in a git worktree of its own, which goes if nothing was changed and is named if it stays.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment, gitIn } from '../../support/git-repository';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, text, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless --worktree', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const repository = async (): Promise<void> => {
    const { workspace } = place;
    await gitIn(workspace, 'init', '--quiet', '-b', 'main');
    await mkdir(path.join(workspace, 'src'));
    await writeFile(path.join(workspace, 'src/a.txt'), 'one\n');
    await writeFile(path.join(workspace, '.gitignore'), '.claude/settings.local.json\n');
    await gitIn(workspace, 'add', '.');
    await gitIn(workspace, 'commit', '--quiet', '-m', 'Begin');
  };
  const run = (args: string[], cwd = place.workspace): Promise<HeadlessEnd> =>
    place.run(['--output-format', 'stream-json', '--allowedTools', 'Bash', ...args], { url: server.url, cwd });
  const bash = (command: string) => server.setScript([reply(toolUse('Bash', { command })), reply('Done.')]);
  const sent = (): string => JSON.stringify(server.requests.at(-1)?.body['messages']);
  const worktrees = async (): Promise<string[]> => {
    const folder = path.join(place.home, '.deft/worktrees');
    const [repository] = existsSync(folder) ? await readdir(folder) : [];
    return repository === undefined ? [] : readdir(path.join(folder, repository));
  };

  it('keeps what was changed away from the checkout, names it, and goes on in it', async () => {
    await repository();
    bash('echo two > new.txt');
    const end = await run(['-p', 'Go', '--worktree', 'fix']);
    assert.equal(end.code, 0, end.stderr);
    assert.equal(existsSync(path.join(place.workspace, 'new.txt')), false);
    const [init] = jsonLines(end.stdout);
    const [, stays = ''] =
      /The worktree (\S+) on the branch worktree-fix stays: 1 uncommitted file\./.exec(end.stderr) ??
      assert.fail(end.stderr);
    assert.equal(init?.['cwd'], stays);
    assert.ok(existsSync(path.join(stays, 'new.txt')));

    bash('cat new.txt');
    const id = String(init?.['session_id']);
    assert.ok(end.stderr.includes(`--worktree fix --resume ${id}`));
    const again = await run(['-p', 'And now?', '-w', 'fix', '--resume', id]);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /as before/);
    assert.match(sent(), /echo two[\s\S]*"content":"two/);
    assert.deepEqual(await worktrees(), ['fix']);
  });

  it('leaves nothing where nothing was changed, from a folder below too', async () => {
    await repository();
    bash('cat a.txt');
    const end = await run(['-p', 'Look at it', '--worktree'], path.join(place.workspace, 'src'));
    assert.equal(end.code, 0, end.stderr);
    assert.match(String(jsonLines(end.stdout)[0]?.['cwd']), /\.deft\/worktrees\/.*\/session-[0-9a-f]{8}\/src$/);
    assert.match(sent(), /"content":"one/);
    assert.match(end.stderr, /Nothing was changed in the worktree, and it was removed\./);
    assert.deepEqual(await worktrees(), []);
    assert.equal(await gitIn(place.workspace, 'branch', '--list'), '* main');
  });

  it('is named so that a shell takes the commands, also below a home folder with a blank in its name', async () => {
    await repository();
    const home = path.join(place.home, 'ann smith');
    await mkdir(home);
    bash('echo two > new.txt');
    const end = await place.run(['-p', 'Go', '--allowedTools', 'Bash', '--worktree', 'fix'], {
      ...{ url: server.url, env: { HOME: home } },
    });
    const [, status = ''] = /`(git -C .*? status)` shows the changes/.exec(end.stderr) ?? assert.fail(end.stderr);
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${status} --short`], { env: gitEnvironment });
    assert.equal(stdout, '?? new.txt\n');
    assert.match(end.stderr, /`git worktree remove ".*ann smith.*fix"` removes it/);
  });

  it("obeys what the checkout's own settings forbid", async () => {
    await repository();
    await mkdir(path.join(place.workspace, '.claude'));
    await writeFile(
      path.join(place.workspace, '.claude/settings.local.json'),
      JSON.stringify({ permissions: { deny: ['Bash(touch:*)'] } }),
    );
    bash('touch made.txt');
    const end = await run(['-p', 'Go', '--worktree=fix']);
    assert.match(sent(), /Bash\(touch:\*\)/);
    assert.match(end.stderr, /Nothing was changed in the worktree/);
  });

  it('is refused before it begins where it would be another run', async () => {
    const refused = async (args: string[], why: RegExp): Promise<void> => {
      const end = await run(['-p', 'Go', ...args]);
      assert.equal(end.code, 1);
      assert.match(end.stderr, why);
      assert.equal(server.requests.length, 0);
      assert.deepEqual(await worktrees(), []);
    };
    await refused(['--worktree', 'fix'], /--worktree: .* is not in a usable git repository.*\n$/);
    await repository();
    await refused(['--worktree=a/b'], /--worktree takes a name of letters/);
    await gitIn(place.workspace, 'branch', 'worktree-mine');
    await refused(['--worktree', 'mine'], /There is a branch worktree-mine already/);
    await mkdir(path.join(place.home, '.claude'));
    const hooks = { WorktreeCreate: [{ hooks: [{ type: 'command', command: 'echo /elsewhere' }] }] };
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify({ hooks }));
    await refused(['--worktree', 'fix'], /a WorktreeCreate hook makes the worktrees here/);
    assert.deepEqual(
      (await gitIn(place.workspace, 'branch', '--list')).split('\n').map((line) => line.slice(2)),
      ['main', 'worktree-mine'],
    );
  });

  it('is not taken from whoever has locked it, and stays locked', async () => {
    await repository();
    bash('echo two > new.txt');
    const first = await run(['-p', 'Go', '--worktree', 'fix']);
    const [, stays = ''] = /The worktree (\S+) on/.exec(first.stderr) ?? assert.fail(first.stderr);
    await gitIn(place.workspace, 'worktree', 'lock', stays);
    const refused = await run(['-p', 'Go', '--worktree', 'fix']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /--worktree: Somebody has locked the worktree .*fix\./);
    assert.match(await gitIn(place.workspace, 'worktree', 'list', '--porcelain'), /^locked$/m);
  });

  it('stays where the user stands in it, with what only its branch has', async () => {
    await repository();
    bash('echo two > new.txt');
    const first = await run(['-p', 'Go', '--worktree', 'fix']);
    const [, stays = ''] = /The worktree (\S+) on/.exec(first.stderr) ?? assert.fail(first.stderr);
    await gitIn(stays, 'add', '.');
    await gitIn(stays, 'commit', '--quiet', '-m', 'Work');
    bash('true');
    const again = await run(['-p', 'Go', '--worktree', 'fix'], stays);
    assert.match(again.stderr, /The worktree \S+ on .* stays: 1 commit\./);
    await gitIn(stays, 'branch', 'copy');
    bash('true');
    const copied = await run(['-p', 'Go', '--worktree', 'fix'], stays);
    assert.match(copied.stderr, /stays: no changes\. The command was given in it\./);
    assert.ok(existsSync(stays));
    await gitIn(place.workspace, 'branch', '-D', 'copy');
    await gitIn(place.workspace, 'checkout', '--quiet', '--detach', 'worktree-fix');
    bash('true');
    const detached = await run(['-p', 'Go', '--worktree', 'fix']);
    assert.match(detached.stderr, /stays: 1 commit\./);
    assert.match(await gitIn(stays, 'log', '--format=%s'), /^Work\n/);
  });

  it('is not shared with a run that still works in it', async () => {
    await repository();
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    server.setScript([reply(text('Wait', { kind: 'gate', until: gate }, 'ed.')), reply('Never.')]);
    const first = place.start(
      ['-p', 'Go', '--worktree', 'fix', '--output-format', 'stream-json', '--include-partial-messages'],
      { url: server.url },
    );
    await first.said('message_start');
    const second = await run(['-p', 'Go', '--worktree', 'fix']);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /--worktree: Somebody works in .*fix/);
    go();
    assert.equal((await first.ended).code, 0);
    assert.equal(server.requests.length, 1);
  });
});
