// What a request has in common with the one before stays byte for byte, whatever changes around a session; and the few things that do change it.
import assert from 'node:assert/strict';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type McpServers, type McpServerStatus, type McpTool } from '../../../../src/core/ports/mcp';
import { createMemorySource } from '../../../../src/core/memory/memory-source';
import { createSkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { builtInStyles } from '../../../../src/core/styles/built-in-styles';
import { defaultStyle } from '../../../../src/core/styles/output-style';
import { createStyleSource } from '../../../../src/core/styles/style-source';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { skillTool } from '../../../../src/core/tools/skill';
import { todoWriteTool } from '../../../../src/core/tools/tasks/todo-write';
import { toolSearchTool } from '../../../../src/core/tools/tool-search';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { createCacheSimulator } from '../../../support/cache-simulator';
import { type AgentHarness, createAgentHarness, definition } from '../../../support/agent-harness';
import { askingTool } from '../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { entryOf } from '../../../support/mcp/run-servers';
import { type MemoryFiles } from '../../../support/memory-files';
import { createMemoryRun } from '../../../support/memory-session';
import { reply, thinking, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const never = new AbortController().signal;
const tool = (name: string): McpTool => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  meta: {},
});
const status = (name: string, tools: McpTool[], alwaysLoad = false): McpServerStatus => ({
  entry: { ...entryOf(name, { type: 'stdio', command: 'x', args: [], env: {} }), alwaysLoad },
  state: { kind: 'connected' },
  tools,
  prompts: [],
  resources: 0,
  instructions: `About ${name}.`,
});

interface Surroundings {
  harness: AgentHarness;
  files: MemoryFiles;
  servers: McpServerStatus[];
  style: { current: typeof defaultStyle };
  /** What the model says next. */
  script: ScriptedReply[];
  turn(text: string, ...replies: ScriptedReply[]): Promise<void>;
}

function start(): Surroundings {
  const run = createMemoryRun({
    '/home/ann/code/w/CLAUDE.md': 'Use tabs.',
    '/home/ann/code/w/a.ts': 'one\n',
    '/home/ann/.claude/skills/style/SKILL.md': '---\ndescription: d\n---\nUse tabs.\n',
  });
  const { files } = run;
  const servers = [status('db', [tool('read')])];
  const style = { current: defaultStyle };
  const script: ScriptedReply[] = [];
  const catalogue = createSkillCatalogue({
    files,
    folders: () => [{ source: 'personal', path: '/home/ann/.claude', root: '/home/ann' }],
    workspace: () => ['/home/ann/code/w'],
    trusted: () => true,
  });
  let hooked = 0;
  const harness = createAgentHarness({
    provider: 'anthropic',
    main: () => script.shift() ?? reply('Done.'),
    agents: { 'Scout it': [reply('Report one.'), reply('Report two.')] },
    definitions: [definition('scout')],
    files,
    tools: [agentTool, readTool, writeTool, editTool, todoWriteTool, skillTool, toolSearchTool, askingTool('Bash')],
    ports: {
      mcp: {
        list: () => servers,
        onChange: () => () => undefined,
        settled: async () => undefined,
        callTool: async () => ({ outcome: 'answered', content: [{ type: 'text', text: 'row' }], isError: false }),
      } as unknown as McpServers,
      hooks: scriptedHooks(() => ({ stdout: `More of a hook: ${++hooked}` })),
    },
    session: {
      environment: {
        cwd: '/home/ann/code/w',
        folders: ['/home/ann/code/w'],
        platform: 'linux',
        shell: 'bash',
        date: '2026-11-21',
      },
      permission: () => ({
        rules: [],
        folders: ['/home/ann/code/w'],
        ownFolders: ['/results'],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
      contextSources: [
        createMemorySource({ memory: run.memory, isHidden: () => false, trusted: () => true, secrets: () => [] }),
        createStyleSource(async () => style.current, []),
      ],
      skills: { catalogue },
      hooks: () =>
        ({
          active: [commandHook('UserPromptSubmit', 'x')],
          allowedUrls: undefined,
          allowedVariables: undefined,
          refuses: () => undefined,
          off: false,
          projectOff: false,
          brought: [],
          wanted: [],
        }) as never,
    },
  });
  return {
    harness,
    files,
    servers,
    style,
    script,
    async turn(text, ...replies) {
      script.push(...replies);
      assert.equal((await harness.run(text)).reason, 'completed');
      assert.deepEqual(harness.model.violations, []);
    },
  };
}

/** Of the conversation itself: agents have a system prompt of their own. */
function requestsOf({ harness }: Surroundings): ModelRequest[] {
  const [first] = harness.model.requests;
  return harness.model.requests.filter(({ system }) => system[0]?.text === first?.system[0]?.text);
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => (key === 'cache_control' ? undefined : part));
/** As the model has them in front of it. */
const toolsOf = ({ tools }: ModelRequest): string => plain(tools.filter((one) => !('defer_loading' in one)));

/** What is not the same in the second request; deferred tools are not part of the prefix. */
function broken(before: ModelRequest, after: ModelRequest): string[] {
  const parts = {
    model: (request: ModelRequest) => request.model,
    tools: toolsOf,
    system: (request: ModelRequest) => plain(request.system),
    thinking: (request: ModelRequest) => plain(request.thinking),
    output: (request: ModelRequest) => plain(request.output_config),
    speed: (request: ModelRequest) => plain(request.speed),
  };
  const changed = Object.entries(parts).flatMap(([name, of]) => (of(before) === of(after) ? [] : [name]));
  return plain(after.messages).startsWith(plain(before.messages).replace(/\]\}\]$/, ''))
    ? changed
    : [...changed, 'messages'];
}

describe('the prefix of requests', function () {
  this.timeout(60_000);

  it('stays byte for byte while mode, files, memory, skills, style, servers, hooks, agents, todos and time change', async () => {
    const it = start();
    const { harness, files, servers, style } = it;
    const changes: (() => unknown)[] = [
      () => harness.session.permission.setMode('acceptEdits'),
      () => files.put('/home/ann/code/w/CLAUDE.md', 'Use spaces.'),
      () => files.put('/home/ann/code/w/sub/CLAUDE.md', 'Use nothing.'),
      () => files.put('/home/ann/.claude/skills/other/SKILL.md', '---\ndescription: another\n---\nText.\n'),
      () => (style.current = builtInStyles.find(({ name }) => name === 'Concise') ?? assert.fail()),
      () => servers.push(status('mail', [tool('send'), tool('fetch')])),
      () => (servers[0] = status('db', [tool('read'), tool('write')])),
      () => servers.pop(),
      () => harness.session.permission.setMode('plan'),
      () => harness.session.permission.setMode('default'),
      () => harness.session.remind('A command has ended.'),
      () => (style.current = defaultStyle),
      () => harness.clock.advance(3 * 86_400_000),
      () => harness.session.writer.write({ type: 'custom-title', title: 'Another name' }),
    ];
    await it.turn('Begin', reply(thinking('Hm.', 's0'), toolUse('Read', { file_path: '/home/ann/code/w/a.ts' })));
    for (const [index, change] of changes.entries()) {
      change();
      await it.turn(
        `Task ${index}`,
        reply(
          thinking(`Hm ${index}`, `s${index + 1}`),
          toolUse('TodoWrite', { todos: [{ content: `Step ${index}`, status: 'in_progress', activeForm: 'At it' }] }),
          toolUse('Read', { file_path: '/home/ann/code/w/a.ts' }),
        ),
        ...(index === 5
          ? [reply(toolUse('ToolSearch', { query: 'select:mcp__db__read' })), reply(toolUse('mcp__db__read', {}))]
          : []),
        ...(index === 2 || index === 4
          ? [reply(toolUse('Agent', { description: 'd', prompt: 'Scout it', subagent_type: 'scout' }))]
          : []),
      );
    }
    const requests = requestsOf(it);
    assert.ok(requests.length > 2 * changes.length);
    for (const [index, request] of requests.entries())
      if (index > 0) assert.deepEqual(broken(requests[index - 1] ?? request, request), [], `request ${index + 1}`);
    const last = plain(requests.at(-1)?.messages);
    for (const words of [
      'Use spaces.',
      'Concise',
      'mcp__mail__send',
      'More of a hook: 3',
      'Report two.',
      'A command has ended.',
      'another',
    ])
      assert.ok(last.includes(words), `the model was told: ${words}`);

    const cache = createCacheSimulator();
    const uses = requests.map((request) => cache.send(request));
    const sum = (of: 'read' | 'total'): number => uses.reduce((total, use) => total + use[of], 0);
    console.log(
      `      ${requests.length} requests, ${changes.length} changes: ${((100 * sum('read')) / sum('total')).toFixed(1)} % read from the cache`,
    );
    uses.slice(1).forEach((use, index) => assert.ok(use.read >= (uses[index]?.total ?? 0), `request ${index + 2}`));
  });

  it('is the same for agents of one kind', async () => {
    const it = start();
    const call = (id: string) =>
      reply(toolUse('Agent', { description: 'd', prompt: 'Scout it', subagent_type: 'scout' }, id));
    await it.turn('one', call('a1'));
    it.files.put('/home/ann/code/w/CLAUDE.md', 'Use spaces.');
    await it.turn('two', call('a2'));
    const own = requestsOf(it);
    const [first, second, ...more] = it.harness.model.requests.filter((request) => !own.includes(request));
    assert.ok(first !== undefined && second !== undefined && more.length === 0);
    assert.equal(plain([second.tools, second.system]), plain([first.tools, first.system]));
    const cache = createCacheSimulator();
    cache.send(first);
    assert.ok(cache.send(second).read > 0);
  });

  const breaks: [string, (it: Surroundings) => unknown, string[]][] = [
    ['another model', ({ harness }) => harness.session.choices.setModel('claude-opus-4-8'), ['model', 'messages']],
    ['another effort', ({ harness }) => harness.session.choices.setEffort('low'), ['output']],
    ['thinking switched off', ({ harness }) => harness.session.choices.setThinking(false), ['thinking', 'messages']],
    ['fast mode', ({ harness }) => harness.session.choices.setFast(true), ['speed']],
    [
      'a compaction',
      ({ harness, script }) => (
        script.push(reply('Summary.')),
        featureOf(harness.session, compaction).byHand('', never)
      ),
      ['messages'],
    ],
    [
      'a server whose tools are always loaded',
      ({ servers }) => servers.push(status('mail', [tool('send')], true)),
      ['tools'],
    ],
    ['the last server taken away', ({ servers }) => servers.pop(), ['tools']],
  ];
  for (const [name, change, expected] of breaks) {
    it(`is another one with ${name}`, async () => {
      const it = start();
      await it.turn('one', reply(thinking('Hm.', 's0'), 'word '.repeat(9_000)));
      await it.turn('two', reply(thinking('Hm.', 's1'), 'Well.'));
      const before = requestsOf(it).at(-1) ?? assert.fail();
      await change(it);
      await it.turn('three');
      assert.deepEqual(broken(before, requestsOf(it).at(-1) ?? assert.fail()), expected);
    });
  }
});
