// The scripted Messages API refuses what the real one refuses: one case a rule, on top of a conversation that passes.
import assert from 'node:assert/strict';
import { reply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type MessagesApiOptions } from '../../support/messages-api/server';
import { assistant, body, headers, image, mark, post, result, tool, use, user, type Body } from './raw-requests';

const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
const serverUse = (id: string): Body => ({
  type: 'server_tool_use',
  id,
  name: 'tool_search_tool_bm25',
  input: { query: 'x' },
});
const found = (id: string, ...names: string[]): Body => ({
  type: 'tool_search_tool_result',
  tool_use_id: id,
  content: {
    type: 'tool_search_tool_search_result',
    tool_references: names.map((name) => ({ type: 'tool_reference', tool_name: name })),
  },
});

describe('scripted Messages API, rules', () => {
  let server: MessagesApi;
  const start = async (options: MessagesApiOptions = {}): Promise<void> => {
    server = await startMessagesApi(() => reply('fine'), options);
  };
  afterEach(() => server.close());

  const refused: [rule: string, payload: Body, message: RegExp][] = [
    ['max-tokens', { model: 'm', messages: [user('a')] }, /max_tokens: Field required/],
    ['defer-loading', body([user('a')], { tools: [{ ...tool('A'), defer_loading: true }] }), /At least one tool/],
    [
      'tool-reference',
      body(
        [
          user('a'),
          assistant([use('t1')]),
          user([{ ...result('t1'), content: [{ type: 'tool_reference', tool_name: 'B' }] }]),
        ],
        { tools: [tool('A'), tool('B')] },
      ),
      /Tool reference 'B' not found/,
    ],
    [
      'tool-reference',
      body([user('a'), assistant([serverUse('srvtoolu_1'), found('srvtoolu_1', 'B')]), user('b')], {
        tools: [tool('A'), tool('B')],
      }),
      /Tool reference 'B' not found/,
    ],
    [
      'server-tool',
      body([user('a')], {
        tools: [tool('A'), { type: 'tool_search_tool_bm25_20991231', name: 'tool_search_tool_bm25' }],
      }),
      /tools\.1: Input tag/,
    ],
    [
      'server-tool',
      body([user('a')], { tools: [tool('A'), { type: 'tool_search_tool_bm25_20251119', name: 'search' }] }),
      /name: Input should be 'tool_search_tool_bm25'/,
    ],
    [
      'server-tool',
      body([user('a')], { tools: [tool('A'), { ...search, defer_loading: true }] }),
      /cannot be deferred/,
    ],
    [
      'server-tool',
      body([user('a')], { tools: [tool('A'), { ...search, description: 'x' }] }),
      /description: Extra inputs/,
    ],
    ['block-type', body([user('a'), assistant([{ type: 'made_up' }]), user('b')]), /Input tag 'made_up'/],
    ['server-tool-use', body([user('a'), assistant([serverUse('toolu_1'), found('toolu_1')]), user('b')]), /srvtoolu_/],
    [
      'server-tool-use',
      body([user('a'), assistant([{ ...serverUse('srvtoolu_1'), name: 'Read' }, found('srvtoolu_1')]), user('b')]),
      /one of the server tools/,
    ],
    [
      'tool-search-result',
      body([
        user('a'),
        assistant([
          serverUse('srvtoolu_1'),
          {
            type: 'tool_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: { type: 'tool_search_tool_result_error' },
          },
        ]),
        user('b'),
      ]),
      /content: Field required/,
    ],
    [
      'server-tool-pair',
      body([user('a'), assistant([serverUse('srvtoolu_1')]), user('b')]),
      /without a corresponding result/,
    ],
    [
      'server-tool-pair',
      body([user('a'), assistant([found('srvtoolu_1')]), user('b')]),
      /without its `server_tool_use`/,
    ],
    [
      'server-tool-pair',
      body([
        user('a'),
        assistant([serverUse('srvtoolu_1'), use('t1')]),
        user([result('t1'), { type: 'text', text: 'b' }]),
      ]),
      /without a corresponding result/,
    ],
    ['max-tokens', body([user('a')], { max_tokens: 0 }), /greater than or equal to 1/],
    ['model', { max_tokens: 1, messages: [user('a')] }, /model: Field required/],
    ['messages', { model: 'm', max_tokens: 1 }, /messages: Field required/],
    ['messages', body([]), /at least one message/],
    ['unknown-field', body([user('a')], { betas: ['x'] }), /betas: Extra inputs/],
    ['unknown-field', body([user('a')], { context_management: {} }), /context_management: Extra inputs/],
    ['unknown-field', body([{ ...user('a'), uuid: '1' }]), /messages\.0\.uuid: Extra inputs/],
    ['unknown-field', body([user([{ type: 'text', text: 'a', id: '1' }])]), /content\.0\.text\.id: Extra inputs/],
    ['first-role', body([assistant('a'), user('b')]), /first message/],
    ['role', body([user('a'), { role: 'system', content: 'b' }]), /Unexpected role "system"/],
    ['role', body([{ role: 'tool', content: 'b' }]), /Unexpected role "tool"/],
    ['content', body([{ role: 'user' }]), /string or a list/],
    ['empty-content', body([user('')]), /messages\.0: all messages must have non-empty content/],
    ['empty-content', body([user('a'), assistant([]), user('b')]), /messages\.1: all messages must have/],
    ['empty-text', body([user([{ type: 'text', text: '' }])]), /must be non-empty/],
    ['blank-text', body([user(' \n')]), /non-whitespace/],
    ['empty-text', body([user('a')], { system: [{ type: 'text', text: '' }] }), /system\.0/],
    ['system', body([user('a')], { system: [{ type: 'image' }] }), /system\.0: Input should be a text block/],
    ['citations', body([user([{ type: 'text', text: 'a', citations: [{}] }])]), /not allowed in user/],
    ['block-role', body([user('a'), assistant([{ type: 'document', source: {} }])]), /`document` blocks/],
    ['trailing-whitespace', body([user('a'), assistant('b \n')]), /trailing whitespace/],
    ['trailing-whitespace', body([user('a'), assistant('  ')]), /non-whitespace/],
    ['block-type', body([user([{ text: 'a' }])]), /type: Field required/],
    ['block-role', body([user([use('t1')]), user('b')]), /`tool_use` blocks are not allowed .* "user"/],
    ['block-role', body([user('a'), assistant([result('t1')])]), /`tool_result` blocks are not allowed .* "assistant"/],
    [
      'tool-use-input',
      body([user('a'), assistant([{ ...use('t1'), input: 'x' }]), user([result('t1')])]),
      /valid dictionary/,
    ],
    ['tool-use-id', body([user('a'), assistant([use('t 1')]), user([result('t 1')])]), /tool_use\.id/],
    [
      'tool-use-name',
      body([user('a'), assistant([{ ...use('t1'), name: 'a.b' }]), user([result('t1')])]),
      /tool_use\.name/,
    ],
    [
      'tool-result-missing',
      body([user('a'), assistant([use('t1')]), user('b')]),
      /without `tool_result` blocks .*: t1\./,
    ],
    ['tool-result-missing', body([user('a'), assistant([use('t1')])]), /messages\.1: .*t1/],
    ['tool-result-missing', body([user('a'), assistant([use('t1'), use('t2')]), user([result('t1')])]), /after: t2\./],
    [
      'tool-result-late',
      body([user('a'), assistant([use('t1')]), user('b'), assistant('c'), user([result('t1')])]),
      /t1/,
    ],
    ['tool-result-unknown', body([user([result('t9')])]), /unexpected `tool_use_id`.*t9/],
    [
      'tool-result-duplicate',
      body([user('a'), assistant([use('t1')]), user([result('t1'), result('t1')])]),
      /single result/,
    ],
    [
      'tool-use-id-unique',
      body([user('a'), assistant([use('t1')]), user([result('t1')]), assistant([use('t1')]), user([result('t1')])]),
      /must be unique: t1/,
    ],
    [
      'tool-result-first',
      body([
        user('a'),
        assistant([use('t1'), use('t2')]),
        user([result('t1'), { type: 'text', text: 'x' }, result('t2')]),
      ]),
      /messages\.2\.content\.1: .*before all other content/,
    ],
    [
      'tool-result-first',
      body([user('a'), assistant([use('t1')]), user([{ type: 'text', text: 'x' }, result('t1')])]),
      /content\.0/,
    ],
    [
      'tool-result-error-empty',
      body([user('a'), assistant([use('t1')]), user([result('t1', { is_error: true, content: '' })])]),
      /cannot be empty if `is_error`/,
    ],
    [
      'tool-result-error-empty',
      body([user('a'), assistant([use('t1')]), user([result('t1', { is_error: true, content: [] })])]),
      /cannot be empty/,
    ],
    [
      'tool-result-error-text',
      body([
        user('a'),
        assistant([use('t1')]),
        user([
          result('t1', {
            is_error: true,
            content: [
              { type: 'text', text: 'x' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          }),
        ]),
      ]),
      /all content must be type `text` if `is_error` is true/,
    ],
    [
      'tool-result-error',
      body([user('a'), assistant([use('t1')]), user([result('t1', { is_error: 'yes' })])]),
      /valid boolean/,
    ],
    [
      'tool-result-content',
      body([user('a'), assistant([use('t1')]), user([result('t1', { content: [use('t2')] })])]),
      /'tool_use'/,
    ],
    [
      'tool-result-content',
      body([user('a'), assistant([use('t1')]), user([result('t1', { content: 5 })])]),
      /string or a list/,
    ],
    [
      'tool-result-id',
      body([user('a'), assistant([use('t1')]), user([{ type: 'tool_result', content: 'x' }])]),
      /Field required/,
    ],
    [
      'empty-text',
      body([user('a'), assistant([use('t1')]), user([result('t1', { content: [{ type: 'text', text: '' }] })])]),
      /tool_result\.content\.0: text content blocks must be non-empty/,
    ],
    ['media-type', body([user([image('image/bmp', 'AAAA')])]), /media_type: Input should be 'image\/jpeg'/],
    ['base64', body([user([image('image/png', 'data:image/png;base64,AAAA')])]), /Invalid base64/],
    ['base64', body([user([image('image/png', '')])]), /Invalid base64/],
    ['source', body([user([{ type: 'image' }])]), /source: Field required/],
    ['media-type', body([user([{ ...image('image/png', 'AAAA'), type: 'document' }])]), /application\/pdf/],
    ['tool-name', body([user('a')], { tools: [tool('a.b')] }), /tools\.0\.name/],
    ['tool-name', body([user('a')], { tools: [tool('a'.repeat(65))] }), /tools\.0\.name/],
    ['tool-name-unique', body([user('a')], { tools: [tool('a'), tool('a')] }), /must be unique: a/],
    ['tool-schema', body([user('a')], { tools: [tool('a', { input_schema: {} })] }), /input_schema\.type/],
    ['tool-schema', body([user('a')], { tools: [{ name: 'a' }] }), /input_schema: Field required/],
    ['tool-description', body([user('a')], { tools: [tool('a', { description: 1 })] }), /description/],
    ['unknown-field', body([user('a')], { tools: [tool('a', { aliases: [] })] }), /tools\.0\.aliases/],
    ['server-tool', body([user('a')], { tools: [{ type: 'web_search_20250305', name: 'search' }] }), /'web_search'/],
    [
      'server-tool',
      body([user('a')], { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 0 }] }),
      /greater than 0/,
    ],
    [
      'server-tool',
      body([user('a')], {
        tools: [
          { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['a.b'], blocked_domains: ['c.d'] },
        ],
      }),
      /only one of/,
    ],
    [
      'server-tool',
      body([user('a')], {
        tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['https://a.b'] }],
      }),
      /without a scheme/,
    ],
    [
      'unknown-field',
      body([user('a')], { tools: [{ type: 'web_search_20250305', name: 'web_search', uses: 1 }] }),
      /tools\.0\.uses/,
    ],
    ['tool-choice', body([user('a')], { tool_choice: { type: 'auto' } }), /only be specified while providing tools/],
    [
      'tool-choice',
      body([user('a')], { tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } }),
      /'b' not found/,
    ],
    ['tool-choice', body([user('a')], { tools: [tool('a')], tool_choice: { type: 'all' } }), /tool_choice\.type/],
    ['thinking-config', body([user('a')], { thinking: { type: 'on' } }), /thinking\.type/],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 10 } }),
      /1024/,
    ],
    [
      'thinking-config',
      body([user('a')], {
        model: 'claude-opus-5',
        thinking: { type: 'enabled', budget_tokens: 1024 },
        max_tokens: 4000,
      }),
      /"thinking\.type\.enabled" is not supported/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-fable-5', thinking: { type: 'disabled' } }),
      /"thinking\.type\.disabled" is not supported/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } }),
      /"thinking\.type\.adaptive" is not supported/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'max' } }),
      /not supported at effort 'max'/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-fable-5-1', thinking: { type: 'adaptive', block_binding: {} } }),
      /block_binding: Extra inputs/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-opus-5-5', tools: [tool('a')], tool_choice: { type: 'any' } }),
      /forces tool use/,
    ],
    [
      'effort',
      body([user('a')], { model: 'claude-haiku-4-5', output_config: { effort: 'low' } }),
      /'low' is not supported/,
    ],
    [
      'thinking-start',
      body([user('a'), assistant([use('t1')]), user([result('t1')])], {
        model: 'claude-haiku-4-5',
        max_tokens: 4000,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      }),
      /must start with a thinking block/,
    ],
    [
      'thinking-off',
      body(
        [user('a'), assistant([{ type: 'thinking', thinking: 'a', signature: 's' }, use('t1')]), user([result('t1')])],
        { model: 'claude-haiku-4-5' },
      ),
      /cannot contain `thinking`/,
    ],
    ['output-format', body([user('a')], { output_config: { format: { type: 'json' } } }), /json_schema/],
    [
      'output-format',
      body([user('a')], {
        output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
      }),
      /additionalProperties/,
    ],
    [
      'output-format',
      body([user('a')], {
        output_config: {
          format: {
            type: 'json_schema',
            schema: { type: 'object', additionalProperties: false, properties: { a: { type: 'integer', minimum: 1 } } },
          },
        },
      }),
      /'minimum' is not supported/,
    ],
    [
      'thinking-config',
      body([user('a')], { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 2000 } }),
      /must be greater than/,
    ],
    [
      'thinking-config',
      body([user('a')], {
        model: 'claude-haiku-4-5',
        max_tokens: 4000,
        thinking: { type: 'enabled', budget_tokens: 2000 },
        tools: [tool('a')],
        tool_choice: { type: 'any' },
      }),
      /forces tool use/,
    ],
    [
      'cache-control-count',
      body([user(['a', 'b', 'c'].map((letter) => ({ type: 'text', text: letter, ...mark })))], {
        system: [{ type: 'text', text: 's', ...mark }],
        tools: [tool('a', mark)],
      }),
      /maximum of 4 .* Found 5/,
    ],
    [
      'cache-control-count',
      body([user(['a', 'b', 'c', 'd'].map((letter) => ({ type: 'text', text: letter, ...mark })))], mark),
      /Found 5/,
    ],
    ['cache-control', body([user([{ type: 'text', text: 'a', cache_control: { type: 'forever' } }])]), /ephemeral/],
    [
      'cache-control-order',
      body([user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }])], {
        system: [{ type: 'text', text: 's', ...mark }],
      }),
      /must not come after/,
    ],
    ['cache-control-empty-text', body([user([{ type: 'text', text: '', ...mark }])]), /cache_control cannot be set/],
  ];

  for (const [rule, payload, message] of refused) {
    it(`${rule}: ${message.source}`, async () => {
      await start();
      const { status, answer } = await post(server, payload);
      assert.equal(status, 400);
      assert.equal(answer.error?.type, 'invalid_request_error');
      assert.match(answer.error.message, message);
      assert.ok(
        server.violations.some((violation) => violation.rule === rule && violation.request === 0),
        JSON.stringify(server.violations),
      );
    });
  }

  const accepted: [name: string, payload: Body][] = [
    ['a plain prompt', body([user('a')])],
    ['two user messages in a row', body([user('a'), user('b')])],
    ['an empty final assistant message', body([user('a'), assistant([])])],
    [
      'results out of order, then text and an image',
      body([
        user('a'),
        assistant([{ type: 'text', text: 'b' }, use('t1'), use('t2')]),
        user([result('t2'), result('t1', { is_error: true }), { type: 'text', text: 'x' }, image('image/png', 'AAAA')]),
      ]),
    ],
    ['an empty result', body([user('a'), assistant([use('t1')]), user([result('t1', { content: '' })])])],
    [
      'a result with blocks',
      body([
        user('a'),
        assistant([use('t1')]),
        user([result('t1', { content: [{ type: 'text', text: 'x' }, image('image/webp', 'AAAA')] })]),
      ]),
    ],
    [
      'four marks, long before short',
      body(
        [
          user([
            { type: 'text', text: 'a', ...mark },
            { type: 'text', text: 'b', ...mark },
          ]),
        ],
        {
          tools: [tool('a', { cache_control: { type: 'ephemeral', ttl: '1h' } })],
          system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
      ),
    ],
    ['a server tool', body([user('a')], { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] })],
  ];
  for (const [name, payload] of accepted) {
    it(`accepts ${name}`, async () => {
      await start();
      const { status, answer } = await post(server, payload);
      assert.equal(status, 200, answer.error?.message);
      assert.deepEqual(server.violations, []);
    });
  }

  it('wants a key and a version, and knows a wrong key and an unknown model', async () => {
    await start({ expectedKey: 'right', models: ['claude-opus-5'] });
    const { 'x-api-key': _key, ...noKey } = headers;
    const { 'anthropic-version': _version, ...noVersion } = headers;
    const bearer = { ...noKey, authorization: 'Bearer right' };
    const cases: [Record<string, string>, Body, number, string][] = [
      [noKey, body([user('a')]), 401, 'authentication_error'],
      [noVersion, body([user('a')]), 400, 'invalid_request_error'],
      [headers, body([user('a')]), 401, 'authentication_error'],
      [{ ...bearer, authorization: 'Bearer wrong' }, body([user('a')]), 401, 'authentication_error'],
      [bearer, body([user('a')], { model: 'claude-1' }), 404, 'not_found_error'],
    ];
    for (const [sent, payload, status, type] of cases) {
      const got = await post(server, payload, sent);
      assert.deepEqual([got.status, got.answer.error?.type], [status, type]);
    }
    assert.equal((await post(server, body([user('a')]), bearer)).status, 200);
    assert.deepEqual(
      server.violations.map((violation) => violation.rule),
      ['key-header', 'version-header'],
    );
  });

  it('knows both API versions, the newer without sampling fields', async () => {
    await start();
    const payload = body([user('a')], { temperature: 0.5 });
    assert.equal((await post(server, payload)).status, 200);
    const { answer } = await post(server, payload, { ...headers, 'anthropic-version': '2026-10-21' });
    assert.match(answer.error?.message ?? '', /temperature: Extra inputs/);
    assert.equal((await post(server, payload, { ...headers, 'anthropic-version': '2024-01-01' })).status, 400);
  });

  it('takes system messages, beta fields and unknown thinking where allowed', async () => {
    await start({ allowSystemRole: true, acceptUnknownThinking: true });
    const payload = body(
      [
        user('a'),
        assistant([{ type: 'thinking', thinking: 't', signature: 's' }, use('t1')]),
        user([result('t1')]),
        { role: 'system', content: 'b' },
      ],
      { context_management: {} },
    );
    assert.equal((await post(server, payload, { ...headers, 'anthropic-beta': 'a, b' })).status, 200);
    assert.deepEqual(server.violations, []);
  });

  it('refuses a body that is not JSON', async () => {
    await start();
    const { status, answer } = await post(server, '{"model":');
    assert.equal(status, 400);
    assert.match(answer.error?.message ?? '', /not valid JSON/);
  });

  it('checks count_tokens by the same rules, without max_tokens', async () => {
    await start({ countTokens: () => 42 });
    const path = '/v1/messages/count_tokens';
    assert.deepEqual((await post(server, { model: 'm', messages: [user('a')] }, headers, path)).answer, {
      input_tokens: 42,
    });
    assert.equal((await post(server, { model: 'm', messages: [user('')] }, headers, path)).status, 400);
    assert.deepEqual(
      server.violations.map(({ request, rule }) => [request, rule]),
      [[-1, 'empty-content']],
    );
  });
});
