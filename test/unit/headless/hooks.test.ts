// Hooks in the built runner: those of the person run, those of the project do not, and stream-json tells of them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless hooks', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const settings = async (folder: string, hooks: Record<string, string>): Promise<void> => {
    await mkdir(path.join(folder, '.claude'), { recursive: true });
    const groups = Object.fromEntries(Object.entries(hooks).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]));
    await writeFile(path.join(folder, '.claude/settings.json'), JSON.stringify({ hooks: groups }));
  };
  const touch = toolUse('Bash', { command: 'touch made.txt' }, 't1');

  it('of the person guard calls; the transcript and stream-json tell of each step', async () => {
    await settings(place.home, { PreToolUse: 'env >"$HOME/env"; echo "Not today." >&2; exit 2', SessionEnd: 'cat >"$HOME/end"' });
    server.setScript([reply(touch), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(existsSync(path.join(place.workspace, 'made.txt')), false);
    assert.match(JSON.stringify(server.requests[1]?.body), /Permission denied: Not today\./);
    const steps = jsonLines(end.stdout).filter(({ hook_event }) => hook_event === 'PreToolUse');
    assert.deepEqual(
      steps.map(({ type, subtype, hook_name, exit_code, stderr, outcome }) => [type, subtype, hook_name, exit_code, stderr, outcome]),
      [
        ['system', 'hook_started', 'PreToolUse:Bash', undefined, undefined, undefined],
        ['system', 'hook_response', 'PreToolUse:Bash', 2, 'Not today.\n', 'success'],
      ],
    );
    assert.equal(steps[0]?.['hook_id'], steps[1]?.['hook_id']);
    const progress = (await place.transcript()).filter(({ type }) => type === 'progress');
    assert.deepEqual(progress.map(({ data }) => (data as { status: string }).status), ['started', 'blocked', 'started', 'completed']);
    assert.equal((JSON.parse(await readFile(path.join(place.home, 'end'), 'utf8')) as Record<string, unknown>)['hook_event_name'], 'SessionEnd');
    const environment = await readFile(path.join(place.home, 'env'), 'utf8');
    assert.ok(environment.includes(`CLAUDE_PROJECT_DIR=${place.workspace}`));
    assert.ok(!environment.includes('key-of-the-test'));
  });

  it('of the project stay inert, whatever they say', async () => {
    await settings(place.workspace, { PreToolUse: 'touch "$CLAUDE_PROJECT_DIR/ran"', SessionStart: 'touch "$CLAUDE_PROJECT_DIR/ran"' });
    server.setScript([reply(touch), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(existsSync(path.join(place.workspace, 'made.txt')), true);
    assert.equal(existsSync(path.join(place.workspace, 'ran')), false);
    assert.ok(!end.stdout.includes('hook_started'));
  });

  it('that keep the prompt from the model end the run with their reason', async () => {
    await settings(place.home, { UserPromptSubmit: 'echo "Office hours only." >&2; exit 2' });
    const end = await place.run(['-p', 'Go'], { url: server.url });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /A hook kept this message from the model: Office hours only\./);
    assert.equal(server.requests.length, 0);
  });
});
