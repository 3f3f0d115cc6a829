// What the public contract of hooks promises about a whole run: processes that end with it, its environment, and what it saves.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { processStat } from '../../../src/node/terminal/process-family';
import { isAlive } from '../../../src/node/process-owner';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('hooks of a headless run', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const settings = async (hooks: Record<string, object>): Promise<void> => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    const groups = Object.fromEntries(
      Object.entries(hooks).map(([event, hook]) => [event, [{ hooks: [{ type: 'command', ...hook }] }]]),
    );
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify({ hooks: groups }));
  };
  const touch = toolUse('Bash', { command: 'touch made.txt' }, 't1');
  /** A child that outlives a shell which is ended alone. */
  const sleeping = 'sleep 600 & echo $! >"$HOME/part" && mv "$HOME/part" "$HOME/pid"; wait';
  const written = async (name: string): Promise<string> => {
    const file = path.join(place.home, name);
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
    return readFile(file, 'utf8');
  };
  /** A process that has ended may wait for whoever takes its exit code. */
  const runs = async (pid: number): Promise<boolean> => isAlive(pid) && (await processStat(pid))?.state !== 'Z';
  const bypass = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`leave no process behind where ${signal} stops the run during one`, async () => {
      await settings({ PreToolUse: { command: sleeping } });
      server.setScript([reply(touch)]);
      const run = place.start(bypass, { url: server.url });
      const pid = Number(await written('pid'));
      assert.equal(await runs(pid), true);
      run.child.kill(signal);
      const end = await run.ended;
      assert.deepEqual(
        [end.code, await runs(pid), existsSync(path.join(place.workspace, 'made.txt'))],
        [code, false, false],
      );
    });
  }

  it('leave no process behind where the run is told to quit at once', async () => {
    await settings({ PreToolUse: { command: `trap '' TERM; ${sleeping}` } });
    server.setScript([reply(touch)]);
    const run = place.start(bypass, { url: server.url });
    const pid = Number(await written('pid'));
    run.child.kill('SIGINT');
    run.child.kill('SIGTERM');
    await run.ended;
    assert.equal(await runs(pid), false);
  });

  it('leave no process behind where one times out right before the end', async () => {
    await settings({ Stop: { command: sleeping, timeout: 0.3 } });
    server.setScript([reply('Done.')]);
    const end = await place.run(bypass, { url: server.url });
    assert.deepEqual([end.code, end.stdout], [0, 'Done.\n']);
    assert.match(end.stderr, /The hook Stop had a problem: It took longer than 0\.3 s and was stopped/);
    assert.equal(await runs(Number(await written('pid'))), false);
  });

  it('in the background end with the run', async () => {
    await settings({
      SessionStart: { command: sleeping, async: true },
      Stop: { command: 'until [ -e "$HOME/pid" ]; do sleep 0.02; done' },
    });
    server.setScript([reply('Done.')]);
    const end = await place.run(bypass, { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(await runs(Number(await written('pid'))), false);
  });

  it('that fail are told on standard error, and those that fail closed deny the call', async () => {
    for (const failClosed of [false, true]) {
      await settings({ PreToolUse: { command: 'echo Oops >&2; exit 1', failClosed } });
      server.setScript([reply(touch), reply('Done.')]);
      const end = await place.run(bypass, { url: server.url });
      const what = failClosed ? /Oops\. What it guards did not happen/ : /Oops\. Deft continued without it\./;
      assert.match(end.stderr, what);
      assert.equal(/had a problem/.test(end.stderr), true);
      const denied = /failClosed/.test(JSON.stringify(server.requests.at(-1)?.body));
      assert.equal(denied, failClosed);
    }
  });

  const failing: Record<string, { command: string; timeout?: number }> = {
    'is killed': { command: 'kill -9 $$' },
    'does not exist': { command: '/nowhere/hook' },
    'takes too long': { command: 'sleep 30', timeout: 1 },
    'prints half an object': { command: `echo '{"decision": "allow"'` },
    'prints text before its object': { command: `echo checking; echo '{"decision": "allow"}'` },
    'prints two objects': { command: `echo '{"decision": "allow"}{"decision": "deny"}'` },
    'prints bytes': { command: `printf '{\\377\\376\\000'` },
    'names a decision that there is none of': { command: `echo '{"decision": "perhaps"}'` },
    'decides by a number': {
      command: `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": 1}}'`,
    },
    'names a permission that there is none of': {
      command: `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "maybe"}}'`,
    },
    'allows and fails': { command: `echo '{"decision": "allow"}'; exit 1` },
  };
  for (const [what, hook] of Object.entries(failing))
    it(`before a call, where one ${what}, say so, and nothing passes where it fails closed`, async () => {
      for (const failClosed of [false, true]) {
        await rm(path.join(place.workspace, 'made.txt'), { force: true });
        await settings({ PreToolUse: { ...hook, failClosed } });
        server.setScript([reply(touch), reply('Done.')]);
        const end = await place.run(bypass, { url: server.url });
        assert.equal(end.code, 0, end.stderr);
        assert.match(end.stderr, /had a problem/, end.stderr);
        assert.equal(existsSync(path.join(place.workspace, 'made.txt')), !failClosed, end.stderr);
      }
    });

  it('that mean to replace an output and fail keep it from the model, and say so', async () => {
    const output = `jq -c '{hookSpecificOutput: {hookEventName: "PostToolUse", updatedToolOutput: {stdout: "gone"}}}'`;
    for (const [command, told] of [
      [`echo redacting; ${output}`, /It printed text before its JSON object/],
      [`${output}; echo done`, /It printed JSON that cannot be read/],
      [`${output} | jq -c .hookSpecificOutput`, /`updatedToolOutput` has to be in `hookSpecificOutput`/],
    ] as const) {
      await settings({ PostToolUse: { command } });
      server.setScript([reply(toolUse('Bash', { command: 'printf "%s%s" SEC RET' }, 't1')), reply('Done.')]);
      const end = await place.run(bypass, { url: server.url });
      assert.match(end.stderr, told);
      assert.match(end.stderr, /The output is withheld from the model\.$/m);
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      assert.doesNotMatch(sent, /SECRET/);
      assert.match(sent, /A hook meant to replace it, which failed\. It printed|has to be in/);
    }
  });

  it('and commands of the agent know that an agent runs them, and in which session', async () => {
    await settings({ PreToolUse: { command: 'env >"$HOME/hook-env"' } });
    server.setScript([reply(toolUse('Bash', { command: `env >"${place.home}/env"` }, 't1')), reply('Done.')]);
    const end = await place.run([...bypass, '--output-format', 'json'], { url: server.url });
    const { session_id } = JSON.parse(end.stdout) as { session_id: string };
    for (const name of ['hook-env', 'env']) {
      const lines = (await written(name)).split('\n');
      for (const line of ['CLAUDECODE=1', `CLAUDE_CODE_SESSION_ID=${session_id}`])
        assert.ok(lines.includes(line), name);
    }
  });

  for (const [destination, file] of [
    ['userSettings', 'home/.claude/settings.json'],
    ['projectSettings', 'work/.claude/settings.json'],
    ['localSettings', 'work/.claude/settings.local.json'],
    ['session', undefined],
  ] as const) {
    it(`grant for ${destination}: it holds in this run, and ${file ?? 'no file'} has it`, async () => {
      const rules = [{ toolName: 'Bash', ruleContent: 'touch made.txt' }];
      const update = { type: 'addRules', behavior: 'allow', rules, destination };
      const decision = { behavior: 'allow', updatedPermissions: [update] };
      const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
      await settings({ PermissionRequest: { command: `echo asked >>"$HOME/asked"; echo '${answer}'` } });
      const before = await readFile(path.join(place.home, '.claude/settings.json'), 'utf8');
      server.setScript([reply(touch), reply(toolUse('Bash', { command: 'touch made.txt' }, 't2')), reply('Done.')]);
      const end = await place.run(['-p', 'Go'], { url: server.url });
      assert.equal(end.code, 0, end.stderr);
      assert.equal(existsSync(path.join(place.workspace, 'made.txt')), true);
      assert.equal(await written('asked'), 'asked\n', 'the second call needs no question');
      const root = path.dirname(place.home);
      for (const one of [
        'home/.claude/settings.json',
        'work/.claude/settings.json',
        'work/.claude/settings.local.json',
      ]) {
        const text = existsSync(path.join(root, one)) ? await readFile(path.join(root, one), 'utf8') : '';
        assert.equal(text.includes('"Bash(touch made.txt)"'), one === file, one);
        if (one !== file && text !== '') assert.equal(text, before);
      }
    });
  }

  it('may install a skill that the first message uses', async () => {
    const skill = '---\\nname: fresh\\ndescription: d\\n---\\nSay fresh things.';
    const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', reloadSkills: true } });
    await settings({
      SessionStart: {
        command: `mkdir -p "$HOME/.claude/skills/fresh" && printf %b '${skill}' >"$HOME/.claude/skills/fresh/SKILL.md"; echo '${answer}'`,
      },
    });
    server.setScript([reply('Done.')]);
    const end = await place.run(['-p', '/fresh'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.match(JSON.stringify(server.requests[0]?.body), /Say fresh things/);
  });
});
