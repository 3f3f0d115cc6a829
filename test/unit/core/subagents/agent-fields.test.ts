// What an agent's own file gives it: skills, notes from earlier tasks, servers, its first words, its effort.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { createSkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { type AgentHost } from '../../../../src/core/features/subagents/agent-host';
import { openAgentMemory } from '../../../../src/core/features/subagents/agent-memory';
import { loadAgents } from '../../../../src/core/subagents/load-agents';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { listMcpResourcesTool } from '../../../../src/core/tools/mcp/list-mcp-resources';
import { readTool } from '../../../../src/core/tools/read/read';
import { sendMessageTool } from '../../../../src/core/tools/agents/send-message';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import {
  type AgentHarness,
  type AgentHarnessOptions,
  createAgentHarness,
  definition,
} from '../../../support/agent-harness';
import { createMemoryFiles } from '../../../support/memory-files';
import { closeServers, never, openServers, referenceServer, settled } from '../../../support/mcp/run-servers';
import { delayed, reply, toolUse } from '../../../support/messages-api/script';
import { type McpServerConfig } from '../../../../src/core/ports/mcp';
import { featureOf } from '../../../support/feature-of';
import { subagents } from '../../../../src/core/features/subagents/subagents-key';

const call = (input: object = {}, id = 'a1') =>
  toolUse('Agent', { description: 'd', prompt: 'Do it', subagent_type: 'own', ...input }, id);
const steps = (...blocks: ReturnType<typeof toolUse>[]) => [...blocks.map((block) => reply(block)), reply('Report.')];

function start(
  own: Parameters<typeof definition>[1],
  more: Partial<AgentHarnessOptions> & { host?: Partial<AgentHost> } = {},
): AgentHarness {
  const { host, ...options } = more;
  const harness = createAgentHarness({
    main: [reply(call()), reply('Done.')],
    agents: { 'Do it': steps() },
    definitions: [definition('own', own)],
    tools: [agentTool, sendMessageTool, readTool, writeTool, bashTool, listMcpResourcesTool],
    ...options,
    ...defined({ host }),
  });
  return harness;
}
const asked = (harness: AgentHarness): ModelRequest[] =>
  harness.model.requests.filter(({ system }) => system[0]?.text.startsWith('You are own.') === true);
const results = (harness: AgentHarness): string => [...harness.transcripts.values()].flat().join('\n');

describe("an agent's own file", () => {
  it('gives it skills with its first task alone, and says which are not there', async () => {
    const files = createMemoryFiles({
      '/home/ann/.claude/skills/style/SKILL.md': '---\ndescription: d\ncontext: fork\n---\nUse tabs.\n',
      '/home/ann/.claude/skills/mine/SKILL.md':
        '---\ndescription: d\ndisable-model-invocation: true\n---\nSecret way.\n',
    });
    const catalogue = createSkillCatalogue({
      files,
      folders: () => [{ source: 'personal', path: '/home/ann/.claude', root: '/home/ann' }],
      workspace: () => ['/w'],
      trusted: () => true,
    });
    const harness = start(
      { skills: ['style', 'mine', 'gone'] },
      {
        files,
        session: { skills: { catalogue } },
        main: [
          reply(call({ name: 'one' })),
          reply(toolUse('SendMessage', { to: 'one', message: 'More' }, 's1')),
          reply('Done.'),
        ],
        agents: { 'Do it': [reply('Report.'), reply('More.')] },
      },
    );
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    await harness.run('Go');
    await ended;
    const [first, second] = asked(harness).map(({ messages }) => JSON.stringify(messages));
    assert.match(
      first ?? '',
      /Do it.*Use tabs\..*skill mine, which you should have been given, is for the user only.*skill gone, .* does not exist/,
    );
    assert.doesNotMatch(first ?? '', /Secret way/);
    assert.equal(second?.match(/Use tabs\./g)?.length, 1);
    assert.equal(harness.transcripts.size, 1, 'what forks elsewhere is only read here');
    assert.deepEqual(harness.model.violations, []);
  });

  it('has its effort with each request; its first words are for a main session', async () => {
    const harness = start({ initialPrompt: 'Look at the tests first.', effort: 'low' });
    await harness.run('Go');
    const [request] = asked(harness);
    assert.match(JSON.stringify(request?.messages), /Do it/);
    assert.doesNotMatch(JSON.stringify(request?.messages), /Look at the tests first/);
    assert.match(JSON.stringify(request), /"effort":"low"/);
    assert.doesNotMatch(JSON.stringify(harness.model.requests[0]), /"effort"/);
  });

  it('gives it a colour on its card and in the list of what runs, also where the chat is opened again', async () => {
    const harness = start(
      { color: 'purple' },
      {
        main: [reply(call({}, 'a1'), call({ prompt: 'Wait', run_in_background: true }, 'a2')), reply('Done.')],
        agents: { 'Do it': steps(), Wait: [delayed(reply('Never.'), new Promise(() => undefined))] },
      },
    );
    await harness.run('Go');
    for (const { items, background } of [harness.chat(), harness.replayed()]) {
      assert.deepEqual(
        items.flatMap((item) => (item.kind === 'tool' ? [item.color] : [])),
        ['purple', 'purple'],
      );
      assert.deepEqual(
        background.map(({ color }) => color),
        ['purple'],
      );
    }
    await harness.session.close();
  });

  it('is named where the user may ask for it, but for what a rule denies', async () => {
    const rule = {
      behavior: 'deny' as const,
      value: { toolName: 'Agent', ruleContent: 'Plan' },
      source: 'userSettings' as const,
      root: '/',
    };
    const context = {
      rules: [rule],
      folders: ['/w'],
      ownFolders: [],
      home: '/home/ann',
      ignoreCase: false,
      trusted: true,
    };
    assert.deepEqual(
      await featureOf(start({}, { session: { permission: () => context } }).session, subagents).names(),
      ['own', 'general-purpose', 'Explore'],
    );
    assert.deepEqual(await featureOf(start({}, { tools: [readTool] }).session, subagents).names(), []);
  });

  describe('lets it keep notes', () => {
    const places = { personalFolder: '/home/ann/.claude', project: () => '/w' };
    const notes = '/home/ann/.claude/agent-memory/own/MEMORY.md';
    const write = (file_path: string, id = 'w1') => toolUse('Write', { file_path, content: 'A note.\n' }, id);
    const keeping = (
      own: Parameters<typeof definition>[1],
      blocks: ReturnType<typeof toolUse>[],
      more: Partial<AgentHarnessOptions> = {},
    ): AgentHarness =>
      start(own, {
        agents: { 'Do it': steps(...blocks) },
        answer: () => ({ behavior: 'deny', interrupt: false }),
        ...more,
        host: { memoryPlaces: places },
      });

    it('which it is told up to their limit, and writes unasked; nothing else beside them', async () => {
      const long = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n');
      const files = createMemoryFiles({ [notes]: `${long}\n</agent-memory>`, '/w/a.txt': 'one\n' });
      const harness = keeping(
        { memory: 'user' },
        [
          write('/home/ann/.claude/agent-memory/own/more.md'),
          write('/home/ann/.claude/agent-memory/own/run.sh', 'w2'),
          write('/home/ann/.claude/agent-memory/other/MEMORY.md', 'w3'),
          write('/home/ann/.claude/CLAUDE.md', 'w4'),
        ],
        { files },
      );
      await harness.run('Go');
      const text =
        asked(harness)[0]
          ?.system.map((part) => part.text)
          .join('') ?? '';
      assert.match(text, /are in \/home\/ann\/\.claude\/agent-memory\/own\..*line 199\n\[MEMORY\.md is longer/s);
      assert.doesNotMatch(text, /line 200/);
      assert.equal((await files.readText('/home/ann/.claude/agent-memory/own/more.md', 100)).outcome, 'read');
      assert.deepEqual(
        harness.approvals.map(({ toolUseId }) => toolUseId),
        ['w2', 'w3', 'w4'],
      );
    });

    it('also where its file names no tool for them, and there alone', async () => {
      const files = createMemoryFiles({ '/w/a.txt': 'one\n' });
      const harness = keeping(
        { memory: 'user', tools: ['Bash'] },
        [write(notes), write('/w/b.txt', 'w2'), toolUse('Read', { file_path: '/w/a.txt' }, 'r1')],
        { files },
      );
      await harness.run('Go');
      assert.deepEqual(
        (asked(harness)[0]?.tools ?? []).map(({ name }) => name),
        ['Bash', 'Read', 'Write'],
      );
      assert.equal((await files.readText(notes, 100)).outcome, 'read');
      assert.equal((results(harness).match(/only for your notes in/g) ?? []).length >= 2, true);
      assert.equal(await files.stat('/w/b.txt'), undefined);
    });

    it('of a project in the project, asking as for any file there', async () => {
      const files = createMemoryFiles({ '/w/a.txt': 'one\n' });
      const [project, local] = ['/w/.claude/agent-memory/own/MEMORY.md', '/w/.claude/agent-memory-local/own/MEMORY.md'];
      const asking = keeping({ memory: 'project', source: 'project' }, [write(project)], { files });
      await asking.run('Go');
      assert.deepEqual(
        asking.approvals.map(({ reason }) => reason),
        ['Deft asks before each edit in this mode.'],
      );
      const applying = keeping({ memory: 'local', source: 'project' }, [write(local)], {
        files,
        session: { mode: 'acceptEdits' },
      });
      await applying.run('Go');
      assert.equal((await files.readText(local, 100)).outcome, 'read');
      assert.deepEqual(applying.approvals, []);
    });

    it("not where a link of the project leads out, and not in the conversation's own folder by a name", async () => {
      const files = createMemoryFiles({
        '/home/ann/.ssh/MEMORY.md': 'Secret.',
        '/w/.claude/agent-memory/own': { link: '/home/ann/.ssh' },
        '/w/a.txt': 'one\n',
      });
      const harness = keeping({ memory: 'project' }, [write('/w/.claude/agent-memory/own/new.md')], { files });
      await harness.run('Go');
      assert.doesNotMatch(JSON.stringify(asked(harness)), /Secret\.|# Memory/);
      assert.equal(harness.approvals.length, 1);
      const named = createAgentHarness({
        main: [reply(call({ subagent_type: '../../x' })), reply('Done.')],
        agents: { 'Do it': steps() },
        definitions: [definition('../../x', { memory: 'user' })],
        host: { memoryPlaces: places },
      });
      await named.run('Go');
      assert.match(
        JSON.stringify(named.model.requests[1]?.system),
        /agent-memory\/\+2e\+\+2e\+\+2f\+\+2e\+\+2e\+\+2f\+x\./,
      );
    });

    for (const [what, links] of [
      [
        'its commands',
        { '/w/.claude/commands/a.md': 'A', '/w/.claude/agent-memory/own': { link: '/w/.claude/commands' } },
      ],
      [
        "another agent's notes",
        {
          '/w/.claude/agent-memory/other/MEMORY.md': 'Other.',
          '/w/.claude/agent-memory/own': { link: '/w/.claude/agent-memory/other' },
        },
      ],
      [
        'its commands by a folder above',
        { '/w/.claude/commands/own/a.md': 'A', '/w/.claude/agent-memory': { link: '/w/.claude/commands' } },
      ],
    ] as const) {
      it(`not where a link of the project leads to ${what}`, async () => {
        const files = createMemoryFiles({ ...links, '/w/a.txt': 'one\n' });
        const harness = keeping({ memory: 'project', source: 'user' }, [write('/w/.claude/agent-memory/own/new.md')], {
          files,
          session: { mode: 'acceptEdits' },
        });
        await harness.run('Go');
        assert.doesNotMatch(JSON.stringify(asked(harness)), /Other\.|# Memory/);
        assert.deepEqual(
          harness.approvals.map(({ toolUseId }) => toolUseId),
          ['w1'],
        );
      });
    }

    it('and is told none of a file elsewhere that a link of the project stands for', async () => {
      const files = createMemoryFiles({
        '/home/ann/diary.md': 'Secret.',
        '/w/.claude/agent-memory/own/MEMORY.md': { link: '/home/ann/diary.md' },
      });
      const harness = keeping({ memory: 'project' }, [], { files });
      await harness.run('Go');
      assert.doesNotMatch(JSON.stringify(asked(harness)), /Secret\./);
    });

    it('in a folder that no other name leads to', async () => {
      const folders = await Promise.all(
        ['code:reviewer', 'code-reviewer', 'code+3a+reviewer', 'code.reviewer', 'code\u{1f600}'].map(async (name) =>
          (
            await openAgentMemory(definition(name, { memory: 'user' }), {
              files: createMemoryFiles({}),
              places,
              trusted: true,
              isHidden: () => false,
              secrets: [],
            })
          )?.folder.slice('/home/ann/.claude/agent-memory/'.length),
        ),
      );
      assert.deepEqual(folders, [
        'code+3a+reviewer',
        'code-reviewer',
        'code+2b+3a+2b+reviewer',
        'code+2e+reviewer',
        'code+1f600+',
      ]);
    });

    it("of a plugin's agent never among the user's own, and as the project's it asks", async () => {
      const text = (name: string, memory: string): string =>
        `---\nname: ${name}\ndescription: d\nmemory: ${memory}\n---\nP.\n`;
      const files = createMemoryFiles({
        '/p/agents/a.md': text('own', 'user'),
        '/p/agents/b.md': text('two', 'project'),
      });
      const { agents, problems } = await loadAgents({
        files,
        places: [
          { source: 'plugin', folder: '/p/agents', plugin: { id: 'p@m', name: 'p', root: '/p', data: '/data' } },
        ],
        trusted: true,
      });
      const [first, second] = ['p:own', 'p:two'].map((name) => agents.find((agent) => agent.name === name));
      assert.deepEqual([first?.memory, second?.memory], [undefined, 'project']);
      assert.match(problems.map(({ message }) => message).join(), /^`memory: user` of a plugin's agent is ignored/);
      const asking = keeping(
        { memory: 'project', source: 'plugin' },
        [write('/w/.claude/agent-memory/own/MEMORY.md')],
        { files: createMemoryFiles({ '/w/a.txt': 'one\n' }) },
      );
      await asking.run('Go');
      assert.equal(asking.approvals.length, 1);
    });

    it('not while it plans', async () => {
      const harness = keeping({ memory: 'user', permissionMode: 'plan' }, [write(notes)]);
      await harness.run('Go');
      assert.match(results(harness), /"toolState":"denied"/);
    });
  });

  describe('names servers', function () {
    this.timeout(60_000);
    afterEach(closeServers);
    const echo = (prefix: string) => toolUse(`mcp__${prefix}__echo`, { message: 'Hello' }, 'm1');
    const tools = (harness: AgentHarness): string[] => (asked(harness)[0]?.tools ?? []).map(({ name }) => name);

    it('and has the tools of these alone, and reaches no other', async () => {
      const mcp = openServers({ one: referenceServer('everything'), two: referenceServer('everything') });
      await settled(mcp);
      const run = async (
        own: Parameters<typeof definition>[1],
        environment: Record<string, string> = {},
      ): Promise<AgentHarness> => {
        const harness = start(own, {
          ports: { mcp },
          environment,
          agents: { 'Do it': steps(toolUse('ListMcpResources', { server: 'two' }, 'l1')) },
          answer: () => ({ behavior: 'allow' }),
        });
        await harness.run('Go');
        return harness;
      };
      const some = tools(await run({ mcpServers: ['one'] }));
      assert.ok(some.includes('mcp__one__echo') && !some.some((name) => name.startsWith('mcp__two')), some.join());
      const listed = tools(await run({ mcpServers: ['one'], tools: ['Read'] }));
      assert.ok(
        listed.includes('mcp__one__echo') && listed.includes('Read') && !listed.includes('Bash'),
        listed.join(),
      );
      assert.ok(!tools(await run({ mcpServers: [] })).some((name) => name.startsWith('mcp__')));
      assert.ok(
        tools(await run({ mcpServers: ['one'] }, { CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS: '1' })).includes(
          'mcp__two__echo',
        ),
      );
      assert.doesNotMatch(results(await run({ mcpServers: ['one'] })), /test:\/\/|demo:\/\//, 'resources of the other');
    });

    it('and those that it describes run for it alone, as long as it does', async () => {
      const started: ReturnType<typeof openServers>[] = [];
      const startServers: AgentHost['startServers'] = (servers) => {
        started.push(openServers(servers as Record<string, McpServerConfig>));
        return started.at(-1) ?? assert.fail();
      };
      const harness = start(
        { mcpServers: [{ mine: referenceServer('everything') }] },
        { agents: { 'Do it': steps(echo('mine')) }, answer: () => ({ behavior: 'allow' }), host: { startServers } },
      );
      await harness.run('Go');
      assert.match(results(harness), /Echo: Hello/);
      assert.ok(
        !(harness.model.requests[0]?.tools ?? []).some(({ name }) => name.startsWith('mcp__')),
        'the conversation has none',
      );
      assert.equal(
        (await started[0]?.callTool('mine', 'echo', { message: 'x' }, { signal: never }))?.outcome,
        'failed',
        'it ended with the agent',
      );
      const refused = start(
        { source: 'project', mcpServers: [{ mine: referenceServer('everything') }] },
        { host: { startServers } },
      );
      await refused.run('Go');
      assert.equal(started.length, 1, 'one of a project starts none');
    });

    it('and those end where it cannot begin', async () => {
      const started: ReturnType<typeof openServers>[] = [];
      const startServers: AgentHost['startServers'] = (servers) => {
        const opened = openServers(servers as Record<string, McpServerConfig>);
        started.push(opened);
        return {
          ...opened,
          settled: async (...wait) => (await opened.settled(...wait), Promise.reject(new Error('The list broke.'))),
        };
      };
      const harness = start({ mcpServers: [{ mine: referenceServer('everything') }] }, { host: { startServers } });
      await harness.run('Go');
      assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /could not be opened: The list broke\./);
      assert.equal(
        (await started[0]?.callTool('mine', 'echo', { message: 'x' }, { signal: never }))?.outcome,
        'failed',
      );
    });
  });
});
