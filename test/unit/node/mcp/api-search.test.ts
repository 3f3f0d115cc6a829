// Tools of real servers that the API itself searches: what is sent, what is echoed, and what stays loaded wherever the session continues.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type ModelClient } from '../../../../src/core/ports/model';
import { getTools } from '../../../../src/core/tools/registry';
import { type Availability } from '../../../../src/core/tool/tool';
import {
  brokenToolUse,
  dropAfter,
  reply,
  type ScriptedReply,
  serverToolUse,
  toolSearch,
  toolSearchFailed,
  toolsFound,
  toolUse,
  withFields,
} from '../../../support/messages-api/script';
import { closeServers, openServers, referenceServer, settled } from '../../../support/mcp/run-servers';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const availability: Availability = {
  has: (port) => port === 'mcp',
  interactive: false,
  platform: 'linux',
  names: () => false,
};
const builtIn = getTools({ isDenied: () => false, simple: false, availability });
const echo = 'mcp__everything__echo';
const sum = 'mcp__everything__get-sum';
const byApi = 'tool_search_tool_bm25';

function open(
  servers: RunningMcpServers,
  script: ScriptedReply[],
  more: Partial<HarnessOptions> & { provider?: 'anthropic' | 'gateway'; idPrefix?: string } = {},
): { harness: Harness; model: ScriptedModel } {
  const model = createScriptedModel(script, {
    provider: more.provider ?? 'anthropic',
    acceptUnknownThinking: true,
    ...defined({ idPrefix: more.idPrefix }),
  });
  return { model, harness: createHarness({ model, tools: builtIn, ...more, ports: { mcp: servers } }) };
}

const names = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
const deferred = (request: ModelRequest | undefined): string[] =>
  (request?.tools ?? []).filter((tool) => 'defer_loading' in tool).map(({ name }) => name);
const assistantOf = (request: ModelRequest | undefined): unknown[] =>
  (request?.messages ?? []).flatMap(({ role, content }) => (role === 'assistant' ? content : []));
const line = (harness: Harness, id: string) => harness.chat().items.find((item) => item.id === id);

describe('tools that the API searches', () => {
  let servers: RunningMcpServers;
  beforeEach(async () => {
    servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
  });
  afterEach(closeServers);

  it('are found and called in one reply, with every byte of the tools as it was, and echoed as they came', async () => {
    const { harness, model } = open(servers, [
      reply('Let me see.', ...toolSearch('echo a message', 'srvtoolu_1', echo), toolUse(echo, { message: 'hi' }, 'e1')),
      reply(...toolSearch('add numbers', 'srvtoolu_2', sum), 'Done.'),
      reply('Fine.'),
    ]);
    await harness.run('Echo hi');
    await harness.run('And now?');
    assert.deepEqual(model.violations, []);
    const [first, second, third] = model.requests;
    assert.ok(names(first).includes(byApi) && !names(first).includes('ToolSearch'));
    assert.ok(deferred(first).includes(echo) && deferred(first).includes(sum));
    assert.ok(names(first).some((name) => !deferred(first).includes(name)));
    assert.equal(JSON.stringify(second?.tools), JSON.stringify(first?.tools));
    assert.equal(JSON.stringify(third?.tools), JSON.stringify(first?.tools));
    assert.match(JSON.stringify(second?.messages.at(-1)), /Echo: hi/);
    assert.deepEqual(
      assistantOf(second).map((block) => (block as { type: string }).type),
      ['text', 'server_tool_use', 'tool_search_tool_result', 'tool_use'],
    );
    assert.deepEqual(assistantOf(second)[1], {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: byApi,
      input: { query: 'echo a message' },
    });
  });

  it('are a quiet line of the chat, live and from the log', async () => {
    const { harness } = open(servers, [reply(...toolSearch('echo a message', 'srvtoolu_1', echo, sum), 'Found.')]);
    await harness.run('Find it');
    const expected = {
      kind: 'tool',
      id: 'srvtoolu_1',
      name: 'ToolSearch',
      sentence: { now: 'Looking for tools: echo a message', past: 'Looked for tools: echo a message' },
      state: 'done',
      readOnly: true,
      detail: '2 found',
      view: { kind: 'markdown', text: `- \`${echo}\`\n- \`${sum}\`` },
    };
    assert.deepEqual(line(harness, 'srvtoolu_1'), expected);
    assert.deepEqual(
      harness.replayed().items.find(({ id }) => id === 'srvtoolu_1'),
      expected,
    );
  });

  for (const code of ['too_many_requests', 'invalid_pattern', 'unavailable', 'something_new']) {
    it(`that cannot be searched (${code}) are told of, and the session goes on`, async () => {
      const { harness, model } = open(servers, [
        reply(serverToolUse(byApi, { query: 'x' }, 'srvtoolu_1'), toolSearchFailed('srvtoolu_1', code), 'No luck.'),
        reply('On.'),
      ]);
      assert.equal((await harness.run('Find it')).reason, 'completed');
      await harness.run('Go on');
      assert.deepEqual(model.violations, []);
      const item = line(harness, 'srvtoolu_1');
      assert.ok(item?.kind === 'tool');
      assert.equal(item.state, 'failed');
      assert.match(item.message ?? '', /^The tool search /);
    });
  }

  it('stay loaded after a compaction, as tools like any other', async () => {
    const { harness, model } = open(servers, [
      reply(...toolSearch('echo', 'srvtoolu_1', echo), 'Found.'),
      reply('A summary.'),
      reply(toolUse(echo, { message: 'on' }, 'e1')),
      reply('Done.'),
    ]);
    await harness.run('Find it');
    await featureOf(harness.session, compaction).byHand('', new AbortController().signal);
    await harness.run('Go on');
    assert.deepEqual(model.violations, []);
    const last = model.requests.at(-1);
    assert.ok(names(last).includes(echo) && !deferred(last).includes(echo) && deferred(last).includes(sum));
  });

  it('stay loaded where the session is opened again, also at a provider that has no search', async () => {
    const first = open(servers, [reply(...toolSearch('echo', 'srvtoolu_1', echo), 'Found.')]);
    await first.harness.run('Find it');
    const again = open(servers, [reply(toolUse(echo, { message: 'a' }, 'e1')), reply('Done.')], {
      records: first.harness.stored(),
      idPrefix: 'b',
    });
    await again.harness.run('Echo');
    assert.deepEqual(again.model.violations, []);
    assert.equal(JSON.stringify(again.model.requests[0]?.tools), JSON.stringify(first.model.requests[0]?.tools));
    const elsewhere = open(servers, [reply(toolUse(echo, { message: 'b' }, 'e2')), reply('Done.')], {
      records: first.harness.stored(),
      provider: 'gateway',
      idPrefix: 'c',
    });
    await elsewhere.harness.run('Echo');
    assert.deepEqual(elsewhere.model.violations, []);
    const [sent] = elsewhere.model.requests;
    assert.ok(
      names(sent).includes(echo) &&
        names(sent).includes('ToolSearch') &&
        !names(sent).includes(byApi) &&
        !names(sent).includes(sum),
    );
    assert.doesNotMatch(JSON.stringify(sent), /server_tool_use|tool_search_tool|tool_reference|defer_loading/);
    assert.match(JSON.stringify(sent?.messages), /I looked for tools and loaded: mcp__everything__echo/);
    assert.match(JSON.stringify(elsewhere.model.requests[1]?.messages.at(-1)), /Echo: b/);
  });

  it('are not searched where a compaction left nothing to find: all of them are sent whole', async () => {
    const before = open(servers, [reply('Hi.')]);
    await before.harness.run('Hi');
    const all = deferred(before.model.requests[0]);
    const { harness, model } = open(servers, [
      reply(...toolSearch('all', 'srvtoolu_1', ...all), 'Found.'),
      reply('A summary.'),
      reply('Done.'),
    ]);
    await harness.run('Find it');
    await featureOf(harness.session, compaction).byHand('', new AbortController().signal);
    await harness.run('Go on');
    assert.deepEqual(model.violations, []);
    const last = model.requests.at(-1);
    assert.deepEqual(deferred(last), []);
    assert.ok(names(last).includes(echo) && !names(last).includes(byApi) && !names(last).includes('ToolSearch'));
  });

  it('are left to ToolSearch where the provider changes in mid-session, and searched again when it comes back', async () => {
    const vendor = createScriptedModel([reply('One.'), reply(...toolSearch('echo', 'srvtoolu_1', echo), 'Found.')], {
      provider: 'anthropic',
    });
    const gateway = createScriptedModel(
      [
        reply(toolUse('ToolSearch', { query: 'select:get-sum' }, 's1')),
        reply(toolUse(sum, { a: 1, b: 2 }, 'a1')),
        reply('Done.'),
      ],
      { idPrefix: 'g', acceptUnknownThinking: true },
    );
    let now = vendor;
    const model: ModelClient = {
      get provider() {
        return now.provider;
      },
      capabilities: (id) => now.capabilities(id),
      stream: (request, signal) => now.stream(request, signal),
      countTokens: async () => 1,
      listModels: async () => [],
    };
    const harness = createHarness({ model, tools: builtIn, ports: { mcp: servers } });
    await harness.run('One');
    now = gateway;
    await harness.run('Add');
    now = vendor;
    await harness.run('Find echo');
    assert.deepEqual([vendor.violations, gateway.violations], [[], []]);
    assert.deepEqual(
      [...vendor.requests, ...gateway.requests].map((request) => [
        names(request).includes(byApi),
        names(request).includes('ToolSearch'),
      ]),
      [
        [true, false],
        [true, false],
        [false, true],
        [false, true],
        [false, true],
      ],
    );
    assert.match(JSON.stringify(gateway.requests[2]?.messages.at(-1)), /The sum of 1 and 2 is 3/);
  });

  it('stay as they were referred to where their server is gone', async () => {
    const first = open(servers, [reply(...toolSearch('echo', 'srvtoolu_1', echo), 'Found.')]);
    await first.harness.run('Find it');
    for (const without of [openServers({}), openServers({ memory: referenceServer('memory') })]) {
      await settled(without);
      const later = open(without, [reply('Gone.')], { records: first.harness.stored(), idPrefix: 'b' });
      await later.harness.run('Echo');
      assert.deepEqual(later.model.violations, []);
    }
  });

  it('are left to ToolSearch where servers still connect, which can wait for them, and that holds for the session', async () => {
    const late = openServers({ everything: referenceServer('everything') });
    const { harness, model } = open(late, [
      reply(toolUse('ToolSearch', { query: 'echo' }, 's1')),
      reply(toolUse(echo, { message: 'hi' }, 'e1')),
      reply('Done.'),
    ]);
    await harness.run('Echo hi');
    assert.deepEqual(model.violations, []);
    for (const request of model.requests)
      assert.ok(names(request).includes('ToolSearch') && !names(request).includes(byApi));
    assert.match(JSON.stringify(model.requests[2]?.messages.at(-1)), /Echo: hi/);
  });

  it('are left to ToolSearch, or sent whole, where the user says so', async () => {
    for (const [toolSearchMode, expected] of [
      [{ deferral: 'on', references: false, certain: false }, 'ToolSearch'],
      [{ deferral: 'off', references: true, certain: false }, echo],
    ] as const) {
      const { harness, model } = open(servers, [reply('Hi.')], { session: { toolSearch: toolSearchMode } });
      await harness.run();
      assert.ok(names(model.requests[0]).includes(expected) && !names(model.requests[0]).includes(byApi));
    }
  });

  it('leave no search without its result behind where the stream breaks', async () => {
    // message_start, ping, then the call's start, three deltas and its stop.
    const { harness, model } = open(servers, [
      dropAfter(reply(serverToolUse(byApi, { query: 'echo' }, 'srvtoolu_1'), toolsFound('srvtoolu_1', echo), 'x'), {
        events: 7,
      }),
      reply('On.'),
    ]);
    assert.equal((await harness.run('Find it')).reason, 'completed');
    assert.deepEqual(model.violations, []);
    assert.ok(
      harness
        .stored()
        .some(
          (record) =>
            record.type === 'assistant' && record.message.content.some(({ type }) => type === 'server_tool_use'),
        ),
    );
    assert.doesNotMatch(JSON.stringify(model.requests[1]?.messages), /server_tool_use/);
    const item = line(harness, 'srvtoolu_1');
    assert.ok(item?.kind === 'tool');
    assert.equal(item.state, 'stopped');
  });

  it('go on being searched where the API pauses, or waits for results of other calls', async () => {
    for (const stop of ['pause_turn', 'tool_use'] as const) {
      const calls = stop === 'tool_use' ? [toolUse('mcp__everything__get-sum', { a: 1, b: 2 }, 'a1')] : [];
      const { harness, model } = open(servers, [
        withFields(reply(serverToolUse(byApi, { query: 'echo' }, 'srvtoolu_1'), ...calls), { stopReason: stop }),
        reply(toolsFound('srvtoolu_1', echo), toolUse(echo, { message: 'hi' }, 'e1')),
        reply('Done.'),
      ]);
      await harness.run('Echo hi');
      assert.deepEqual(model.violations, [], stop);
      assert.match(JSON.stringify(model.requests[2]?.messages.at(-1)), /Echo: hi/);
      assert.ok(deferred(model.requests[2]).includes(echo));
    }
  });

  it('are asked for again where the reply is cut in the middle of a call', async () => {
    const { harness, model } = open(servers, [
      reply(...toolSearch('echo', 'srvtoolu_1', echo), brokenToolUse(echo, '{"message":"h')),
      reply(toolUse(echo, { message: 'hi' }, 'e1')),
      reply('Done.'),
    ]);
    await harness.run('Echo hi');
    assert.deepEqual(model.violations, []);
    assert.match(JSON.stringify(model.requests[2]?.messages.at(-1)), /Echo: hi/);
  });

  it('make the prefix smaller', async () => {
    const size = async (search: boolean): Promise<number> => {
      const { harness, model } = open(
        servers,
        [reply('Hi.')],
        search ? {} : { session: { toolSearch: { deferral: 'on', references: false, certain: false } } },
      );
      await harness.run();
      const [request] = model.requests;
      return JSON.stringify(request?.tools.filter((tool) => !('defer_loading' in tool))).length / 3.5;
    };
    const [own, api] = [await size(false), await size(true)];
    assert.ok(api < own - 250, `${Math.round(own)} tokens before, ${Math.round(api)} now`);
  });

  it('are searched so elsewhere too where ENABLE_TOOL_SEARCH says that it works', () => {
    assert.equal(capabilitiesOf('gateway', 'claude-opus-5').toolSearch, false);
    assert.equal(
      capabilitiesOf('gateway', 'claude-opus-5', { forced: { toolReferences: true, toolSearch: true } }).toolSearch,
      true,
    );
  });
});
