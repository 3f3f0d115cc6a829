import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse, type ReplyBlock } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless permissions', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  /** Plays one call; returns the run's end and the call's result. */
  async function call(block: ReplyBlock, ...args: string[]): Promise<{ end: HeadlessEnd; result: string }> {
    const first = server.requests.length;
    server.setScript([reply(block), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url });
    const messages = server.requests[first + 1]?.body['messages'] as
      { content: { type: string; content?: unknown }[] }[] | undefined;
    const results = messages?.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result') ?? [];
    return { end, result: JSON.stringify(results.at(-1)?.content ?? end.stderr) };
  }

  const touch = toolUse('Bash', { command: 'touch made.txt' }, 'toolu_touch');
  const made = (): boolean => existsSync(path.join(place.workspace, 'made.txt'));
  const write = (name: string) => toolUse('Write', { file_path: path.join(place.workspace, name), content: 'text\n' });
  const settings = async (file: string, value: unknown): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const projectFile = (): string => path.join(place.workspace, '.claude/settings.json');
  const userFile = (): string => path.join(place.home, '.claude/settings.json');

  it('denies what it would have to ask for, and names the rule', async () => {
    const { end, result } = await call(touch);
    assert.equal(made(), false);
    assert.match(result, /nobody can be asked/);
    assert.match(result, /--allowedTools \\\\?"Bash\(touch made\.txt\)/);
    assert.equal(end.code, 0);
    const [{ permission_denials }] = jsonLines(end.stdout) as [{ permission_denials: unknown }];
    assert.deepEqual(permission_denials, [
      { tool_name: 'Bash', tool_use_id: 'toolu_touch', tool_input: { command: 'touch made.txt' } },
    ]);
  });

  it('lets xargs read what a search of the line lists, unless a name would become something else', async () => {
    const search = toolUse('Bash', { command: 'find src -type f | xargs grep -n needle' });
    await mkdir(path.join(place.workspace, 'src'));
    await writeFile(path.join(place.workspace, 'src/a.txt'), 'a needle\n');
    await writeFile(path.join(place.workspace, 'src/b.txt'), 'nothing\n');
    assert.match((await call(search)).result, /src\/a\.txt:1:a needle/);
    await mkdir(path.join(place.workspace, 'src/x '));
    assert.match((await call(search)).result, /nobody can be asked/);
  });

  it('says which command of a line it refuses, asked or denied by a rule', async () => {
    const line = toolUse('Bash', { command: 'ls && touch made.txt' });
    const parts = /Of this line, `touch made\.txt` was refused; `ls` would run by itself\./;
    assert.match((await call(line)).result, parts);
    assert.match((await call(line, '--disallowedTools', 'Bash(touch:*)')).result, parts);
    assert.equal(made(), false);
  });

  it('say where the settings ask for a sandbox that is not there, and hold as without one', async () => {
    // Of the installation only the runner is there, not the file that holds the sandbox.
    await settings(userFile(), { sandbox: { enabled: true } });
    const { end, result } = await call(touch);
    assert.match(end.stderr, /Commands run without a sandbox, by the ordinary rules\. The sandbox cannot start here: /);
    assert.match(result, /nobody can be asked/);
    assert.equal(made(), false);
  });

  it('keep commands within the limits of a settings file', async () => {
    const limits = (env: Record<string, string>) => settings(userFile(), { env, permissions: { allow: ['Bash'] } });
    await limits({ BASH_MAX_OUTPUT_LENGTH: '500' });
    const long = await call(toolUse('Bash', { command: 'seq 1 400' }, 'toolu_seq'));
    assert.match(long.result, /lines left out here; all 1KB of it are in/);
    // Not above: on a busy machine the start of a shell alone may take this long.
    await limits({ BASH_DEFAULT_TIMEOUT_MS: '700' });
    const slow = await call(toolUse('Bash', { command: 'sleep 47.5' }, 'toolu_sleep'));
    assert.match(slow.result, /did not finish within 700 ms \(timeout counts milliseconds\) and was killed/);
    await settings(userFile(), { env: { BASH_MAX_TIMEOUT_MS: 'long' } });
    const { end } = await call(touch);
    assert.equal(end.code, 1);
    assert.match(end.stderr, /BASH_MAX_TIMEOUT_MS takes a whole number from 1, not "long"/);
  });

  it('the rule that it names allows the call', async () => {
    const { result } = await call(touch);
    const rule = /--allowedTools "([^"]+)"/.exec(JSON.parse(result) as string)?.[1] ?? assert.fail(result);
    await call(touch, '--allowedTools', rule);
    assert.equal(made(), true);
  });

  it('for an edit it names the mode too, which allows it', async () => {
    const { result } = await call(write('new.txt'));
    assert.match(result, /--permission-mode acceptEdits/);
    await call(write('new.txt'), '--permission-mode', 'acceptEdits');
    assert.equal(await readFile(path.join(place.workspace, 'new.txt'), 'utf8'), 'text\n');
  });

  it('--disallowedTools wins over everything, and a bare name takes the tool away', async () => {
    const { result } = await call(
      touch,
      '--permission-mode',
      'bypassPermissions',
      '--disallowedTools',
      'Bash(touch *)',
    );
    assert.match(result, /Permission denied/);
    assert.equal(made(), false);
    await call(touch, '--disallowedTools', 'Bash', 'Web*');
    const tools = (server.requests.at(-1)?.body['tools'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(tools, [
      'Read',
      'Edit',
      'Write',
      'NotebookEdit',
      'Glob',
      'Grep',
      'Agent',
      'SendMessage',
      'TaskStop',
      'TaskOutput',
      'TaskCreate',
      'TaskUpdate',
      'TaskGet',
      'TaskList',
      'Sleep',
      'Skill',
      'ToolSearch',
    ]);
  });

  it('plan mode changes nothing', async () => {
    await call(write('new.txt'), '--permission-mode', 'plan', '--allowedTools', 'Write', 'Edit');
    assert.equal(existsSync(path.join(place.workspace, 'new.txt')), false);
  });

  it('allow rules of the project count only where --settings names the file; its deny rules always do', async () => {
    await settings(projectFile(), {
      permissions: { allow: ['Bash(touch *)'], deny: ['Write'], defaultMode: 'bypassPermissions' },
    });
    await call(touch);
    assert.equal(made(), false);
    const { result } = await call(write('new.txt'), '--permission-mode', 'acceptEdits');
    assert.match(result, /Permission denied|No such tool/);
    await call(touch, '--settings', '.claude/settings.json');
    assert.equal(made(), true);
  });

  it("the user's own rules and mode count", async () => {
    await settings(userFile(), { permissions: { allow: ['Bash(touch *)'], defaultMode: 'acceptEdits' } });
    await call(touch);
    assert.equal(made(), true);
    await call(write('new.txt'));
    assert.equal(existsSync(path.join(place.workspace, 'new.txt')), true);
  });

  it('CLAUDE_CONFIG_DIR moves them', async () => {
    const folder = path.join(place.home, 'elsewhere');
    await settings(path.join(folder, 'settings.json'), { permissions: { deny: ['Bash'] } });
    server.setScript([reply('Done.')]);
    await place.run(['-p', 'Go'], { url: server.url, env: { CLAUDE_CONFIG_DIR: folder } });
    assert.ok((server.requests[0]?.body['tools'] as { name: string }[]).every(({ name }) => name !== 'Bash'));
  });

  it('--settings takes JSON, its environment reaches commands, the key does not', async () => {
    const given = JSON.stringify({ permissions: { allow: ['Bash'] }, env: { FLAVOUR: 'lemon' } });
    const { result } = await call(
      toolUse('Bash', { command: 'echo "$FLAVOUR,$ANTHROPIC_API_KEY."' }),
      '--settings',
      given,
    );
    assert.match(result, /lemon,\./);
  });

  it('--add-dir is a folder to work in', async () => {
    const other = path.join(place.home, 'library');
    await mkdir(other);
    const block = toolUse('Write', { file_path: path.join(other, 'x.txt'), content: 'x' });
    await call(block, '--permission-mode', 'acceptEdits');
    assert.equal(existsSync(path.join(other, 'x.txt')), false);
    await call(block, '--permission-mode', 'acceptEdits', '--add-dir', other);
    assert.equal(existsSync(path.join(other, 'x.txt')), true);
  });

  it('a project file that does not parse is named with its place, and only reading is left', async () => {
    await settings(projectFile(), '{\n  "permissions": {\n    "deny": ["Bash"\n  }\n}\n');
    const { end, result } = await call(touch, '--permission-mode', 'bypassPermissions');
    assert.match(end.stderr, /\.claude\/settings\.json, line \d+, column \d+: The file is not valid JSON/);
    assert.match(result, /cannot be read|No such tool/);
    assert.equal(made(), false);
    const read = await call(toolUse('Read', { file_path: projectFile() }));
    assert.match(read.result, /permissions/);
  });

  it('a broken --settings, a missing one and a rule that is none end the run before it starts', async () => {
    await settings(path.join(place.workspace, 'bad.json'), '{"permissions": }');
    const bad = await place.run(['-p', 'Go', '--settings', 'bad.json'], { url: server.url });
    assert.deepEqual([bad.code, bad.stdout], [1, '']);
    assert.match(bad.stderr, /^deft: \S*bad\.json, line 1, column 17: The file is not valid JSON[^\n]*\n$/);
    const inline = await place.run(['-p', 'Go', '--settings', '{"permissions": {"deny": 7}}'], { url: server.url });
    assert.match(inline.stderr, /^deft: --settings, line 1, column \d+: [^\n]*must be a list/);
    const missing = await place.run(['-p', 'Go', '--settings', 'none.json'], { url: server.url });
    assert.match(missing.stderr, /^deft: --settings: \S*none\.json does not exist\.\n$/);
    const rule = await place.run(['-p', 'Go', '--allowedTools=Bash(rm'], { url: server.url });
    assert.match(rule.stderr, /^deft: --allowedTools: "Bash\(rm" is not a rule\.[^\n]*\n$/);
    assert.equal(server.requests.length, 0);
    assert.equal(existsSync(place.sessions), false);
  });

  it('a mode that a settings file switches off is refused, asked for or written as the default', async () => {
    const refused = async (mode: string, key: string, ...args: string[]): Promise<void> => {
      const end = await place.run(['-p', 'Go', ...args], { url: server.url });
      assert.deepEqual(
        [end.code, end.stdout, end.stderr],
        [1, '', `deft: The permission mode ${mode} is switched off by a settings file (${key}).\n`],
      );
    };
    await settings(userFile(), {
      permissions: { disableBypassPermissionsMode: 'disable' },
      disableAutoMode: 'disable',
    });
    await refused('bypassPermissions', 'disableBypassPermissionsMode', '--permission-mode', 'bypassPermissions');
    await refused('auto', 'disableAutoMode', '--permission-mode', 'auto');
    await refused(
      'bypassPermissions',
      'disableBypassPermissionsMode',
      '--settings',
      '{"permissions": {"defaultMode": "bypassPermissions"}}',
    );
    await refused('auto', 'disableAutoMode', '--settings', '{"permissions": {"defaultMode": "auto"}}');
    assert.equal(server.requests.length, 0);
    assert.equal(existsSync(place.sessions), false);
    // What only forbids counts from a project's file too.
    await settings(userFile(), {});
    await settings(projectFile(), { disableAutoMode: 'disable' });
    await refused('auto', 'disableAutoMode', '--permission-mode', 'auto');
  });

  it("the user's own files choose model, effort, language and limits; the project's do not", async () => {
    const mine = {
      model: 'sonnet',
      effortLevel: 'low',
      alwaysThinkingEnabled: false,
      language: 'German',
      attribution: { commit: 'By us and a tool' },
      includeCoAuthoredBy: false,
      includeGitInstructions: false,
      env: {
        DISABLE_PROMPT_CACHING: '1',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4321',
        CLAUDE_CODE_EXTRA_BODY: '{"metadata":{"user_id":"mine"}}',
      },
    };
    await settings(userFile(), mine);
    await settings(projectFile(), {
      model: 'theirs',
      language: 'Latin',
      attribution: { commit: 'By them' },
      env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1' },
    });
    server.setScript([reply('Done.')]);
    await place.run(['-p', 'Go'], { url: server.url, env: { ANTHROPIC_MODEL: 'from-the-environment' } });
    const body = server.requests[0]?.body ?? {};
    assert.deepEqual(
      [body['model'], body['output_config'], body['max_tokens'], body['metadata']],
      ['claude-sonnet-5-5', { effort: 'low' }, 4321, { user_id: 'mine' }],
    );
    assert.match(JSON.stringify(body['system']), /Write your answers to the user in German\./);
    assert.match(
      JSON.stringify(body['system']),
      /End each commit message .*By us and a tool.*Put no line into a description of a pull request/,
    );
    assert.doesNotMatch(JSON.stringify(body), /By them|force-push/);
    assert.deepEqual(body['thinking'], { type: 'between_tools' });
    assert.doesNotMatch(JSON.stringify(body), /cache_control/);
  });

  it("an address and a key under `env` of the user's file are used, and no command sees the key", async () => {
    await settings(userFile(), {
      env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-from-the-settings-file' },
      permissions: { allow: ['Bash'] },
    });
    await settings(projectFile(), { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' } });
    server.setScript([reply(toolUse('Bash', { command: 'echo "[$ANTHROPIC_API_KEY]"' })), reply('Done.')]);
    const end = await place.run(['-p', 'Go'], { env: { ANTHROPIC_API_KEY: '' } });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(server.requests[0]?.headers['x-api-key'], 'sk-from-the-settings-file');
    assert.match(JSON.stringify(server.requests[1]?.body['messages']), /\[\]/);
    assert.match(end.stderr, /`env\.ANTHROPIC_BASE_URL` is ignored in a project's file/);
  });

  it('a settings file of the main checkout that is a folder leaves only reading allowed', async () => {
    await mkdir(projectFile(), { recursive: true });
    const { end } = await call(touch, '--allowedTools', 'Bash');
    assert.equal(made(), false);
    assert.match(end.stderr, /settings\.json, line 1, column 1: .* is a folder, not a file/);
  });
});
