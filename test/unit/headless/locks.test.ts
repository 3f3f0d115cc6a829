// Locks of settings files in the built runner: each in an organization's file, in the user's and in a project's, by its effect.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ControlProgram, startControlProgram } from '../../support/control-program';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { type ManagedFiles, managedFiles } from '../../support/managed-files';
import { oddServer } from '../../support/mcp/run-servers';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { wholePlugin, writeFolder } from '../../support/plugin-folders';

type Settings = Record<string, unknown>;
type Source = 'managed' | 'user' | 'project';
const sources: readonly Source[] = ['managed', 'user', 'project'];

describe('headless locks', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let managed: ManagedFiles;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  beforeEach(async () => {
    managed = await managedFiles(place);
  });

  const files: Record<Source, Settings> = { managed: {}, user: {}, project: {} };
  beforeEach(() => sources.forEach((source) => (files[source] = {})));

  /** The settings of all three, as they are now. */
  async function run(...args: string[]): Promise<HeadlessEnd> {
    await managed.write('managed-settings.json', JSON.stringify(files.managed));
    for (const [folder, settings] of [
      [place.home, files.user],
      [place.workspace, files.project],
    ] as const)
      await writeFolder(folder, { '.claude/settings.json': settings });
    return place.run(['-p', 'Go', '--output-format', 'stream-json', '--trust-project', ...args], {
      url: server.url,
      env: managed.env,
    });
  }

  const there = (name: string): boolean => existsSync(path.join(place.workspace, name));
  const touches = (name: string) => ({ hooks: [{ type: 'command', command: `touch "$CLAUDE_PROJECT_DIR/${name}"` }] });
  const init = ({ stdout }: HeadlessEnd): Settings =>
    jsonLines(stdout).find(({ subtype }) => subtype === 'init') ?? assert.fail(stdout);
  const saysMisplaced = ({ stderr }: HeadlessEnd, key: string): void =>
    assert.match(stderr, new RegExp(`\`${key}\` has no effect here: it counts only in your organization's managed`));

  interface Row {
    key: string;
    value: unknown;
    /** What the lock is about, in the files of everybody. */
    prepare(): Promise<unknown> | void;
    args?: string[];
    script?: Parameters<MessagesApi['setScript']>[0];
    /** True where the lock holds. */
    holds(end: HeadlessEnd): boolean | Promise<boolean>;
  }

  const rows: Row[] = [
    {
      key: 'allowManagedPermissionRulesOnly',
      value: true,
      prepare() {
        files.user['permissions'] = { allow: ['Bash(touch made.txt)'] };
      },
      script: [reply(toolUse('Bash', { command: 'touch made.txt' }, 't1')), reply('Done.')],
      holds: () => !there('made.txt'),
    },
    {
      key: 'allowManagedHooksOnly',
      value: true,
      prepare() {
        files.user['hooks'] = { UserPromptSubmit: [touches('of-user')] };
        files.managed['hooks'] = { UserPromptSubmit: [touches('of-organization')] };
      },
      holds() {
        assert.ok(there('of-organization'), "the organization's hook runs either way");
        return !there('of-user');
      },
    },
    {
      key: 'allowManagedMcpServersOnly',
      value: true,
      async prepare() {
        files.managed['allowedMcpServers'] = [{ serverName: 'other' }];
        files.user['allowedMcpServers'] = [{ serverName: 'odd' }];
        await writeFolder(place.home, { '.claude.json': { mcpServers: { odd: oddServer('plain') } } });
      },
      holds: (end) => !JSON.stringify(init(end)['mcp_servers']).includes('connected'),
    },
    {
      key: 'strictPluginOnlyCustomization',
      value: ['skills', 'a kind of tomorrow'],
      prepare: () => writeFolder(place.home, { '.claude/skills/own/SKILL.md': '---\ndescription: Own\n---\nOwn.' }),
      holds: (end) => !(init(end)['slash_commands'] as string[]).includes('own'),
    },
    {
      key: 'strictPluginOnlyCustomization',
      value: ['agents'],
      prepare: () =>
        writeFolder(place.home, { '.claude/agents/own.md': '---\nname: own\ndescription: Own one\n---\nOwn.' }),
      holds: () => !JSON.stringify(server.requests[0]?.body).includes('Own one'),
    },
    {
      key: 'strictPluginOnlyCustomization',
      value: ['hooks'],
      prepare() {
        files.user['hooks'] = { UserPromptSubmit: [touches('of-user')] };
      },
      holds: () => !there('of-user'),
    },
    {
      key: 'strictPluginOnlyCustomization',
      value: true,
      prepare: () => writeFolder(place.home, { '.claude.json': { mcpServers: { odd: oddServer('plain') } } }),
      holds: (end) => !JSON.stringify(init(end)['mcp_servers']).includes('connected'),
    },
    {
      key: 'disableSideloadFlags',
      value: true,
      prepare: () => undefined,
      args: ['--agents', '{"own":{"description":"d","prompt":"p"}}'],
      holds({ code, stderr }) {
        if (code === 1) assert.match(stderr, /do not allow --agents \(disableSideloadFlags\)/);
        return code === 1;
      },
    },
  ];

  for (const { key, value, prepare, args = [], script = [reply('Done.')], holds } of rows)
    for (const source of sources)
      it(`${key}: ${JSON.stringify(value)} in the file of the ${source}`, async () => {
        await prepare();
        files[source][key] = value;
        server.setScript(script);
        const end = await run(...args);
        assert.equal(await holds(end), source === 'managed', end.stderr);
        if (source !== 'managed') saysMisplaced(end, key);
      });

  it("where only an organization's rules count, a flag still forbids, but allows nothing, and a mistake opens nothing", async () => {
    files.managed = { allowManagedPermissionRulesOnly: 'yes', permissions: { allow: ['Bash(touch *)'] } };
    server.setScript([
      reply(toolUse('Bash', { command: 'touch made.txt' }, 't1'), toolUse('Bash', { command: 'mkdir made' }, 't2')),
      reply('Done.'),
    ]);
    const end = await run('--allowedTools', 'Bash(mkdir *)', '--disallowedTools', 'Bash(touch made.txt)');
    const results = JSON.stringify(server.requests[1]?.body);
    assert.match(results, /Only your organization's rules count here, and none of them permits it/);
    assert.doesNotMatch(results, /--allowedTools/);
    assert.match(end.stderr, /--allowedTools is ignored: only the rules of your organization allow anything here/);
    assert.match(end.stderr, /`allowManagedPermissionRulesOnly` has the wrong shape.*it counts as `true`/);
    assert.deepEqual([there('made.txt'), there('made')], [false, false]);
  });

  it('hooks of a plugin run under allowManagedHooksOnly only where the organization switches the plugin on', async () => {
    const root = await writeFolder(
      path.join(path.dirname(place.workspace), 'shout'),
      wholePlugin({ odd: oddServer('plain') }),
    );
    for (const [enabledPlugins, ran] of [
      [{}, false],
      [{ 'shout@inline': true }, true],
    ] as const) {
      files.managed = { allowManagedHooksOnly: true, enabledPlugins };
      server.setScript([reply('Done.')]);
      const first = server.requests.length;
      const end = await run('--plugin-dir', root);
      assert.equal(end.code, 0, end.stderr);
      assert.equal(JSON.stringify(server.requests[first]?.body).includes('The hook of the plugin ran.'), ran);
      assert.equal(end.stderr.includes("your organization's settings let only its own run"), !ran);
    }
  });

  it("of all MCP servers only those in an organization's managed-mcp.json are used, by agents too", async () => {
    const odd = { mcpServers: { odd: oddServer('plain') } };
    const root = await writeFolder(path.join(path.dirname(place.workspace), 'shout'), wholePlugin(odd.mcpServers));
    const names = (end: HeadlessEnd) => (init(end)['mcp_servers'] as { name: string }[]).map(({ name }) => name).sort();
    await writeFolder(place.home, {
      '.claude.json': odd,
      '.claude/agents/own.md': `---\nname: own\ndescription: Own\nmcpServers: [${JSON.stringify({ inner: oddServer('plain') })}]\n---\nOwn.`,
    });
    const own = ['--plugin-dir', root, '--mcp-config', JSON.stringify({ mcpServers: { flag: oddServer('plain') } })];
    const script = [
      reply(toolUse('Agent', { description: 'Own', prompt: 'Go', subagent_type: 'own' }, 'a1')),
      reply('Own done.'),
      reply('Done.'),
    ];
    const ofAgent = (from: number): boolean =>
      JSON.stringify(server.requests.slice(from).map(({ body }) => body)).includes('mcp__inner__');
    server.setScript(script);
    assert.deepEqual(names(await run(...own)), ['flag', 'odd', 'plugin:shout:odd']);
    assert.ok(ofAgent(0));
    for (const [text, used] of [
      [JSON.stringify({ mcpServers: { firm: oddServer('plain') } }), ['firm']],
      ['not JSON', []],
    ] as const) {
      await managed.write('managed-mcp.json', text);
      server.setScript(script);
      const from = server.requests.length;
      const end = await run(...own);
      assert.deepEqual(names(end), used, end.stderr);
      assert.match(end.stderr, /--mcp-config is ignored\. Only the MCP servers in .*managed-mcp\.json are used/);
      assert.ok(!ofAgent(from));
    }
  });

  describe('a program that runs Deft', () => {
    let programs: ControlProgram[] = [];
    afterEach(() => {
      for (const { run: started } of programs) started.child.kill('SIGKILL');
      programs = [];
    });
    /** With the settings as they are now; the first line is `initialize`. */
    const driven = async (fields: Settings): Promise<ControlProgram> => {
      await managed.write('managed-settings.json', JSON.stringify(files.managed));
      const program = startControlProgram(place, { url: server.url, env: managed.env });
      programs.push(program);
      program.send({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize', ...fields } });
      return program;
    };
    const mine: [field: string, value: unknown][] = [
      ['sdkMcpServers', ['mine']],
      ['mcpServers', { mine: oddServer('plain') }],
    ];
    const statuses = async (program: ControlProgram): Promise<unknown[]> => {
      const { response } = await program.request({ subtype: 'mcp_status' });
      return (response as { mcpServers: { name: string }[] }).mcpServers.map(({ name }) => name);
    };

    for (const [field, value] of mine)
      it(`adds no ${field} to those of a managed-mcp.json, and is told so`, async () => {
        await managed.write('managed-mcp.json', JSON.stringify({ mcpServers: { firm: oddServer('plain') } }));
        server.setScript([reply('Done.')]);
        const program = await driven({ [field]: value });
        program.say('Go');
        await program.next(({ type }) => type === 'result');
        assert.deepEqual(await statuses(program), ['firm']);
        for (const servers of [{ mine: { type: 'sdk', name: 'mine' } }, { mine: oddServer('plain') }]) {
          const { subtype, error } = await program.request({ subtype: 'mcp_set_servers', servers });
          assert.equal(subtype, 'error');
          assert.match(String(error), /of the program that runs Deft are ignored \(mine\)\. Only the MCP servers in/);
        }
        assert.deepEqual(await statuses(program), ['firm']);
        const { stderr } = await program.close();
        if (field === 'sdkMcpServers') assert.match(stderr, /are ignored \(mine\)\. Only the MCP servers in/);
        else assert.match(stderr, /--mcp-config is ignored\. Only the MCP servers in/);
        assert.doesNotMatch(JSON.stringify(server.requests), /mcp__mine__/);
      });

    for (const [field, value] of [
      ...mine,
      ['agents', { own: { description: 'd', prompt: 'p' } }],
      ['plugins', [{ type: 'local', path: '/nowhere' }]],
    ] as typeof mine)
      it(`starts nothing with ${field} under disableSideloadFlags`, async () => {
        files.managed = { disableSideloadFlags: true };
        const program = await driven({ [field]: value });
        const { errors } = (await program.next(({ type }) => type === 'result')) as { errors?: string[] };
        assert.match(String(errors?.[0]), /Your organization's settings do not allow .*\(disableSideloadFlags\)/);
        assert.equal(server.requests.length, 0);
      });

    it('names no servers later either, under disableSideloadFlags', async () => {
      files.managed = { disableSideloadFlags: true };
      server.setScript([reply('Done.')]);
      const program = await driven({});
      program.say('Go');
      await program.next(({ type }) => type === 'result');
      const { error } = await program.request({
        subtype: 'mcp_set_servers',
        servers: { mine: { type: 'sdk', name: 'mine' } },
      });
      assert.match(String(error), /do not allow MCP servers of the program.*\(disableSideloadFlags\)/);
      assert.equal((await program.request({ subtype: 'mcp_set_servers', servers: {} }))['subtype'], 'success');
      assert.deepEqual(await statuses(program), []);
    });

    it('names only servers that allowedMcpServers names', async () => {
      files.managed = { allowedMcpServers: [{ serverName: 'other' }], allowManagedMcpServersOnly: true };
      server.setScript([reply('Done.')]);
      const program = await driven({ sdkMcpServers: ['mine'] });
      program.say('Go');
      await program.next(({ type }) => type === 'result');
      const { response } = await program.request({ subtype: 'mcp_status' });
      assert.match(JSON.stringify(response), /"name":"mine","status":"disabled"/);
      const toggled = { subtype: 'mcp_toggle', serverName: 'mine', enabled: true };
      assert.match(String((await program.request(toggled))['error']), /^The MCP server mine stays off: .*allowedMcp/);
    });
  });

  it('disableBundledSkills in any file takes away the skills that come with Deft', async () => {
    for (const source of sources) {
      sources.forEach((one) => (files[one] = {}));
      server.setScript([reply('Done.'), reply('Done.')]);
      assert.ok((init(await run())['slash_commands'] as string[]).includes('code-review'));
      files[source] = { disableBundledSkills: true };
      const end = await run();
      assert.ok(!(init(end)['slash_commands'] as string[]).includes('code-review'), source);
      assert.doesNotMatch(end.stderr, /disableBundledSkills/);
    }
  });

  it("what hooks grant holds no longer than an organization's rules let it, and the run says so", async () => {
    const grant = {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: {
          behavior: 'allow',
          updatedPermissions: ['session', 'userSettings'].map((destination) => ({
            type: 'addRules',
            behavior: 'allow',
            rules: [{ toolName: 'Bash', ruleContent: `touch ${destination}.txt` }],
            destination,
          })),
        },
      },
    };
    files.managed = {
      allowManagedPermissionRulesOnly: true,
      hooks: {
        PermissionRequest: [
          { matcher: 'Write', hooks: [{ type: 'command', command: `echo '${JSON.stringify(grant)}'` }] },
        ],
      },
    };
    const calls = [
      toolUse('Write', { file_path: path.join(place.workspace, 'written.txt'), content: 'x' }, 'w1'),
      toolUse('Bash', { command: 'touch session.txt' }, 'b1'),
      toolUse('Bash', { command: 'touch userSettings.txt' }, 'b2'),
    ];
    server.setScript([...calls.map((call) => reply(call)), reply('Done.')]);
    const end = await run();
    assert.deepEqual(
      ['written.txt', 'session.txt', 'userSettings.txt'].map(there),
      [true, false, false],
      JSON.stringify(server.requests.at(-1)?.body),
    );
    for (const name of ['session', 'userSettings'])
      assert.ok(
        end.stderr.includes(
          `\`Bash(touch ${name}.txt)\` was not added: only your organization's rules may allow anything here`,
        ),
        end.stderr,
      );
    assert.doesNotMatch(end.stderr, /holds for this session/);
  });

  const stopping: Settings = {
    requiredMinimumVersion: '2.1.150',
    requiredMaximumVersion: '9',
    forceLoginMethod: 'claudeai',
    forceLoginOrgUUID: [],
    forceLoginGatewayUrl: 'https://gateway.example.com',
    forceRemoteSettingsRefresh: true,
    policyHelper: { path: '/usr/local/bin/policy' },
    allowedProviders: ['bedrock'],
    deniedModels: ['opus'],
  };

  for (const [key, value] of Object.entries(stopping))
    it(`${key} of an organization stops the start with its file and its name`, async () => {
      files.managed = { [key]: value };
      const end = await run();
      assert.equal(end.code, 1);
      assert.ok(end.stderr.includes(`\`${key}\` in ${managed.file}, line 1: `), end.stderr);
      assert.deepEqual(server.requests, []);
    });

  it('they stop nobody in the files of others, whom the run tells', async () => {
    files.user = stopping;
    files.project = stopping;
    server.setScript([reply('Done.')]);
    const end = await run();
    assert.equal(end.code, 0, end.stderr);
    for (const key of Object.keys(stopping)) saysMisplaced(end, key);
  });

  it('they stop nobody where they lock nothing, or where the organization accepts that Deft cannot hold them', async () => {
    files.managed = {
      requiredMinimumVersion: 'newest',
      forceRemoteSettingsRefresh: false,
      deniedModels: [],
      forceLoginMethod: 'console',
      acceptUnsupportedLocks: ['forceLoginMethod'],
    };
    server.setScript([reply('Done.')]);
    const end = await run();
    assert.equal(end.code, 0, end.stderr);
    // A user accepts nothing in its place.
    files.managed = { forceLoginMethod: 'console' };
    files.user = { acceptUnsupportedLocks: ['forceLoginMethod'] };
    assert.equal((await run()).code, 1);
  });

  for (const source of sources)
    it(`a sandbox that the file of the ${source} requires and that is not there stops the start`, async () => {
      files[source] = { sandbox: { enabled: true, failIfUnavailable: true } };
      // Of the installation only the runner is there, not the file that holds the sandbox.
      const end = await run();
      assert.equal(end.code, 1);
      assert.match(
        end.stderr,
        /Deft does not start without a sandbox \(`sandbox\.failIfUnavailable` in .*settings\.json\)/,
      );
      assert.deepEqual(server.requests, []);
    });

  for (const source of sources)
    for (const [key, settings, mode] of [
      [
        'disableBypassPermissionsMode',
        { permissions: { disableBypassPermissionsMode: 'disable' } },
        'bypassPermissions',
      ],
      ['disableAutoMode', { disableAutoMode: 'disable' }, 'auto'],
      ['disableAutoMode', { permissions: { disableAutoMode: 'disable' } }, 'auto'],
    ] as const)
      it(`${key} (${Object.keys(settings).join('')}) in the file of the ${source} refuses the mode`, async () => {
        files[source] = settings;
        const end = await run('--permission-mode', mode);
        assert.equal(end.code, 1);
        assert.match(end.stderr, new RegExp(`switched off by a settings file \\(${key}\\)`));
      });

  it("an organization's availableModels holds against a flag and against the user's list, a broken one too", async () => {
    for (const list of [['sonnet'], 'opus']) {
      files.managed = { availableModels: list };
      files.user = { availableModels: ['opus'] };
      const end = await run('--model', 'opus');
      assert.equal(end.code, 1);
      assert.match(end.stderr, /availableModels allows (?:only sonnet|none)/);
    }
  });

  it("an organization's availableModels holds where a variable gives a short name to another line", async () => {
    files.managed = { availableModels: ['opus'] };
    files.user = { model: 'opus', env: { ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-sonnet-5' } };
    const refused = await run();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /The model claude-sonnet-5 may not be used here.*allows only opus/);
    files.user = { env: { CLAUDE_CODE_EXTRA_BODY: '{"model":"claude-sonnet-5"}' } };
    assert.match((await run()).stderr, /CLAUDE_CODE_EXTRA_BODY cannot choose the model/);
    assert.equal(server.requests.length, 0);
    // A gateway has names of its own.
    files.user = { model: 'opus', env: { ANTHROPIC_DEFAULT_OPUS_MODEL: 'firm-large' } };
    server.setScript([reply('Done.')]);
    const end = await run();
    assert.deepEqual([end.code, server.requests[0]?.body['model']], [0, 'firm-large'], end.stderr);
  });

  it('what agents, skills and hooks name runs on no model that availableModels leaves out', async () => {
    files.managed = { availableModels: ['opus'] };
    files.user = {
      hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?', model: 'claude-sonnet-4-5' }] }] },
      permissions: { allow: ['WebFetch'] },
    };
    await writeFolder(place.home, {
      '.claude/agents/own.md': '---\nname: own\ndescription: Own one\nmodel: haiku\n---\nOwn.',
      '.claude/skills/quick/SKILL.md': '---\ndescription: Quick\nmodel: sonnet\n---\nBe quick.',
    });
    server.setScript([
      reply(toolUse('Agent', { description: 'Own', prompt: 'Go', subagent_type: 'own' }, 'a1')),
      reply('Own done.'),
      reply(toolUse('Skill', { skill: 'quick' }, 's1')),
      reply('Done.'),
      reply('{"ok":true,"reason":"Done."}'),
    ]);
    const end = await run();
    assert.equal(end.code, 0, end.stderr);
    const models = server.requests.map(({ body }) => String(body['model']));
    assert.deepEqual([models.length, models.filter((model) => !model.includes('opus'))], [5, []]);
  });

  it('keys that nobody knows are named with what may be meant, and those of other programs are not', async () => {
    files.user = {
      $schema: 'x',
      theme: 'dark',
      modle: 'opus',
      defaultMode: 'plan',
      permissions: { alow: ['Bash'] },
      sandbox: { network: { allowedDomain: [] }, ripgrep: {} },
    };
    server.setScript([reply('Done.')]);
    const { stderr } = await run();
    for (const [key, meant] of [
      ['modle', 'model'],
      ['defaultMode', 'permissions.defaultMode'],
      ['permissions.alow', 'permissions.allow'],
      ['sandbox.network.allowedDomain', 'sandbox.network.allowedDomains'],
    ])
      assert.ok(stderr.includes(`Deft does not know the key \`${key}\`. Did you mean \`${meant}\`?`), stderr);
    assert.doesNotMatch(stderr, /theme|ripgrep|schema/);
  });
});
