// Sessions with tools of real servers: they are deferred, searched, loaded, called; and they come and go while the session runs.
import assert from 'node:assert/strict';
import { type HarnessOptions, createHarness, type Harness } from '../../../support/session-harness';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { reply, type ScriptedReply, toolUse } from '../../../support/messages-api/script';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { getTools } from '../../../../src/core/tools/registry';
import { type Availability } from '../../../../src/core/tool/tool';
import { closeServers, entryOf, openServers, referenceServer, settled } from '../../../support/mcp/run-servers';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const availability: Availability = {
  has: (port) => port === 'mcp',
  interactive: false,
  platform: 'linux',
  names: () => false,
};
const builtIn = getTools({ isDenied: () => false, simple: false, availability });

interface World {
  harness: Harness;
  model: ScriptedModel;
}

function open(
  servers: RunningMcpServers,
  script: ScriptedReply[],
  { native = true, ...more }: Partial<HarnessOptions> & { native?: boolean } = {},
): World {
  const model = createScriptedModel(script, native ? { provider: 'anthropic' } : {});
  const harness = createHarness({ model, tools: builtIn, ...more, ports: { mcp: servers, ...more.ports } });
  return { harness, model };
}

const names = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
const deferred = (request: ModelRequest | undefined): string[] =>
  (request?.tools ?? []).flatMap((tool) =>
    'defer_loading' in tool && tool.name.startsWith('mcp__') ? [tool.name] : [],
  );
const lastResult = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1)?.messages.at(-1));

const echo = 'mcp__everything__echo';

describe('sessions with MCP servers', () => {
  let servers: RunningMcpServers;
  beforeEach(async () => {
    servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
  });
  afterEach(closeServers);

  it('load a deferred tool by reference and call it, with the prefix as it was', async () => {
    const { harness, model } = open(servers, [
      reply(toolUse('ToolSearch', { query: 'select:mcp__everything__echo' }, 's1')),
      reply(toolUse(echo, { message: 'hi' }, 'e1')),
      reply('Done.'),
    ]);
    await harness.run('Echo hi');
    assert.deepEqual(model.violations, []);
    const [first, second, third] = model.requests;
    assert.ok(deferred(first).includes(echo));
    assert.match(
      JSON.stringify(second?.messages.at(-1)),
      /"content":\[\{"type":"tool_reference","tool_name":"mcp__everything__echo"\}\]/,
    );
    assert.deepEqual(second?.tools, first?.tools);
    assert.match(JSON.stringify(third?.messages.at(-1)), /Echo: hi/);
    assert.equal(harness.approvals[0]?.toolName, echo);
    assert.match(
      JSON.stringify(first?.messages),
      /# MCP server everything.*Load what you need with the tool search.*mcp__everything__echo/s,
    );
    const item = harness.chat().items.find((one) => one.kind === 'tool' && one.id === 'e1');
    assert.ok(item?.kind === 'tool');
    assert.equal(item.sentence.past, 'Asked everything: echo');
  });

  it('elsewhere leave deferred tools out and add loaded ones behind the others', async () => {
    const { harness, model } = open(
      servers,
      [
        reply(toolUse('ToolSearch', { query: 'echo' }, 's1')),
        reply(toolUse(echo, { message: 'hi' }, 'e1')),
        reply('Done.'),
      ],
      { native: false },
    );
    await harness.run('Echo hi');
    assert.deepEqual(model.violations, []);
    const [first, second, third] = model.requests;
    assert.ok(!names(first).some((name) => name.startsWith('mcp__')));
    assert.deepEqual(names(second).slice(0, names(first).length), names(first));
    assert.ok(names(second).includes(echo));
    assert.match(JSON.stringify(second?.messages), /The tool mcp__everything__echo can now be called/);
    assert.match(JSON.stringify(third?.messages.at(-1)), /Echo: hi/);
  });

  it('keep what is loaded when they are opened again, and where its server is gone', async () => {
    const first = open(servers, [reply(toolUse('ToolSearch', { query: `select:${echo}` }, 's1')), reply('Found.')]);
    await first.harness.run('Find it');
    const again = open(servers, [reply(toolUse(echo, { message: 'again' }, 'e1')), reply('Done.')], {
      records: first.harness.stored(),
      native: false,
    });
    await again.harness.run('Echo');
    assert.ok(names(again.model.requests[0]).includes(echo));
    assert.match(lastResult(again.model), /Echo: again/);
    const without = open(openServers({}), [reply(toolUse(echo, { message: 'x' }, 'e2')), reply('Gone.')], {
      records: first.harness.stored(),
    });
    await without.harness.run('Echo');
    assert.deepEqual(without.model.violations, []);
    assert.deepEqual(deferred(without.model.requests[0]), [echo]);
    assert.match(
      lastResult(without.model),
      /The tool mcp__everything__echo is unavailable: its MCP server is not connected/,
    );
    assert.equal(without.harness.approvals.length, 0);
  });

  it('keep what is loaded after a compaction, as a tool like any other', async () => {
    const { harness, model } = open(servers, [
      reply(toolUse('ToolSearch', { query: `select:${echo}` }, 's1')),
      reply('Found.'),
      reply('A summary.'),
      reply('On.'),
    ]);
    await harness.run('Find it');
    await featureOf(harness.session, compaction).byHand('', new AbortController().signal);
    await harness.run('Go on');
    assert.deepEqual(model.violations, []);
    const last = model.requests.at(-1);
    assert.ok(names(last).includes(echo) && !deferred(last).includes(echo));
  });

  it('send all tools where ENABLE_TOOL_SEARCH is false, and those of servers that are always loaded', async () => {
    const off = open(servers, [reply('Hi.')], {
      session: { toolSearch: { deferral: 'off', references: true, certain: false } },
    });
    await off.harness.run();
    assert.ok(names(off.model.requests[0]).includes(echo));
    assert.deepEqual(deferred(off.model.requests[0]), []);
    const always = openServers([
      entryOf('everything', referenceServer('everything'), { alwaysLoad: true }),
      entryOf('memory', referenceServer('memory')),
    ]);
    await settled(always);
    const mixed = open(always, [reply('Hi.')]);
    await mixed.harness.run();
    const sent = mixed.model.requests[0];
    assert.ok(names(sent).includes(echo) && !deferred(sent).includes(echo));
    assert.ok(deferred(sent).includes('mcp__memory__create_entities'));
  });

  it('find tools of a server that was still connecting, and are told of one that failed', async () => {
    const late = openServers({
      everything: referenceServer('everything'),
      broken: { type: 'stdio', command: 'no-such-program-anywhere', args: [], env: {} },
    });
    const { harness, model } = open(late, [
      reply(toolUse('ToolSearch', { query: 'echo' }, 's1')),
      reply(toolUse('ToolSearch', { query: 'zebra' }, 's2')),
      reply('Done.'),
    ]);
    await harness.run('Echo');
    assert.deepEqual(model.violations, []);
    assert.match(JSON.stringify(model.requests[1]?.messages), /"tool_name":"mcp__everything__echo"/);
    assert.match(lastResult(model), /broken: `no-such-program-anywhere` was not found/);
  });

  it('know an unknown tool from one that is not loaded', async () => {
    const { harness, model } = open(servers, [reply(toolUse('Frobnicate', {}, 'x1')), reply('Oh.')]);
    await harness.run();
    assert.match(
      lastResult(model),
      /No such tool available: Frobnicate\..*Use the tool search to find tools that are not loaded yet/,
    );
  });

  it('lose tools that a rule denies, one by one or a whole server', async () => {
    const rule = (toolName: string) => ({
      behavior: 'deny' as const,
      value: { toolName },
      source: 'userSettings' as const,
      root: '/home/ann',
    });
    for (const [denied, left] of [
      [echo, true],
      ['mcp__everything', false],
      ['mcp__everything__*', false],
      ['mcp__*', false],
    ] as const) {
      const { harness, model } = open(servers, [reply('Hi.')], {
        session: {
          permission: () => ({
            rules: [rule(denied)],
            folders: ['/w'],
            ownFolders: [],
            home: '/home/ann',
            ignoreCase: false,
            trusted: true,
          }),
        },
      });
      await harness.run();
      assert.ok(!names(model.requests[0]).includes(echo), denied);
      assert.equal(names(model.requests[0]).includes('mcp__everything__get-sum'), left, denied);
    }
  });

  it('run what a rule for the server allows without asking, and never what only its hint calls harmless', async () => {
    const allow = {
      behavior: 'allow' as const,
      value: { toolName: 'mcp__everything' },
      source: 'userSettings' as const,
      root: '/home/ann',
    };
    const allowed = open(servers, [reply(toolUse(echo, { message: 'a' }, 'e1')), reply('Done.')], {
      session: {
        permission: () => ({
          rules: [allow],
          folders: ['/w'],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    await allowed.harness.run();
    assert.equal(allowed.harness.approvals.length, 0);
    assert.match(lastResult(allowed.model), /Echo: a/);
  });

  it('show pictures to the model, keep them as files, and repeat no structured content', async () => {
    const { harness, model } = open(servers, [
      reply(
        toolUse('mcp__everything__get-tiny-image', {}, 'i1'),
        toolUse('mcp__everything__get-structured-content', { location: 'New York' }, 'i2'),
      ),
      reply('Nice.'),
    ]);
    await harness.run();
    assert.deepEqual(model.violations, []);
    assert.match(lastResult(model), /"type":"image","source":\{"type":"base64","media_type":"image\/png"/);
    assert.match(lastResult(model), /\[image\/png, [^\]]+: saved to \/results\/i1-\d+\.png\]/);
    assert.equal((lastResult(model).match(/temperature/g) ?? []).length, 1);
    assert.ok(harness.files.calls.some((call) => call.startsWith('writeOwnFile /results/i1-')));
  });
});
