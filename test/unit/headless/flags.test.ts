// Options of the command line through the built runner: what each changes in the request, on the disk or on standard error, and lists in all their forms.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { writeFolder } from '../../support/plugin-folders';
import { oddServer } from '../../support/mcp/run-servers';

describe('options of the command line', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const file = (name: string): string => path.join(place.workspace, name);
  const played = async (...args: string[]): Promise<HeadlessEnd> => {
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', 'Hi', ...args], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    return end;
  };
  const body = (): Record<string, unknown> => server.requests.at(-1)?.body ?? {};
  const system = (): string => JSON.stringify(body()['system']);
  const messages = (): string => JSON.stringify(body()['messages']);
  const tools = (): string[] => ((body()['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
  const has = (...names: string[]): boolean[] => names.map((name) => tools().includes(name));

  it('texts of the system prompt come from files too', async () => {
    await writeFile(file('whole.md'), 'You are a pirate.');
    await writeFile(file('more.md'), 'Speak softly.');
    await played('--system-prompt-file', 'whole.md', '--append-system-prompt-file', 'more.md');
    assert.match(system(), /You are a pirate\.[\s\S]*Speak softly\./);
    assert.doesNotMatch(system(), /You are Deft/);
    await played('--append-system-prompt', 'And be brief.');
    assert.match(system(), /You are Deft[\s\S]*And be brief\./);
    await played('--system-prompt', '');
    assert.doesNotMatch(system(), /You are/);
  });

  for (const [form, ...args] of [
    ['a b', '--disallowedTools', 'Bash', 'write_file'],
    ['a,b', '--disallowed-tools', 'Bash,Write'],
    ['repeated', '--disallowedTools', 'Bash', '--disallowed-tools', 'Write'],
    ['before the prompt', '--disallowedTools', 'Bash', 'Write', '--verbose'],
  ] as const)
    it(`--disallowedTools takes ${form}`, async () => {
      await played(...args);
      assert.deepEqual(has('Bash', 'Write', 'Read'), [false, false, true]);
    });

  for (const [form, ...args] of [
    ['a b', '--tools', 'Read', 'Glob'],
    ['a,b', '--tools', 'Read,Glob'],
    ['repeated', '--tools', 'Read', '--tools', 'Glob'],
  ] as const)
    it(`--tools takes ${form}`, async () => {
      await played(...args);
      assert.deepEqual(tools().sort(), ['Glob', 'Read']);
    });

  for (const [form, ...args] of [
    ['a b', '--allowedTools', 'Bash(touch one)', 'Bash(touch two)'],
    ['a,b', '--allowed-tools', 'Bash(touch one),Bash(touch two)'],
    ['repeated', '--allowedTools', 'Bash(touch one)', '--allowed-tools', 'Bash(touch two)'],
  ] as const)
    it(`--allowedTools takes ${form}`, async () => {
      const touch = (name: string) => toolUse('Bash', { command: `touch ${name}` }, `toolu_${name}`);
      server.setScript([reply(touch('one'), touch('two'), touch('three')), reply('Done.')]);
      const end = await place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url });
      const { permission_denials: denied } = JSON.parse(end.stdout) as {
        permission_denials: { tool_use_id: string }[];
      };
      assert.deepEqual(
        denied.map(({ tool_use_id: id }) => id),
        ['toolu_three'],
      );
    });

  it('--add-dir and --mcp-config take a b and are repeated; --strict-mcp-config leaves out all others', async () => {
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => mkdtemp(path.join(path.dirname(place.workspace), name))),
    );
    const config = async (name: string): Promise<string> => {
      await writeFile(file(`${name}.json`), JSON.stringify({ mcpServers: { [name]: oddServer('plain') } }));
      return file(`${name}.json`);
    };
    await writeFile(
      path.join(place.home, '.claude.json'),
      JSON.stringify({ mcpServers: { ofUser: oddServer('plain') } }),
    );
    const args = [
      ...['--add-dir', one, two, '--add-dir', three],
      ...['--mcp-config', await config('a'), await config('b'), '--mcp-config', await config('c')],
      ...['--output-format', 'stream-json'],
    ].map(String);
    const servers = ({ stdout }: HeadlessEnd): string[] =>
      (jsonLines(stdout)[0]?.['mcp_servers'] as { name: string }[]).map(({ name }) => name).sort();
    assert.deepEqual(servers(await played(...args)), ['a', 'b', 'c', 'ofUser']);
    for (const folder of [one, two, three]) assert.ok(messages().includes(String(folder)), String(folder));
    assert.deepEqual(servers(await played(...args, '--strict-mcp-config')), ['a', 'b', 'c']);
  });

  it('--managed-settings counts like an organization, and --settings does not go before it', async () => {
    const settings = JSON.stringify({ permissions: { deny: ['Bash'] }, disableBypassPermissionsMode: 'disable' });
    await played('--managed-settings', settings, '--settings', '{"permissions":{"allow":["Bash"]}}');
    assert.deepEqual(has('Bash', 'Read'), [false, true]);
  });

  it('--dangerously-skip-permissions asks nothing, and --allow-dangerously-skip-permissions alone changes nothing', async () => {
    const wrote = async (...args: string[]): Promise<unknown[]> => {
      server.setScript([reply(toolUse('Bash', { command: 'touch made' }, 'toolu_touch')), reply('Done.')]);
      const end = await place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url });
      return (JSON.parse(end.stdout) as { permission_denials: unknown[] }).permission_denials;
    };
    assert.equal((await wrote('--allow-dangerously-skip-permissions')).length, 1);
    assert.equal((await wrote('--dangerously-skip-permissions')).length, 0);
  });

  it("--bare reads nobody's files, --disable-slash-commands takes no commands", async () => {
    await writeFile(file('CLAUDE.md'), 'memory of the project');
    await mkdir(path.join(place.home, '.claude/skills/greet'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/skills/greet/SKILL.md'), '---\ndescription: Greets.\n---\nSay hi.');
    await played();
    assert.match(messages(), /memory of the project[\s\S]*greet|greet[\s\S]*memory of the project/);
    await played('--bare');
    assert.doesNotMatch(messages(), /memory of the project|greet/);
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', '/cost', '--disable-slash-commands'], { url: server.url });
    assert.deepEqual([end.code, end.stdout], [0, 'Hello.\n']);
    assert.match(messages(), /"\/cost"/);
  });

  it('--plugin-dir-no-mcp leaves out the servers of a plugin, and nothing else', async () => {
    const root = await writeFolder(path.join(path.dirname(place.workspace), 'shout'), {
      '.claude-plugin/plugin.json': { name: 'shout' },
      'commands/loud.md': 'Shout.\n',
      '.mcp.json': { mcpServers: { own: oddServer('plain') } },
    });
    const facts = async (option: string): Promise<unknown[]> => {
      const [init] = jsonLines((await played(option, root, '--output-format', 'stream-json')).stdout);
      return [
        (init?.['slash_commands'] as string[]).includes('shout:loud'),
        (init?.['mcp_servers'] as unknown[]).length,
      ];
    };
    assert.deepEqual(await facts('--plugin-dir'), [true, 1]);
    assert.deepEqual(await facts('--plugin-dir-no-mcp'), [true, 0]);
  });

  it('what Deft does without is taken with one line each, and what is always on in silence', async () => {
    const silent = [
      ...['--verbose', '--include-hook-events', '--forward-subagent-text', '--await-initialize', '--no-chrome'],
      '--exclude-dynamic-system-prompt-sections',
    ];
    assert.equal((await played(...silent)).stderr, '');
    const { stderr } = await played(
      ...['--ide', '--chrome', '--task-budget', '1000', '--debug-file', 'x.log', '--debug=api'],
    );
    assert.deepEqual(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => /^deft: (--[a-z-]+) has no effect\. ./.exec(line)?.[1])
        .sort(),
      ['--chrome', '--debug', '--debug-file', '--ide', '--task-budget'],
    );
  });

  it('--version and --help say so and end; an option that there is not ends a run before it begins', async () => {
    assert.match((await place.run(['--version'])).stdout, /^\d+\.\d+\.\d+/);
    assert.match((await place.run(['-h'])).stdout, /--disallowedTools RULE/);
    const end = await place.run(['-p', 'Hi', '--disallowedtools', 'Bash'], { url: server.url });
    assert.deepEqual([end.code === 0, server.requests.length], [false, 0]);
    assert.match(end.stderr, /There is no option --disallowedtools\. Did you mean --disallowedTools\?/);
  });

  it('--name titles a session, --session-id names it, --resume takes either, and --continue the last', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    await played('--session-id', id, '--name', 'The first one');
    for (const args of [['--resume', 'The first one'], ['-r', id], ['--continue'], ['-c']]) {
      const end = await played(...args, '--output-format', 'json');
      assert.equal((JSON.parse(end.stdout) as { session_id: string }).session_id, id, args.join(' '));
    }
    const forked = await played('--resume', id, '--fork-session', '--output-format', 'json');
    assert.notEqual((JSON.parse(forked.stdout) as { session_id: string }).session_id, id);
  });

  it('--model, --effort, --max-thinking-tokens, --betas and --max-turns reach the request or the end', async () => {
    await played('--model', 'claude-opus-4-6', '--effort', 'low');
    assert.match(String(body()['model']), /opus-4-6/);
    assert.match(JSON.stringify(body()['output_config']), /low/);
    await played('--model', 'claude-haiku-4-5', '--max-thinking-tokens', '2048');
    assert.equal((body()['thinking'] as { budget_tokens: number }).budget_tokens, 2048);
    await played('--betas', 'one-2025-01-01', 'two-2025-01-01');
    const sent = String(server.requests.at(-1)?.headers['anthropic-beta']);
    assert.deepEqual([sent.includes('one-2025-01-01'), sent.includes('two-2025-01-01')], [true, true]);
    server.setScript([reply(toolUse('Glob', { pattern: '*' })), reply('Never.')]);
    const end = await place.run(['-p', 'Go', '--max-turns', '1', '--output-format', 'json'], { url: server.url });
    assert.equal((JSON.parse(end.stdout) as { subtype: string }).subtype, 'error_max_turns');
  });
});
