// GET /v1/models: limits, capabilities and the end of models, from the vendor and from gateways; what is learned changes no session's prefix.
import assert from 'node:assert/strict';
import { type ModelRequest } from '../../../src/core/wire/wire';
import { modelInfo } from '../../../src/providers/model-info';
import { fakeTool } from '../../support/fake-tools';
import { listedModel } from '../../support/messages-api/model-list';
import { reply, text } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { createHarness } from '../../support/session-harness';
import { clientFor, readStream, request } from './client-under-test';

const yes = { supported: true };
const no = { supported: false };
const vendorForm = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  batch: yes,
  citations: yes,
  code_execution: yes,
  image_input: yes,
  pdf_input: yes,
  structured_outputs: yes,
  context_management: { ...yes, clear_thinking_20251015: yes, clear_tool_uses_20250919: yes, compact_20260112: no },
  effort: { ...yes, low: yes, medium: yes, high: yes, xhigh: null, max: yes },
  server_tools: { ...yes, web_search: yes, code_execution: yes },
  thinking: { ...yes, types: { adaptive: yes, enabled: no, disabled: yes, between_tools: no } },
  ...more,
});

describe('an entry of the list of models', () => {
  it('tells limits, capabilities and the day on which the model goes', () => {
    assert.deepEqual(
      modelInfo({
        ...listedModel('m'),
        capabilities: vendorForm(),
        lifecycle: 'deprecated',
        retires_at: '2027-01-15T00:00:00Z',
      }),
      {
        id: 'm',
        displayName: 'M',
        deprecated: true,
        retiresOn: '2027-01-15',
        reported: {
          contextWindow: 1_000_000,
          maxOutputTokens: 128_000,
          thinking: 'adaptive',
          thinkingOff: 'disabled',
          efforts: ['low', 'medium', 'high', 'max'],
          structuredOutput: true,
          contextEditing: true,
          thinkingClearing: true,
          apiCompaction: false,
          webSearch: true,
          images: true,
          pdf: true,
          citations: true,
          vendorForm: true,
        },
      },
    );
  });

  const thinking: [types: Record<string, unknown>, kind: string | undefined, off: string | null | undefined][] = [
    [{ adaptive: yes, enabled: no, disabled: no, between_tools: no }, 'always', null],
    [{ adaptive: yes, enabled: no, disabled: no, between_tools: yes }, 'adaptive', 'between_tools'],
    [{ adaptive: no, enabled: yes, disabled: yes, between_tools: no }, 'budget', undefined],
    [{ adaptive: yes }, 'adaptive', undefined],
  ];
  for (const [types, kind, off] of thinking) {
    it(`thinks ${kind}, switched off by ${off}`, () => {
      const reported = modelInfo({ id: 'm', capabilities: { thinking: { ...yes, types } } })?.reported;
      assert.deepEqual([reported?.thinking, reported?.thinkingOff, reported?.vendorForm], [kind, off, undefined]);
    });
  }

  it('says nothing of what it leaves out, or writes in another form', () => {
    assert.deepEqual(
      modelInfo({
        id: 'm',
        display_name: null,
        max_input_tokens: '32k',
        capabilities: ['chat'],
        retires_at: 'soon',
        lifecycle: 'active',
      }),
      { id: 'm', displayName: 'm' },
    );
    assert.deepEqual(
      modelInfo({
        id: 'm',
        capabilities: vendorForm({
          thinking: no,
          effort: no,
          context_management: no,
          server_tools: no,
          image_input: no,
        }),
      })?.reported,
      {
        thinking: 'none',
        efforts: [],
        structuredOutput: true,
        contextEditing: false,
        thinkingClearing: false,
        apiCompaction: false,
        webSearch: false,
        images: false,
        pdf: true,
        citations: true,
        vendorForm: true,
      },
    );
    assert.equal(modelInfo({ id: 'm', lifecycle: 'retired' }), undefined);
  });
});

describe('what the list of models changes', () => {
  const signal = new AbortController().signal;
  let server: MessagesApi;
  afterEach(() => server.close());
  const bodies = (): Record<string, unknown>[] => server.requests.map(({ body }) => body as Record<string, unknown>);
  const strict: ModelRequest = {
    ...request,
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' }, strict: true }],
  };

  it('opens the whole API of a gateway that answers in the form of the vendor, unless the user said otherwise', async () => {
    server = await startMessagesApi([reply(text('a')), reply(text('b')), reply(text('c'))], {
      listedModels: [listedModel('claude-opus-5', { capabilities: vendorForm() })],
    });
    const listed = clientFor(server);
    await listed.listModels(signal);
    await readStream(listed, signal, strict);
    await readStream(clientFor(server), signal, strict);
    const held = clientFor(server, { features: 'plain' });
    await held.listModels(signal);
    await readStream(held, signal, strict);
    assert.deepEqual(
      bodies().map(({ tools }) => (tools as { strict?: boolean }[])[0]?.strict),
      [true, undefined, undefined],
    );
  });

  it('leaves tools and system of a session byte for byte, though the list arrives between two requests, in either direction', async () => {
    for (const capabilities of [vendorForm(), vendorForm({ structured_outputs: no, effort: no, thinking: no })]) {
      server = await startMessagesApi([reply(text('one')), reply(text('two'))], {
        listedModels: [listedModel('claude-opus-5', { max_input_tokens: 300_000, capabilities })],
      });
      const model = clientFor(server, capabilities['effort'] === no ? { features: 'all' } : {});
      const harness = createHarness({
        model,
        tools: [fakeTool('Act', { strict: true, input_examples: [{ text: 'x' }] })],
        session: { model: 'claude-opus-5', effort: 'max' },
      });
      await harness.run('One');
      await model.listModels(signal);
      await harness.run('Two');
      const [first = {}, second = {}] = bodies();
      for (const part of ['tools', 'system', 'thinking', 'output_config'])
        assert.equal(JSON.stringify(second[part]), JSON.stringify(first[part]), part);
      assert.notEqual(model.capabilities('claude-opus-5').contextWindow, 1_000_000, 'the list was learned');
      await server.close();
    }
    server = await startMessagesApi([]);
  });
});
