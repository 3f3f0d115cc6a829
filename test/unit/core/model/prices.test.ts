// Prices by model, and what replies cost: writes by how long they last, fast mode, long prompts, searches, regions.
import assert from 'node:assert/strict';
import { costOf, priceOf } from '../../../../src/core/model/prices';
import { type Usage } from '../../../../src/core/wire/wire';

const usage = (more: Partial<Usage> = {}): Usage => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  ...more,
});
const million = 1_000_000;
const about = (actual: number | undefined, wanted: number, what?: string): void =>
  assert.ok(actual !== undefined && Math.abs(actual - wanted) < 1e-9, `${what ?? 'cost'}: ${actual}, not ${wanted}`);

describe('prices', () => {
  const rows: [model: string, input: number, output: number, read: number, write5m: number, write1h: number][] = [
    ['claude-fable-5-2', 8, 40, 0.2, 10, 16],
    ['claude-mythos-5-2', 8, 40, 0.2, 10, 16],
    ['claude-fable-5-1', 10, 50, 0.25, 12.5, 20],
    ['claude-fable-5', 10, 50, 1, 12.5, 20],
    ['claude-opus-5-5', 4, 20, 0.2, 5, 8],
    ['claude-opus-5', 5, 25, 0.5, 6.25, 10],
    ['claude-opus-4-8', 5, 25, 0.5, 6.25, 10],
    ['claude-opus-4-5-20251101', 5, 25, 0.5, 6.25, 10],
    ['claude-opus-4-1-20250805', 15, 75, 1.5, 18.75, 30],
    ['claude-sonnet-5-5', 2, 10, 0.1, 2.5, 4],
    ['claude-sonnet-5', 2, 10, 0.2, 2.5, 4],
    ['claude-sonnet-4-6', 3, 15, 0.3, 3.75, 6],
    ['claude-haiku-4-5-20251001', 1, 5, 0.1, 1.25, 2],
  ];
  for (const [model, input, output, read, write5m, write1h] of rows) {
    it(`of ${model}`, () => {
      about(costOf(model, usage({ input_tokens: million })), model.includes('sonnet-4-5') ? 6 : input, 'input');
      about(costOf(model, usage({ output_tokens: million })), output, 'output');
      about(costOf(model, usage({ cache_read_input_tokens: million })), read, 'read');
      about(costOf(model, usage({ cache_creation_input_tokens: million })), write5m, 'write');
      const hour = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: million };
      about(
        costOf(model, usage({ cache_creation_input_tokens: million, cache_creation: hour })),
        write1h,
        'write for an hour',
      );
    });
  }

  it('part the written tokens by how long they last', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 400_000, ephemeral_1h_input_tokens: 600_000 };
    about(
      costOf('claude-opus-5', usage({ cache_creation_input_tokens: million, cache_creation })),
      0.4 * 6.25 + 0.6 * 10,
    );
  });

  it('of fast mode hold where the reply says that it was fast, or the caller does', () => {
    const used = usage({ input_tokens: million, output_tokens: million });
    about(costOf('claude-opus-5-5', { ...used, speed: 'fast' }), 48);
    about(costOf('claude-opus-5', used, { fast: true }), 60);
    about(costOf('claude-opus-5', { ...used, speed: 'fast' }, { fast: false }), 30);
    about(costOf('claude-opus-4-7', used, { fast: true }), 30, 'a model without it');
  });

  it('rise for the whole request where the prompt is long', () => {
    about(costOf('claude-haiku-5-5', usage({ input_tokens: 100_000, output_tokens: 1_000 })), 0.01 + 0.0005);
    about(
      costOf(
        'claude-haiku-5-5',
        usage({ input_tokens: 1_000, cache_read_input_tokens: 100_000, output_tokens: 1_000 }),
      ),
      0.0005 + 0.005 + 0.0025,
      'reads are part of the prompt',
    );
    about(costOf('claude-sonnet-4-5[1m]', usage({ input_tokens: 300_000, output_tokens: 1_000 })), 1.8 + 0.0225);
    about(costOf('claude-opus-5-5', usage({ input_tokens: 900_000 })), 3.6, 'no surcharge');
  });

  it('count searches that the API made', () => {
    about(costOf('claude-sonnet-5-5', usage({ server_tool_use: { web_search_requests: 3 } })), 0.03);
  });

  it('add a tenth for endpoints of one region', () => {
    const used = usage({ output_tokens: million });
    about(costOf('us.anthropic.claude-opus-4-6-v1', used), 27.5);
    about(costOf('arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-5-5', used), 11);
    about(costOf('global.anthropic.claude-opus-4-6-v1', used), 25);
    about(costOf('claude-sonnet-5-5', used, { provider: 'vertex', regional: true }), 11);
    about(costOf('us.anthropic.claude-opus-4-1-20250805-v1:0', used), 75, 'older models have one price');
  });

  it('are not known of other models, of later versions, and of what VS Code offers; the demo is free', () => {
    for (const model of ['my-local-model', 'gpt-6', 'claude-opus-5-9', 'claude-opus-6'])
      assert.deepEqual([priceOf(model), costOf(model, usage())], [undefined, undefined], model);
    assert.equal(costOf('claude-opus-5', usage(), { provider: 'vscode' }), undefined);
    assert.equal(costOf('claude-opus-5', usage({ output_tokens: 9 }), { provider: 'demo' }), 0);
  });
});
