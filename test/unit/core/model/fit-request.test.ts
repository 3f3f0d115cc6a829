// The guard: nothing goes out that the model's provider does not take, for every provider and model; what stays is the same object.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { thinkingBindingBeta } from '../../../../src/core/model/betas';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type ModelCapabilities, type ProviderId } from '../../../../src/core/wire/model-capabilities';
import { fitRequest } from '../../../../src/core/model/fit-request';
import { knownModelIds } from '../../../../src/core/model/models';
import {
  type Effort,
  type Message,
  type ModelRequest,
  type Thinking,
  type ToolChoice,
} from '../../../../src/core/wire/wire';

const mark = { type: 'ephemeral', ttl: '1h' } as const;
const plainMessage: Message = { role: 'user', content: [{ type: 'text', text: 'hello' }] };
const messages: Message[] = [
  plainMessage,
  {
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'i' } },
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'd' } },
      { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 't', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srv1',
        content: [{ type: 'web_search_result', title: 'Page', url: 'https://a.test/', encrypted_content: 'e' }],
      },
      { type: 'server_tool_use', id: 'srv2', name: 'tool_search_tool_bm25', input: {} },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 'srv2',
        content: {
          type: 'tool_search_tool_search_result',
          tool_references: [{ type: 'tool_reference', tool_name: 'Late' }],
        },
      },
      { type: 'text', text: 'said', citations: [{ type: 'web_search_result_location' }], cache_control: mark },
      { type: 'tool_use', id: 'c1', name: 'Read', input: {}, cache_control: mark },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        cache_control: mark,
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'i' } },
          { type: 'tool_reference', tool_name: 'Late' },
        ],
      },
    ],
  },
  { role: 'assistant', content: [{ type: 'compaction', content: 'a summary' }, { type: 'fallback' }] },
  { role: 'assistant', content: [{ type: 'thinking', thinking: 'alone', signature: 's' }] },
  { role: 'user', content: [{ type: 'text', text: 'go on', cache_control: { type: 'ephemeral' } }] },
];
const tools: ModelRequest['tools'] = [
  {
    name: 'Read',
    description: 'reads',
    input_schema: {},
    strict: true,
    input_examples: [{}],
    eager_input_streaming: true,
    cache_control: mark,
  },
  { name: 'Late', description: 'late', input_schema: {}, defer_loading: true },
  { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
  { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
];
const full = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model,
  max_tokens: 500_000,
  system: [{ type: 'text', text: 's', cache_control: mark }],
  tools,
  messages,
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'max', format: { type: 'json_schema', schema: {} } },
  tool_choice: { type: 'any' },
  metadata: { user_id: 'u' },
  speed: 'fast',
  betas: ['some-beta-2026-01-01', thinkingBindingBeta],
  context_management: {
    edits: [
      { type: 'clear_thinking_20251015', keep: 'all' },
      { type: 'clear_tool_uses_20250919' },
      { type: 'compact_20260112' },
    ],
  },
  ...more,
});

/** Every object in it. */
function* parts(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const one of Object.values(value)) yield* parts(one);
}

/** What is there although it is not taken. */
type Not = (taken: boolean, there: boolean, what: string) => void;

/** The same for one of its objects. */
function lackingPart(part: Record<string, unknown>, can: ModelCapabilities, not: Not): void {
  const type = typeof part['type'] === 'string' ? part['type'] : '';
  not(can.caching, 'cache_control' in part, 'a cache mark');
  not(can.longCaching, type === 'ephemeral' && 'ttl' in part, 'an hour of cache');
  not(can.images, type === 'image', 'an image');
  not(can.pdf, type === 'document', 'a document');
  not(can.fileAddresses, type === 'url', 'an address');
  not(can.citations, Array.isArray(part['citations']), 'citations');
  not(can.toolReferences || (can.toolSearch && type !== ''), type === 'tool_reference', 'a reference');
  not(
    can.toolSearch,
    type.startsWith('tool_search') || part['name'] === 'tool_search_tool_bm25',
    'the search over tools',
  );
  not(can.webSearch, type.startsWith('web_search') || part['name'] === 'web_search', 'the search of the web');
  not(can.thinking !== 'none', type === 'thinking' || type === 'redacted_thinking', 'thinking in the history');
  not(can.apiCompaction, type === 'compaction' || type === 'compact_20260112', 'compaction by the API');
  not(can.contextEditing, type === 'clear_tool_uses_20250919', 'clearing of results');
  not(can.thinkingClearing, type === 'clear_thinking_20251015', 'clearing of thinking');
  not(can.strictTools, 'strict' in part, 'strict tools');
  not(can.toolExamples, 'input_examples' in part, 'examples');
  not(can.eagerToolStreaming, 'eager_input_streaming' in part, 'eager streaming');
  not(can.toolReferences, 'defer_loading' in part, 'deferred tools');
}

/** A sentence for each thing in the request that the capabilities lack. */
function lacking(request: ModelRequest, can: ModelCapabilities): string[] {
  const found: string[] = [];
  const not: Not = (taken, there, what) => void (there && !taken && found.push(what));
  for (const part of parts({ ...request, tools: request.tools })) {
    lackingPart(part, can, not);
  }
  const { thinking, output_config: output, tool_choice: choice } = request;
  const forced = choice?.type === 'any' || choice?.type === 'tool';
  not(can.metadata, request.metadata !== undefined, 'metadata');
  not(can.fast, request.speed !== undefined, 'speed');
  not(can.betas, request.betas !== undefined || request.context_management !== undefined, 'betas');
  not(can.structuredOutput, output?.format !== undefined, 'a schema');
  not(output?.effort !== undefined && can.efforts.includes(output.effort), output?.effort !== undefined, 'effort');
  not(can.forcedTools, forced, 'a forced call');
  not(thinking?.type !== 'enabled', forced, 'a forced call beside thinking with a budget');
  not(can.blockBinding, thinking !== undefined && 'block_binding' in thinking, 'block binding');
  not(can.blockBinding, (request.betas ?? []).includes(thinkingBindingBeta), 'the header of block binding');
  not(can.thinkingDisplay, thinking !== undefined && 'display' in thinking, 'display');
  const kinds = {
    none: [],
    budget: ['enabled', can.thinkingOff],
    adaptive: ['adaptive', can.thinkingOff],
    always: ['adaptive'],
  } as const;
  not(
    thinking !== undefined && (kinds[can.thinking] as readonly unknown[]).includes(thinking.type),
    thinking !== undefined,
    `thinking ${thinking?.type ?? ''}`,
  );
  not(request.max_tokens <= can.maxOutputTokens, true, 'so much output');
  not(
    false,
    request.messages.some(({ content }) => content.length === 0),
    'an empty message',
  );
  const calls = new Set(
    [...parts(request.messages)].flatMap((part) => (part['type'] === 'server_tool_use' ? [part['id']] : [])),
  );
  const answers = [...parts(request.messages)].flatMap((part) =>
    typeof part['type'] === 'string' && part['type'].endsWith('_tool_result') ? [part['tool_use_id']] : [],
  );
  not(false, answers.some((id) => !calls.has(id)) || answers.length !== calls.size, 'half of a pair');
  return found;
}

const providers: ProviderId[] = ['anthropic', 'gateway', 'bedrock', 'vertex', 'foundry', 'vscode', 'demo'];
const models = [
  ...knownModelIds,
  'claude-opus-7',
  'claude-sonnet-4-5[1m]',
  'us.anthropic.claude-opus-4-6-v1',
  'my-local-model',
];

describe('fitting a request', () => {
  it('leaves nothing in that the capabilities lack, for every provider, model, kind of thinking, effort and choice; twice is as once', () => {
    const thinkings: (Thinking | undefined)[] = [
      undefined,
      { type: 'adaptive', display: 'omitted', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      { type: 'enabled', budget_tokens: 4_000, display: 'summarized' },
      { type: 'disabled' },
      { type: 'between_tools' },
    ];
    const efforts: (Effort | undefined)[] = [undefined, 'low', 'high', 'xhigh', 'max'];
    const choices: (ToolChoice | undefined)[] = [
      undefined,
      { type: 'any' },
      { type: 'tool', name: 'Read' },
      { type: 'tool', name: 'web_search' },
      { type: 'none' },
    ];
    let checked = 0;
    for (const provider of providers) {
      for (const model of models) {
        for (const facts of [
          {},
          { features: 'all' },
          { features: 'plain' },
          { withoutBetas: true },
          { forced: { thinking: 'none', images: false, pdf: false, citations: false } },
        ] as const) {
          const can = capabilitiesOf(provider, model, facts);
          for (const [index, thinking] of thinkings.entries()) {
            const effort = efforts[(index + checked) % efforts.length];
            const choice = choices[(index + checked + 1) % choices.length];
            const {
              thinking: _thinking,
              tool_choice: _choice,
              ...rest
            } = full(model, {
              output_config: {
                ...defined({ effort }),
                format: { type: 'json_schema', schema: {} },
              },
            });
            const request: ModelRequest = {
              ...rest,
              ...defined({ thinking, tool_choice: choice }),
            };
            const before = JSON.stringify(request);
            const once = fitRequest(request, can);
            const what = `${provider} ${model} ${JSON.stringify(facts)} ${JSON.stringify(thinking)}`;
            assert.deepEqual(lacking(once, can), [], what);
            const twice = fitRequest(once, can);
            assert.deepEqual(
              twice,
              model.endsWith('[1m]') && can.betas ? { ...once, ...withoutLongWindow(once) } : once,
              what,
            );
            assert.equal(
              twice.messages.every((message, at) => message === once.messages[at]) &&
                twice.tools === once.tools &&
                twice.system.every((block, at) => block === once.system[at]),
              true,
              what,
            );
            assert.equal(JSON.stringify(request), before, 'nothing is changed in place');
            checked++;
          }
        }
      }
    }
    assert.ok(checked > 3_000, String(checked));
  });

  it('keeps lists and messages that it changes as the same objects, request after request', () => {
    const can = capabilitiesOf('gateway', 'claude-opus-5');
    const first = fitRequest(full('claude-opus-5'), can);
    const second = fitRequest(full('claude-opus-5', { messages: [...messages, plainMessage] }), can);
    assert.equal(second.tools, first.tools);
    first.messages.forEach((message, index) => assert.equal(second.messages[index], message));
    assert.equal(first.messages[0], plainMessage);
    const all = capabilitiesOf('anthropic', 'claude-opus-5');
    const whole = fitRequest(full('claude-opus-5'), all);
    assert.deepEqual([whole.tools === tools, whole.messages === messages], [true, true], 'what is taken is not copied');
  });

  it('says in words what is left out of the history, and keeps calls beside their results', () => {
    const image = { type: 'text', text: 'There was an image here; this model does not accept images.' };
    const can = { ...capabilitiesOf('gateway', 'my-local-model'), webSearch: false, images: false, pdf: false };
    const { messages: fitted } = fitRequest(full('my-local-model'), can);
    assert.deepEqual(fitted[1]?.content, [
      image,
      { type: 'text', text: 'There was a PDF here (a.pdf); this model does not accept PDFs.' },
      image,
    ]);
    assert.deepEqual(
      fitRequest(full('claude-opus-5'), capabilitiesOf('bedrock', 'claude-opus-5')).messages[1]?.content.at(-1),
      {
        type: 'text',
        text: 'There was an image here by its URL, https://a.test/b.png; this provider does not fetch URLs.',
      },
    );
    assert.deepEqual(fitted[2]?.content, [
      { type: 'text', text: 'A web search found:\n- Page: https://a.test/' },
      { type: 'text', text: 'I looked for tools and loaded: Late' },
      { type: 'text', text: 'said', cache_control: { type: 'ephemeral' } },
      { type: 'tool_use', id: 'c1', name: 'Read', input: {}, cache_control: { type: 'ephemeral' } },
    ]);
    assert.deepEqual(fitted[3]?.content[0], {
      type: 'tool_result',
      tool_use_id: 'c1',
      cache_control: { type: 'ephemeral' },
      content: [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'There was an image here; this model does not accept images.' },
        { type: 'text', text: 'The tool Late can now be called.' },
      ],
    });
    assert.deepEqual(fitted[4]?.content, [{ type: 'text', text: 'Summary of what came before:\na summary' }]);
    assert.deepEqual(fitted[5]?.content, [
      { type: 'text', text: 'This model cannot be shown any part of this reply.' },
    ]);
  });

  it('keeps what becomes of bound thinking and its header together, or drops both', () => {
    const thinking: Thinking = {
      type: 'adaptive',
      display: 'summarized',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    const sent = (provider: ProviderId, model: string, withoutBetas = false) => {
      const { thinking: fittedThinking, betas = [] } = fitRequest(
        full(model, { thinking }),
        capabilitiesOf(provider, model, { withoutBetas }),
      );
      return [fittedThinking !== undefined && 'block_binding' in fittedThinking, betas.includes(thinkingBindingBeta)];
    };
    for (const model of ['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5']) {
      assert.deepEqual(sent('anthropic', model), [true, true], model);
      for (const provider of ['gateway', 'bedrock', 'vertex', 'foundry'] as const)
        assert.deepEqual(sent(provider, model), [false, false], `${provider} ${model}`);
      assert.deepEqual(sent('anthropic', model, true), [false, false]);
    }
    assert.deepEqual(sent('anthropic', 'claude-opus-5'), [false, false]);
    assert.equal(
      fitRequest(full('claude-fable-5-1', { thinking }), capabilitiesOf('anthropic', 'claude-fable-5-1')).thinking,
      thinking,
    );
  });

  const thinkingRows: [model: string, wanted: Thinking, effort: Effort | undefined, sent: Thinking | undefined][] = [
    ['claude-opus-5-5', { type: 'disabled' }, undefined, undefined],
    ['claude-opus-5-5', { type: 'enabled', budget_tokens: 2_000 }, undefined, { type: 'adaptive' }],
    ['claude-opus-5', { type: 'disabled' }, 'high', { type: 'disabled' }],
    ['claude-opus-5', { type: 'disabled' }, 'xhigh', undefined],
    ['claude-sonnet-5-5', { type: 'disabled' }, 'high', { type: 'between_tools' }],
    ['claude-sonnet-5-5', { type: 'disabled' }, 'max', undefined],
    ['claude-haiku-5-5', { type: 'between_tools' }, undefined, { type: 'disabled' }],
    [
      'claude-sonnet-4-5',
      { type: 'adaptive', display: 'summarized' },
      undefined,
      { type: 'enabled', budget_tokens: 10_000 },
    ],
    ['my-local-model', { type: 'adaptive' }, undefined, undefined],
  ];
  for (const [model, thinking, effort, sent] of thinkingRows) {
    it(`asks ${model} for ${JSON.stringify(sent)} where ${JSON.stringify(thinking)} was wanted${effort === undefined ? '' : ` at ${effort}`}`, () => {
      const { output_config: _config, ...rest } = full(model, { thinking });
      const fitted = fitRequest(
        { ...rest, ...(effort === undefined ? {} : { output_config: { effort } }) },
        capabilitiesOf('anthropic', model),
      );
      assert.deepEqual(fitted.thinking, sent);
    });
  }
});

/** Fitting takes the suffix off, and with it the reason for its beta. */
function withoutLongWindow({ betas = [] }: ModelRequest): Partial<ModelRequest> {
  return { betas: betas.filter((beta) => beta !== 'context-1m-2025-08-07') };
}
