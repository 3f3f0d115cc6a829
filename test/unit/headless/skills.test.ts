// Skills and commands in the built runner: "/name" as a prompt, unknown ones, commands that need permission, and system/init.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless skills', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const inProject = (name: string): string => path.join(place.workspace, '.claude', name);

  it('a command of the project and a skill of the user run as prompts and are named in init', async () => {
    await write(inProject('commands/fix.md'), 'Fix $ARGUMENTS in !`pwd`');
    await write(
      path.join(place.home, '.claude/skills/mine/SKILL.md'),
      '---\ndescription: For the model alone\nuser-invocable: false\n---\nx',
    );
    server.setScript([reply('Fixed.')]);
    const end = await place.run(['-p', '/fix the bug', '--output-format', 'stream-json'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    const init = jsonLines(end.stdout).find(({ subtype }) => subtype === 'init');
    assert.deepEqual(init?.['slash_commands'], [
      'compact',
      'context',
      'cost',
      'model',
      'share',
      'init',
      'goal',
      'worktrees',
      'code-review',
      'fix',
      'review',
      'security-review',
      'simplify',
      'statusline',
      'verify',
      'clear',
    ]);
    const sent = JSON.stringify(server.requests[0]?.body['messages']);
    assert.ok(sent.includes(`Fix the bug in ${place.workspace}`), sent);
    assert.match(sent, /- mine: For the model alone/);
  });

  it('a file of a skill or an agent that cannot be used is named on standard error', async () => {
    await write(inProject('skills/broken/SKILL.md'), '---\nhooks: [open\n---\nText');
    await write(inProject('agents/none.md'), '---\nname: none\n---\nText');
    await write(
      inProject('agents/free.md'),
      '---\nname: free\ndescription: Use it: always\n\n<example>\nuser: "x: y"\n</example>\nmodel: inherit\n---\nText',
    );
    server.setScript([reply('Fine.')]);
    const end = await place.run(['-p', 'Hello'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stderr, /skills\/broken\/SKILL\.md: Its front matter is not valid YAML/);
    assert.match(end.stderr, /agents\/none\.md: It has no `description`/);
    assert.doesNotMatch(end.stderr, /free\.md/);
    assert.match(JSON.stringify(server.requests[0]?.body['tools']), /- free: Use it: always <example> user:/);
  });

  it('an unknown one, or one whose command needs leave, ends the run with a sentence', async () => {
    await write(inProject('commands/make.md'), '---\nallowed-tools: Bash(touch *)\n---\nMake !`touch made`');
    const unknown = await place.run(['-p', '/mak it'], { url: server.url });
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /There is no command \/mak\. Did you mean \/make\?/);
    const refused = await place.run(['-p', '/make'], { url: server.url });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /The skill make was not used because its command `touch made` did not run: Permission denied/,
    );
    assert.equal(server.requests.length, 0);
    server.setScript([reply('Made.')]);
    const allowed = await place.run(['-p', '/make', '--allowedTools', 'Bash(touch *)'], { url: server.url });
    assert.equal(allowed.code, 0, allowed.stderr);
  });
});
