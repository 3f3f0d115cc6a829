// Hooks in the built runner: those of the user run, those of the project do not, and stream-json reports them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { referenceServer } from '../../support/mcp/run-servers';

describe('headless hooks', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const settings = async (folder: string, hooks: Record<string, string>): Promise<void> => {
    await mkdir(path.join(folder, '.claude'), { recursive: true });
    const groups = Object.fromEntries(
      Object.entries(hooks).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
    );
    await writeFile(path.join(folder, '.claude/settings.json'), JSON.stringify({ hooks: groups }));
  };
  const touch = toolUse('Bash', { command: 'touch made.txt' }, 't1');

  it('of the user guard calls; the transcript and stream-json tell of each step', async () => {
    await settings(place.home, {
      PreToolUse: 'env >"$HOME/env"; echo "Not today." >&2; exit 2',
      SessionEnd: 'cat >"$HOME/end"',
    });
    server.setScript([reply(touch), reply('Done.')]);
    const end = await place.run(
      ['-p', 'Go', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.equal(existsSync(path.join(place.workspace, 'made.txt')), false);
    assert.match(JSON.stringify(server.requests[1]?.body), /Permission denied: Not today\./);
    const steps = jsonLines(end.stdout).filter(({ hook_event }) => hook_event === 'PreToolUse');
    assert.deepEqual(
      steps.map(({ type, subtype, hook_name, exit_code, stderr, outcome }) => [
        type,
        subtype,
        hook_name,
        exit_code,
        stderr,
        outcome,
      ]),
      [
        ['system', 'hook_started', 'PreToolUse:Bash', undefined, undefined, undefined],
        ['system', 'hook_response', 'PreToolUse:Bash', 2, 'Not today.\n', 'success'],
      ],
    );
    assert.equal(steps[0]?.['hook_id'], steps[1]?.['hook_id']);
    const progress = (await place.transcript()).filter(({ type }) => type === 'progress');
    assert.deepEqual(
      progress.map(({ data }) => (data as { status: string }).status),
      ['started', 'blocked', 'started', 'completed'],
    );
    assert.equal(
      (JSON.parse(await readFile(path.join(place.home, 'end'), 'utf8')) as Record<string, unknown>)['hook_event_name'],
      'SessionEnd',
    );
    const environment = await readFile(path.join(place.home, 'env'), 'utf8');
    assert.ok(environment.includes(`CLAUDE_PROJECT_DIR=${place.workspace}`));
    assert.ok(!environment.includes('key-of-the-test'));
  });

  it('of the project stay inert, whatever they say', async () => {
    await settings(place.workspace, {
      PreToolUse: 'touch "$CLAUDE_PROJECT_DIR/ran"',
      SessionStart: 'touch "$CLAUDE_PROJECT_DIR/ran"',
    });
    server.setScript([reply(touch), reply('Done.')]);
    const end = await place.run(
      ['-p', 'Go', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.equal(existsSync(path.join(place.workspace, 'made.txt')), true);
    assert.equal(existsSync(path.join(place.workspace, 'ran')), false);
    assert.ok(!end.stdout.includes('hook_started'));
  });

  it('that keep the prompt from the model end the run with their reason', async () => {
    await settings(place.home, { UserPromptSubmit: 'echo "Office hours only." >&2; exit 2' });
    const end = await place.run(['-p', 'Go'], { url: server.url });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /A hook blocked this message: Office hours only\./);
    assert.equal(server.requests.length, 0);
  });

  it('of Setup run before the first turn, in front of SessionStart, where the command line asks for them; their exports reach commands', async () => {
    await settings(place.home, {
      Setup: 'cat >>"$HOME/log"; echo >>"$HOME/log"; echo "export MADE=yes" >>"$CLAUDE_ENV_FILE"',
      SessionStart: 'cat >>"$HOME/log"; echo >>"$HOME/log"',
    });
    const heard = async (): Promise<unknown[]> =>
      jsonLines(await readFile(path.join(place.home, 'log'), 'utf8')).map(({ hook_event_name, trigger, source }) => [
        hook_event_name,
        trigger ?? source,
      ]);
    server.setScript([reply(toolUse('Bash', { command: 'echo "it is $MADE"' }, 't1')), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--init', '--permission-mode', 'bypassPermissions'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.deepEqual(await heard(), [
      ['Setup', 'init'],
      ['SessionStart', 'startup'],
    ]);
    assert.match(JSON.stringify(server.requests[1]?.body), /it is yes/);
    server.setScript([reply('Done.'), reply('Done.')]);
    await place.run(['-p', 'Go', '--maintenance'], { url: server.url });
    await place.run(['-p', 'Go'], { url: server.url });
    assert.deepEqual((await heard()).slice(2), [
      ['Setup', 'maintenance'],
      ['SessionStart', 'startup'],
      ['SessionStart', 'startup'],
    ]);
  });

  it('run alone with --init-only: no prompt, no request, and exit code 1 where one fails', async () => {
    await settings(place.home, { Setup: 'touch "$HOME/set-up"' });
    const end = await place.run(['--init-only'], { url: server.url });
    assert.deepEqual(
      [end.code, end.stdout, server.requests.length, existsSync(path.join(place.home, 'set-up'))],
      [0, '', 0, true],
      end.stderr,
    );
    await settings(place.home, { Setup: 'echo "No compiler." >&2; exit 3' });
    const failed = await place.run(['--init-only'], { url: server.url });
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /No compiler\./);
  });

  it("of the project run with --trust-project, whose settings count then too; the mode stays the user's", async () => {
    await mkdir(path.join(place.workspace, '.claude'), { recursive: true });
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/ran"' }] }] };
    await writeFile(
      path.join(place.workspace, '.claude/settings.json'),
      JSON.stringify({ hooks, permissions: { allow: ['Bash(touch made.txt)'], defaultMode: 'bypassPermissions' } }),
    );
    server.setScript([reply(touch, toolUse('Bash', { command: 'touch other.txt' }, 't2')), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--trust-project'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    const made = ['ran', 'made.txt', 'other.txt'].map((name) => existsSync(path.join(place.workspace, name)));
    assert.deepEqual(made, [true, true, false]);
    await writeFile(
      path.join(place.workspace, '.claude/settings.json'),
      JSON.stringify({ hooks, disableAllHooks: true }),
    );
    await rm(path.join(place.workspace, 'ran'));
    server.setScript([reply('Done.')]);
    await place.run(['-p', 'Go', '--trust-project'], { url: server.url });
    assert.equal(existsSync(path.join(place.workspace, 'ran')), false);
  });

  it('of the project that do not run are told, unless the user names their file', async () => {
    const file = path.join(place.workspace, '.claude/settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] }],
          Stop: [{ hooks: [{ type: 'command', command: 'true' }] }],
        },
      }),
    );
    const warnings = async (...more: string[]): Promise<string> => {
      server.setScript([reply('Done.')]);
      return (await place.run(['-p', 'Go', ...more], { url: server.url })).stderr;
    };
    assert.equal(
      await warnings(),
      "deft: The project's hooks (PreToolUse, Stop) do not run: nobody can be asked to allow them. Start the run with --trust-project, or name their file with --settings.\n",
    );
    assert.deepEqual([await warnings('--trust-project'), await warnings('--settings', file)], ['', '']);
  });

  it("of a project's agent stay inert, and run with --trust-project", async () => {
    const hook =
      'hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch "$CLAUDE_PROJECT_DIR/agent-ran"\n';
    await mkdir(path.join(place.workspace, '.claude/agents'), { recursive: true });
    await writeFile(
      path.join(place.workspace, '.claude/agents/own.md'),
      `---\nname: own\ndescription: d\n${hook}---\nLook.\n`,
    );
    const ran = async (...more: string[]): Promise<boolean> => {
      server.setScript([
        reply(toolUse('Agent', { description: 'd', prompt: 'p', subagent_type: 'own' }, 'a1')),
        reply(toolUse('Bash', { command: 'pwd' }, 'b1')),
        reply('Looked.'),
        reply('Done.'),
      ]);
      const end = await place.run(['-p', 'Go', ...more], { url: server.url });
      assert.equal(end.code, 0, end.stderr);
      return existsSync(path.join(place.workspace, 'agent-ran'));
    };
    assert.deepEqual([await ran(), await ran('--trust-project')], [false, true]);
  });

  it('of MessageDisplay change what text output prints, and nothing that programs read', async () => {
    await settings(place.home, {
      MessageDisplay: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'MessageDisplay', displayContent: 'Shown.' } })}'`,
    });
    server.setScript([reply('Said.'), reply('Said.')]);
    assert.equal((await place.run(['-p', 'Go'], { url: server.url })).stdout, 'Shown.\n');
    const read = await place.run(['-p', 'Go', '--output-format', 'json'], { url: server.url });
    assert.equal((JSON.parse(read.stdout) as Record<string, unknown>)['result'], 'Said.');
  });

  it('of Elicitation answer what a server asks', async () => {
    const call = [
      reply(toolUse('ToolSearch', { query: 'select:mcp__all__trigger-elicitation-request' }, 's1')),
      reply(toolUse('mcp__all__trigger-elicitation-request', {}, 'e1')),
      reply('Done.'),
    ];
    const args = [
      '-p',
      'Go',
      '--mcp-config',
      JSON.stringify({ mcpServers: { all: referenceServer('everything') } }),
      '--allowedTools',
      'mcp__all',
    ];
    await settings(place.home, {
      Elicitation: `cat >"$HOME/asked"; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Hook the Answerer' } } })}'`,
    });
    server.setScript([...call]);
    const end = await place.run(args, { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /Hook the Answerer/);
    const asked = JSON.parse(await readFile(path.join(place.home, 'asked'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(
      [asked['mcp_server_name'], asked['mode'], typeof asked['requested_schema']],
      ['all', 'form', 'object'],
    );
  });
});
