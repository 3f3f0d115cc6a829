// Servers as people have them, by the official packages and the official SDK's own class: they die, grow, hang, come late, and answer in their own words.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getTools } from '../../../../src/core/tools/registry';
import { settleServers } from '../../../../src/core/mcp/settle-servers';
import { type McpServerConfig } from '../../../../src/core/ports/mcp';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import {
  closeServers,
  entryOf,
  never,
  openServers,
  referenceServer,
  sdkServer,
  settled,
  statusOf,
  until,
} from '../../../support/mcp/run-servers';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type HarnessOptions } from '../../../support/session-harness';

const builtIn = getTools({
  isDenied: () => false,
  simple: false,
  availability: { has: (port) => port === 'mcp', interactive: false, platform: 'linux', names: () => false },
});

describe('MCP servers under real conditions', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'deft-mcp-'));
  });
  afterEach(async () => {
    await closeServers();
    await rm(folder, { recursive: true, force: true });
  });

  /** A reference server that writes the id of each of its processes into a file. */
  const tracked = (name: 'everything' | 'memory'): { config: McpServerConfig; pids: () => Promise<number[]> } => {
    const file = path.join(folder, 'pids');
    const config = referenceServer(name);
    assert.ok(config.type === 'stdio');
    const track = `data:text/javascript,import{appendFileSync}from'node:fs';appendFileSync(process.env.PIDS,process.pid+'%5Cn')`;
    return {
      config: {
        ...config,
        args: ['--import', track, ...config.args],
        env: { PIDS: file, MEMORY_FILE_PATH: path.join(folder, 'memory.json') },
      },
      pids: async () => (await readFile(file, 'utf8')).trim().split('\n').map(Number),
    };
  };
  const call = async (servers: RunningMcpServers, tool: string, input: Record<string, unknown> = {}) => {
    const [status] = servers.list();
    return servers.callTool(status?.entry.name ?? '', tool, input, { signal: never });
  };
  const open = (servers: RunningMcpServers, script: Parameters<typeof createScriptedModel>[0], more = {}) => {
    const model = createScriptedModel(script, { provider: 'anthropic' });
    const options: HarnessOptions = { model, tools: builtIn, ports: { mcp: servers }, ...more };
    return { harness: createHarness(options), model };
  };
  const lastResult = ({ requests }: ReturnType<typeof createScriptedModel>): string =>
    JSON.stringify(requests.at(-1)?.messages.at(-1));

  it('one that was killed is started by the next call, which waits for it; what it has stored is there', async () => {
    const { config, pids } = tracked('memory');
    const servers = openServers({ memory: config });
    await settled(servers);
    const entities = [{ name: 'Ann', entityType: 'user', observations: ['likes tea'] }];
    assert.equal((await call(servers, 'create_entities', { entities })).outcome, 'answered');
    process.kill((await pids())[0] ?? 0, 'SIGKILL');
    await until(servers, () => statusOf(servers, 'memory').state.kind === 'reconnecting');
    // All that call meanwhile share one start.
    const answers = await Promise.all([1, 2, 3].map(() => call(servers, 'search_nodes', { query: 'tea' })));
    for (const answer of answers) assert.match(JSON.stringify(answer), /"answered".*Ann/);
    assert.equal((await pids()).length, 2);
  });

  it('tells of progress, and of a call that is stopped, by a process too; the server goes on working', async () => {
    const servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
    const controller = new AbortController();
    const heard: string[] = [];
    const onProgress = (text: string): void => {
      heard.push(text);
      controller.abort();
    };
    const work = { duration: 60, steps: 60 };
    await assert.rejects(
      servers.callTool('everything', 'trigger-long-running-operation', work, {
        signal: controller.signal,
        onProgress,
      }),
    );
    assert.deepEqual(heard, ['1 of 60']);
    assert.match(JSON.stringify(await call(servers, 'get-sum', { a: 2, b: 3 })), /is 5/);
  });

  it('says what went wrong in its own words: those of a tool, and those of the protocol', async () => {
    const files = openServers({ files: referenceServer('filesystem', folder) }, { folders: () => [folder] });
    await settled(files);
    const { harness, model } = open(files, [
      reply(toolUse('mcp__files__read_text_file', { path: path.join(folder, 'none.txt') }, 'r1')),
      reply('Oh.'),
    ]);
    await harness.run('Read it');
    assert.match(lastResult(model), /"content":"ENOENT: no such file or directory.*"is_error":true/);
    const sdk = openServers({ sdk: sdkServer() });
    await settled(sdk);
    assert.deepEqual(await call(sdk, 'refuse'), {
      outcome: 'failed',
      message: 'The project must be a number, such as 7.',
    });
  });

  it('what a text and structured content both say goes once, however it is wrapped; what differs goes twice', async () => {
    await writeFile(path.join(folder, 'a.txt'), 'apple pie');
    const servers = openServers(
      { sdk: sdkServer(), files: referenceServer('filesystem', folder) },
      {
        folders: () => [folder],
      },
    );
    await settled(servers);
    const result = async (tool: string, input: Record<string, unknown> = {}): Promise<string> => {
      const { harness, model } = open(servers, [reply(toolUse(`mcp__${tool}`, input, 'c1')), reply('Good.')]);
      await harness.run('Go');
      return lastResult(model);
    };
    const times = (text: string): number => text.split('apple').length - 1;
    assert.equal(times(await result('files__read_text_file', { path: path.join(folder, 'a.txt') })), 1);
    assert.equal(times(await result('sdk__wrapped')), 1);
    assert.equal(times(await result('sdk__reordered')), 1);
    const both = await result('sdk__unlike');
    assert.match(both, /Two fruits\./);
    assert.match(both, /pear/);
  });

  it('with 200 tools names them, sends descriptions of 4,096 characters, and always one that asks for it', async () => {
    const servers = openServers({ sdk: sdkServer() });
    await settled(servers);
    const { harness, model } = open(servers, [
      reply(toolUse('ToolSearch', { query: 'select:mcp__sdk__numbered_199' }, 's1')),
      reply(toolUse('mcp__sdk__numbered_199', {}, 'n1')),
      reply('Done.'),
    ]);
    await harness.run('Go');
    assert.deepEqual(model.violations, []);
    assert.match(lastResult(model), /numbered_199 is done/);
    const tools = (model.requests[0]?.tools ?? []) as { name: string; description: string; defer_loading?: true }[];
    const found = (name: string) => tools.find((tool) => tool.name === `mcp__sdk__${name}`);
    assert.equal(found('urgent')?.defer_loading, undefined);
    assert.equal(found('numbered_0')?.defer_loading, true);
    assert.equal(found('long')?.description.length, 4_096);
    assert.match(found('long')?.description ?? '', /^d{4000}/);
    assert.equal(tools.filter(({ name }) => name.startsWith('mcp__sdk__numbered_')).length, 200);
  });

  it('a list that grows while a turn runs is told of with its next request, and the new tool can be called', async () => {
    const servers = openServers({ sdk: sdkServer() });
    await settled(servers);
    const has = (): boolean => statusOf(servers, 'sdk').tools.some(({ name }) => name === 'grown');
    const answer: HarnessOptions['answer'] = async ({ toolUseId }) => {
      if (toolUseId === 'g2') await until(servers, has);
      return { behavior: 'allow' };
    };
    const { harness, model } = open(
      servers,
      [
        reply(toolUse('mcp__sdk__grow', {}, 'g1'), toolUse('mcp__sdk__numbered_1', {}, 'g2')),
        reply(toolUse('ToolSearch', { query: 'select:mcp__sdk__grown' }, 's1')),
        reply(toolUse('mcp__sdk__grown', {}, 'c1')),
        reply('Done.'),
      ],
      { answer },
    );
    await harness.run('Go');
    assert.deepEqual(model.violations, []);
    const told = model.requests.map(({ messages }) => JSON.stringify(messages).split('mcp__sdk__grown').length - 1);
    assert.deepEqual(told.slice(0, 2), [0, 1]);
    assert.match(lastResult(model), /grown is done/);
  });

  it('one that asks a user whom it has not got is answered no', async () => {
    const servers = openServers({ sdk: sdkServer() });
    await settled(servers);
    assert.match(JSON.stringify(await call(servers, 'ask')), /The user chose: decline\./);
  });

  it('only one that is needed is waited for; another is told as still to come, and joins a turn that runs', async () => {
    const gate = path.join(folder, 'gate');
    const needed = entryOf('needed', referenceServer('everything'), { alwaysLoad: true });
    const servers = openServers([entryOf('late', sdkServer({ GATE: gate })), needed]);
    await settleServers(servers, 60_000, never);
    assert.deepEqual(
      servers.list().map(({ state }) => state.kind),
      ['connecting', 'connected'],
    );
    const answer: HarnessOptions['answer'] = async ({ toolUseId }) => {
      if (toolUseId === 'e1') {
        await writeFile(gate, '');
        await settled(servers);
      }
      return { behavior: 'allow' };
    };
    const { harness, model } = open(
      servers,
      [
        reply(toolUse('mcp__needed__echo', { message: 'hi' }, 'e1')),
        reply(toolUse('ToolSearch', { query: 'select:mcp__late__grow' }, 's1')),
        reply(toolUse('mcp__late__grow', {}, 'c1')),
        reply('Done.'),
        reply('Still done.'),
      ],
      { answer },
    );
    await harness.run('Go');
    await harness.run('And again');
    assert.deepEqual(model.violations, []);
    const words = (request: (typeof model.requests)[number] | undefined): string => JSON.stringify(request?.messages);
    assert.equal(words(model.requests[0]).split('# MCP server late\\n\\nIt is still connecting.').length, 2);
    assert.doesNotMatch(words(model.requests[0]), /mcp__late__/);
    assert.match(words(model.requests[1]), /# MCP server late.*These of its tools are not loaded yet.*mcp__late__grow/);
    const last = words(model.requests.at(-1));
    assert.match(last, /It has grown/);
    assert.equal(last.split('It is still connecting.').length, 2);
  });
});
