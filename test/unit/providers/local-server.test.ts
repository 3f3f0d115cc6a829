// A model server of one's own: no key, the plain Messages API, and nothing in the request that it does not know.
import assert from 'node:assert/strict';
import { ModelError } from '../../../src/core/text/errors';
import { type ModelRequest, type StreamEvent } from '../../../src/core/wire/wire';
import { createProviderClient } from '../../../src/providers/provider-client';
import { type PlainServer, startPlainServer } from '../../support/plain-server';

const never = new AbortController().signal;

/** Everything that core may ever want, of a model whose name says nothing. */
const wishes: ModelRequest = {
  model: 'qwen3-coder:30b',
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [
    {
      name: 'Read',
      description: 'Reads.',
      input_schema: { type: 'object' },
      strict: true,
      defer_loading: true,
      eager_input_streaming: true,
      input_examples: [{}],
    },
  ],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
  metadata: { user_id: 's' },
  speed: 'fast',
  betas: ['context-management-2025-06-27'],
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
};

describe('a server of one’s own without a key', () => {
  let server: PlainServer;
  beforeEach(async () => (server = await startPlainServer()));
  afterEach(() => server.close());

  const client = () => createProviderClient({ provider: 'anthropic', baseUrl: server.url, variables: {} });

  it('answers, and is sent neither a key nor a beta nor a field that it might not know', async () => {
    const events: StreamEvent[] = [];
    for await (const event of (await client()).stream(wishes, never)) events.push(event);
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [],
      ),
      ['Hello.'],
    );
    const sent = server.requests[0]?.headers ?? {};
    assert.deepEqual(
      [sent['x-api-key'], sent.authorization, sent['anthropic-beta']],
      [undefined, undefined, undefined],
    );
  });

  it('lists its models as such servers do', async () => {
    server.models = {
      object: 'list',
      data: [{ id: 'qwen3-coder:30b', object: 'model', created: 1, owned_by: 'library' }],
    };
    assert.deepEqual(await (await client()).listModels(never), [
      { id: 'qwen3-coder:30b', displayName: 'qwen3-coder:30b' },
    ]);
    assert.equal(server.requests[0]?.headers['x-api-key'], undefined);
  });

  it('says so where it has no list, and a name can be typed', async () => {
    await assert.rejects(
      (await client()).listModels(never),
      (error) => error instanceof ModelError && error.details.kind === 'not_found',
    );
  });
});
