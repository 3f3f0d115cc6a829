// Built-in tools that few sessions need: deferred where the API takes that, whole elsewhere, and never a byte of the prefix that changes.
import assert from 'node:assert/strict';
import { type McpServers, type McpServerStatus } from '../../../../src/core/ports/mcp';
import { type ToolSearchMode } from '../../../../src/core/settings/request-variables';
import { type Skill, type SkillList } from '../../../../src/core/skills/skill';
import { type AnyTool, type Availability } from '../../../../src/core/tool/tool';
import { getTools } from '../../../../src/core/tools/registry';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { givenServers } from '../../../support/mcp/fake-servers';
import { entryOf } from '../../../support/mcp/run-servers';
import { reply, toolSearch, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const seldom = [
  ...['NotebookEdit', 'SendMessage', 'TaskStop', 'TaskOutput', 'Tests', 'WebSearch'],
  ...['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList', 'Sleep', 'Skill'],
];
const toolsWhere = (has: Availability['has']): AnyTool[] =>
  getTools({
    isDenied: () => false,
    simple: false,
    availability: { has, interactive: false, platform: 'linux', names: () => false, provider: 'anthropic' },
  });
const tools = toolsWhere(() => false);
const byApi = 'tool_search_tool_bm25';

interface Given {
  provider?: 'anthropic' | 'gateway';
  toolSearch?: Partial<ToolSearchMode>;
  tools?: readonly AnyTool[];
  skills?: () => readonly Skill[];
  servers?: McpServerStatus[];
}

function open(script: ScriptedReply[], given: Given = {}): { harness: Harness; model: ScriptedModel } {
  const model = createScriptedModel(script, { provider: given.provider ?? 'anthropic' });
  const { skills } = given;
  const catalogue = { list: async (): Promise<SkillList> => ({ skills: [...skills!()], problems: [] }) };
  const harness = createHarness({
    model,
    tools: given.tools ?? tools,
    ...(given.servers === undefined
      ? {}
      : { ports: { mcp: { ...givenServers({}), list: () => given.servers! } as McpServers } }),
    session: {
      toolSearch: { deferral: 'on', references: true, certain: false, ...given.toolSearch },
      ...(skills === undefined ? {} : { skills: { catalogue: catalogue as never } }),
    },
  });
  return { harness, model };
}

const named = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name);
const isDeferred = (tool: object): boolean => 'defer_loading' in tool;
const deferred = (request: ModelRequest | undefined): string[] => named((request?.tools ?? []).filter(isDeferred));
const whole = (request: ModelRequest | undefined): string[] =>
  named((request?.tools ?? []).filter((tool) => !isDeferred(tool)));
const prefix = (request: ModelRequest | undefined): string =>
  JSON.stringify((request?.tools ?? []).filter((tool) => !isDeferred(tool)));
const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
const skill = { name: 'style', description: 'd', forModel: true, paths: [], folder: '/s', file: '/s/SKILL.md' };

describe('built-in tools that few sessions need', () => {
  const cases: {
    name: string;
    given: Given;
    deferred: readonly string[];
    search: string | undefined;
    apart?: boolean;
  }[] = [
    { name: 'are deferred at the vendor, whose API searches', given: {}, deferred: seldom, search: byApi },
    {
      name: 'are whole where the API takes no deferred tools, but for the bulky ones',
      given: { provider: 'gateway' },
      deferred: [],
      search: undefined,
      apart: true,
    },
    {
      name: 'are whole at an address that may not take them, but for the bulky ones',
      given: { toolSearch: { references: false } },
      deferred: [],
      search: undefined,
      apart: true,
    },
    {
      name: 'are whole where the search is off',
      given: { toolSearch: { deferral: 'off' } },
      deferred: [],
      search: undefined,
    },
    {
      name: 'are whole where only many tools are deferred',
      given: { toolSearch: { deferral: 'auto' } },
      deferred: [],
      search: undefined,
    },
    {
      name: 'are whole where nothing could load them',
      given: { tools: tools.filter(({ name }) => name !== 'ToolSearch') },
      deferred: [],
      search: undefined,
    },
    {
      name: 'do not include Skill where there are skills',
      given: { skills: () => [skill as unknown as Skill] },
      deferred: seldom.filter((name) => name !== 'Skill'),
      search: byApi,
    },
    {
      name: 'include Skill where only the user may call what there is',
      given: { skills: () => [{ ...skill, forModel: false } as unknown as Skill] },
      deferred: seldom,
      search: byApi,
    },
  ];
  for (const { name, given, deferred: expected, search, apart = false } of cases)
    it(name, async () => {
      const { harness, model } = open([reply('Hello.')], given);
      await harness.run('Hi');
      const [request] = model.requests;
      assert.deepEqual(model.violations, []);
      assert.deepEqual(deferred(request), expected);
      const all = given.tools ?? tools;
      assert.deepEqual(
        whole(request).filter((one) => one !== search),
        named(all.filter((tool) => !(apart && tool.bulky === true))).filter(
          (one) => (apart || one !== 'ToolSearch') && !expected.includes(one),
        ),
      );
      assert.equal(whole(request).includes(byApi), search !== undefined);
      // Told by name and purpose exactly where they have to be loaded.
      assert.equal(textOf(request).includes('loaded with the tool search'), apart || expected.length > 0);
      for (const tool of all.filter((one) => expected.includes(one.name) || (apart && one.bulky === true)))
        assert.ok(textOf(request).includes(`- ${tool.name}: ${tool.seldom}`), tool.name);
    });

  it('that are bulky come behind the others once they are loaded, where the API defers nothing', async () => {
    const { harness, model } = open([reply(toolUse('ToolSearch', { query: 'select:Tests' }, 'c1')), reply('Loaded.')], {
      provider: 'gateway',
    });
    await harness.run('Test it');
    const [first, second] = model.requests;
    assert.deepEqual(model.violations, []);
    assert.equal(named(first?.tools ?? []).includes('Tests'), false);
    assert.deepEqual(named(second?.tools ?? []), [...named(first?.tools ?? []), 'Tests']);
  });

  it('are loaded and called in one reply, and no byte of the tools changes', async () => {
    const { harness, model } = open([
      reply(...toolSearch('Sleep', 'srvtoolu_1', 'Sleep'), toolUse('Sleep', { duration_ms: 1 }, 'c1')),
      reply('Awake.'),
    ]);
    await harness.run('Wait');
    const [first, second] = model.requests;
    assert.deepEqual(model.violations, []);
    assert.equal(JSON.stringify(second?.tools), JSON.stringify(first?.tools));
    assert.match(JSON.stringify(second?.messages.at(-1)), /Waited|Woke/);
  });

  it('stay loaded after a compaction, behind what was there before', async () => {
    const { harness, model } = open([
      reply(...toolSearch('Sleep', 'srvtoolu_1', 'Sleep'), 'Found.'),
      reply('Summary.'),
      reply('On.'),
    ]);
    await harness.run('Find it');
    await featureOf(harness.session, compaction).byHand('', new AbortController().signal);
    await harness.run('Go on');
    assert.deepEqual(model.violations, []);
    const [first] = model.requests;
    const last = model.requests.at(-1);
    assert.deepEqual(whole(last), [...whole(first), 'Sleep']);
    assert.ok(!deferred(last).includes('Sleep'));
  });

  it('leave the prefix as it is when the first skill or server comes', async () => {
    let skills: Skill[] = [];
    const servers: McpServerStatus[] = [];
    const { harness, model } = open([reply('One.'), reply('Two.')], {
      tools: toolsWhere((port) => port === 'mcp'),
      skills: () => skills,
      servers,
    });
    await harness.run('Hi');
    skills = [skill as unknown as Skill];
    servers.push({
      entry: entryOf('db', { type: 'stdio', command: 'x', args: [], env: {} }),
      state: { kind: 'connected' },
      tools: [
        { name: 'read', description: 'r', inputSchema: { type: 'object', properties: {} }, annotations: {}, meta: {} },
      ],
      prompts: [],
      resources: 1,
    });
    await harness.run('And now?');
    const [first, second] = model.requests;
    assert.equal(prefix(second), prefix(first));
    assert.ok(textOf(second).includes('- style'), 'the list of skills names it');
    for (const name of ['Skill', 'ListMcpResources', 'ReadMcpResource', 'mcp__db__read'])
      assert.ok(deferred(second).includes(name), `the search finds ${name}`);
    assert.ok(!deferred(first).includes('ListMcpResources'), 'not without a server');
  });

  it('are not named among those that can be called at once', async () => {
    const { harness, model } = open([reply(toolUse('Nothing', {}, 'c1')), reply('Well.')]);
    await harness.run('Go');
    const told = textOf(model.requests[1]);
    const [, list = ''] = /Available tools: ([^.]*)\./.exec(told) ?? [];
    assert.ok(list.includes('Read') && !list.includes('Sleep') && told.includes('Use the tool search'), told);
  });
});
