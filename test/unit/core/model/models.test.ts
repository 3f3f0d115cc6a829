// The model table: thinking, limits, prices, names; and what a request asks for because of it.
import assert from 'node:assert/strict';
import { buildRequest } from '../../../../src/core/agent/build-request';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { contextTokens, costOf, defaultModel, modelFacts, modelLabel } from '../../../../src/core/model/models';
import { type Effort } from '../../../../src/core/model/wire';

const settings = (model: string, maxOutputTokens = 32_000, effort?: Effort) =>
  buildRequest([], { model, can: capabilitiesOf('anthropic', model), system: [], tools: [], maxOutputTokens, sessionId: 's', ...(effort === undefined ? {} : { effort }) });

describe('models', () => {
  const cases: [id: string, label: string, thinking: string, window: number][] = [
    ['claude-fable-5', 'Fable 5', 'always', 1_000_000],
    ['claude-opus-5', 'Opus 5', 'adaptive', 1_000_000],
    ['claude-sonnet-5', 'Sonnet 5', 'adaptive', 1_000_000],
    ['claude-opus-4-8', 'Opus 4.8', 'adaptive', 1_000_000],
    ['claude-sonnet-4-6', 'Sonnet 4.6', 'adaptive', 1_000_000],
    ['claude-opus-4-5-20251101', 'Opus 4.5', 'budget', 200_000],
    ['claude-haiku-4-5-20251001', 'Haiku 4.5', 'budget', 200_000],
    ['claude-haiku-4-5@20251001', 'Haiku 4.5', 'budget', 200_000],
    ['claude-sonnet-4-20250514', 'Sonnet 4', 'none', 200_000],
    ['anthropic.claude-opus-5', 'anthropic.claude-opus-5', 'adaptive', 1_000_000],
    ['my-local-model', 'my-local-model', 'none', 200_000],
  ];
  for (const [id, label, thinking, window] of cases) {
    it(id, () => {
      assert.deepEqual([modelLabel(id), modelFacts(id).thinking, modelFacts(id).contextWindow], [label, thinking, window]);
    });
  }

  it('knows its default model', () => assert.notEqual(modelFacts(defaultModel).price, undefined));

  it('asks for thinking in the form that the model takes', () => {
    assert.deepEqual(settings('claude-opus-5').thinking, { type: 'adaptive', display: 'summarized' });
    assert.deepEqual(settings('claude-haiku-4-5-20251001').thinking, { type: 'enabled', budget_tokens: 10_000 });
    assert.deepEqual(settings('claude-haiku-4-5-20251001', 3_000).thinking, { type: 'enabled', budget_tokens: 1_976 });
    assert.equal(settings('claude-haiku-4-5-20251001', 1_500).thinking, undefined);
    assert.equal(settings('my-local-model').thinking, undefined);
  });

  it('sends effort only where it is known', () => {
    assert.deepEqual(settings('claude-opus-5', 1_000, 'high').output_config, { effort: 'high' });
    assert.equal(settings('claude-opus-5').output_config, undefined);
    assert.equal(settings('claude-haiku-4-5-20251001', 1_000, 'high').output_config, undefined);
  });

  it('never asks for more output than there is', () => {
    assert.equal(settings('claude-haiku-4-5-20251001', 1_000_000).max_tokens, 64_000);
    assert.equal(settings('my-local-model', 64_000).max_tokens, 32_000);
  });

  it('counts costs with reads at a tenth and writes at five quarters', () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 100_000, cache_read_input_tokens: 1_000_000, cache_creation_input_tokens: 1_000_000 };
    assert.equal(costOf('claude-opus-5', usage), 5 + 0.5 + 6.25 + 2.5);
    assert.equal(costOf('my-local-model', usage), undefined);
    assert.equal(contextTokens(usage), 3_000_000);
  });
});
