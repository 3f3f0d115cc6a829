// A model server of one's own: no key, the plain Messages API, and nothing in the request that it does not know.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ModelError } from '../../../src/core/errors';
import { type ModelRequest, type StreamEvent } from '../../../src/core/model/wire';
import { createProviderClient } from '../../../src/providers/provider-client';

const fields = ['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'metadata', 'stream'];
const toolFields = ['name', 'description', 'input_schema', 'cache_control'];
const never = new AbortController().signal;

/** Everything that core may ever want, of a model whose name says nothing. */
const wishes: ModelRequest = {
  model: 'qwen3-coder:30b',
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' }, strict: true, defer_loading: true, eager_input_streaming: true, input_examples: [{}] }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
  metadata: { user_id: 's' },
  speed: 'fast',
  betas: ['context-management-2025-06-27'],
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
};

describe('a server of one’s own without a key', () => {
  let server: Server;
  let url: string;
  const headers: IncomingMessage['headers'][] = [];
  let models: object | undefined;

  before(async () => {
    server = createServer((request, response) => {
      headers.push(request.headers);
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      request.on('end', () => {
        if (request.method === 'GET') {
          response.writeHead(models === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(models ?? { error: 'Not found' }));
          return;
        }
        const body = JSON.parse(text) as Record<string, unknown> & { tools?: object[] };
        const unknown = [...Object.keys(body).filter((key) => !fields.includes(key)), ...(body.tools ?? []).flatMap((tool) => Object.keys(tool).filter((key) => !toolFields.includes(key)))];
        if (unknown.length > 0) {
          response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `unknown field ${unknown.join(', ')}` } }));
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const send = (type: string, rest: object): unknown => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
        send('message_start', { message: { id: 'm', type: 'message', role: 'assistant', content: [], model: body['model'], usage: { input_tokens: 1, output_tokens: 0 } } });
        send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
        send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello.' } });
        send('content_block_stop', { index: 0 });
        send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } });
        send('message_stop', {});
        response.end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    headers.length = 0;
    models = undefined;
  });

  const client = () => createProviderClient({ provider: 'anthropic', baseUrl: url, variables: {} });

  it('answers, and is sent neither a key nor a beta nor a field that it might not know', async () => {
    const events: StreamEvent[] = [];
    for await (const event of (await client()).stream(wishes, never)) events.push(event);
    assert.deepEqual(events.flatMap((event) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [])), ['Hello.']);
    const [sent] = headers;
    assert.deepEqual([sent?.['x-api-key'], sent?.authorization, sent?.['anthropic-beta']], [undefined, undefined, undefined]);
  });

  it('lists its models as such servers do', async () => {
    models = { object: 'list', data: [{ id: 'qwen3-coder:30b', object: 'model', created: 1, owned_by: 'library' }] };
    assert.deepEqual(await (await client()).listModels(never), [{ id: 'qwen3-coder:30b', displayName: 'qwen3-coder:30b' }]);
    assert.equal(headers[0]?.['x-api-key'], undefined);
  });

  it('says so where it has no list, and a name can be typed', async () => {
    await assert.rejects((await client()).listModels(never), (error) => error instanceof ModelError && error.details.kind === 'not_found');
  });
});
