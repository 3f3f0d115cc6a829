// What a server asks its client: the folders, a user's words, the model's. And two more reference servers at work.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type McpElicitation, type McpPeople } from '../../../../src/core/ports/mcp';
import { type McpSample } from '../../../../src/node/mcp/link';
import {
  closeServers,
  never,
  openServers,
  referenceServer,
  settled,
  statusOf,
  until,
} from '../../../support/mcp/run-servers';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';

describe('questions of MCP servers', () => {
  afterEach(closeServers);
  const text = async (
    servers: RunningMcpServers,
    tool: string,
    input: Record<string, unknown> = {},
  ): Promise<string> => {
    const outcome = await servers.callTool('server', tool, input, { signal: never });
    assert.ok(outcome.outcome === 'answered', JSON.stringify(outcome));
    return outcome.content.map((piece) => (piece.type === 'text' ? piece.text : piece.type)).join('\n');
  };
  /** The server offers some tools only once it knows what its client can do. */
  const opened = async (tool: string, options: Parameters<typeof openServers>[1] = {}): Promise<RunningMcpServers> => {
    const servers = openServers({ server: referenceServer('everything') }, options);
    await settled(servers);
    await until(servers, () => statusOf(servers, 'server').tools.some(({ name }) => name === tool));
    return servers;
  };
  const people = (asked: unknown[], allows = true): McpPeople => ({
    elicit: async (request: McpElicitation) => {
      asked.push(request);
      return { action: 'accept', content: { name: 'Ann' } };
    },
    allowSampling: async (request) => {
      asked.push(request);
      return allows;
    },
  });

  it('the folders of the workspace are its roots', async () => {
    const servers = await opened('get-roots-list', { folders: () => ['/w/one', '/w/two words'] });
    assert.match(await text(servers, 'get-roots-list'), /one.*file:\/\/\/w\/one.*file:\/\/\/w\/two%20words/s);
  });

  it('a form reaches the user, and the answer the server', async () => {
    const asked: unknown[] = [];
    const servers = await opened('trigger-elicitation-request', { people: people(asked) });
    assert.match(await text(servers, 'trigger-elicitation-request'), /Ann/);
    const [form] = asked as McpElicitation[];
    assert.ok(form?.kind === 'form' && form.server === 'server');
    const types = new Map(form.fields.map((field) => [field.name, field.type]));
    assert.ok(
      ['text', 'boolean', 'integer', 'choice', 'choices'].every((type) => [...types.values()].includes(type as never)),
      JSON.stringify([...types]),
    );
    assert.deepEqual(
      form.fields.filter(({ required }) => required).map(({ name }) => name),
      ['name'],
    );
  });

  it('the model is asked only where the user lets it through', async () => {
    const asked: unknown[] = [];
    const samples: McpSample[] = [];
    const sample = async (request: McpSample) => {
      samples.push(request);
      return { text: 'A poem.', model: 'small' };
    };
    const servers = await opened('trigger-sampling-request', { people: people(asked), sample });
    assert.match(await text(servers, 'trigger-sampling-request', { prompt: 'Write', maxTokens: 10 }), /A poem\./);
    assert.equal(samples[0]?.maxTokens, 10);
    assert.match(JSON.stringify(asked), /Write/);
    const refusing = await opened('trigger-sampling-request', { people: people([], false), sample });
    assert.match(await text(refusing, 'trigger-sampling-request', { prompt: 'Write', maxTokens: 10 }), /rejected/);
    assert.equal(samples.length, 1);
  });

  it('without a user neither is offered', async () => {
    const servers = openServers({ server: referenceServer('everything') });
    await settled(servers);
    const names = statusOf(servers, 'server').tools.map(({ name }) => name);
    assert.ok(
      !names.includes('trigger-elicitation-request') && !names.includes('trigger-sampling-request'),
      names.join(),
    );
  });

  it('the server of files reads and writes, and the one of memory remembers', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-mcp-')));
    try {
      await writeFile(path.join(folder, 'a.txt'), 'one');
      const files = openServers({ server: referenceServer('filesystem', folder) }, { folders: () => [folder] });
      await settled(files);
      assert.equal(await text(files, 'read_text_file', { path: path.join(folder, 'a.txt') }), 'one');
      await text(files, 'write_file', { path: path.join(folder, 'b.txt'), content: 'two' });
      assert.equal(await readFile(path.join(folder, 'b.txt'), 'utf8'), 'two');
      assert.equal(
        statusOf(files, 'server').tools.find(({ name }) => name === 'read_text_file')?.annotations.readOnlyHint,
        true,
      );
      const config = referenceServer('memory');
      assert.ok(config.type === 'stdio');
      const memory = openServers({
        server: { ...config, env: { MEMORY_FILE_PATH: path.join(folder, 'memory.json') } },
      });
      await settled(memory);
      await text(memory, 'create_entities', {
        entities: [{ name: 'Ann', entityType: 'user', observations: ['likes tea'] }],
      });
      assert.match(await text(memory, 'search_nodes', { query: 'tea' }), /Ann/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('a prompt of the server comes back as text', async () => {
    const servers = openServers({ server: referenceServer('everything') });
    await settled(servers);
    const prompt = statusOf(servers, 'server').prompts.find((one) => one.arguments.length > 0);
    assert.ok(prompt !== undefined);
    const input = Object.fromEntries(prompt.arguments.map(({ name }) => [name, 'Paris']));
    const outcome = await servers.prompt('server', prompt.name, input, never);
    assert.ok(
      outcome.outcome === 'answered' &&
        outcome.content.some((piece) => piece.type === 'text' && piece.text.includes('Paris')),
    );
  });
});
