// The model table: thinking, limits, prices, names; and what a request asks for because of it.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { buildRequest } from '../../../../src/core/loop/build-request';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import {
  contextTokens,
  defaultModel,
  hasLongWindow,
  knownModelIds,
  modelFacts,
  modelLabel,
  smallModel,
  withoutSuffix,
} from '../../../../src/core/model/models';
import { priceOf } from '../../../../src/core/model/prices';
import { type Effort } from '../../../../src/core/wire/wire';

const settings = (model: string, maxOutputTokens = 32_000, effort?: Effort) =>
  buildRequest([], {
    model,
    can: capabilitiesOf('anthropic', model),
    system: [],
    tools: [],
    maxOutputTokens,
    sessionId: 's',
    ...defined({ effort }),
  });

describe('models', () => {
  const cases: [id: string, label: string, thinking: string, window: number, efforts: number][] = [
    ['claude-fable-5-2', 'Fable 5.2', 'always', 1_000_000, 5],
    ['claude-fable-5-1', 'Fable 5.1', 'always', 1_000_000, 5],
    ['claude-fable-5', 'Fable 5', 'always', 1_000_000, 5],
    ['claude-mythos-5-2', 'Mythos 5.2', 'always', 1_000_000, 5],
    ['claude-opus-5-5', 'Opus 5.5', 'always', 1_000_000, 5],
    ['anthropic/claude-opus-5.5', 'anthropic/claude-opus-5.5', 'always', 1_000_000, 5],
    ['claude-opus-5', 'Opus 5', 'adaptive', 1_000_000, 5],
    ['claude-opus-5-20260724', 'Opus 5', 'adaptive', 1_000_000, 5],
    ['claude-sonnet-5-5', 'Sonnet 5.5', 'adaptive', 1_000_000, 5],
    ['claude-sonnet-5', 'Sonnet 5', 'adaptive', 1_000_000, 5],
    ['claude-haiku-5-5', 'Haiku 5.5', 'adaptive', 1_000_000, 5],
    ['claude-opus-4-8', 'Opus 4.8', 'adaptive', 1_000_000, 5],
    ['us.anthropic.claude-opus-4-6-v1', 'us.anthropic.claude-opus-4-6-v1', 'adaptive', 1_000_000, 4],
    ['claude-sonnet-4-6', 'Sonnet 4.6', 'adaptive', 1_000_000, 4],
    ['claude-opus-4-5-20251101', 'Opus 4.5', 'budget', 200_000, 3],
    ['claude-sonnet-4-5-20250929', 'Sonnet 4.5', 'budget', 200_000, 0],
    ['claude-sonnet-4-5-20250929[1m]', 'Sonnet 4.5', 'budget', 1_000_000, 0],
    ['claude-haiku-4-5-20251001', 'Haiku 4.5', 'budget', 200_000, 0],
    ['claude-haiku-4-5@20251001', 'Haiku 4.5', 'budget', 200_000, 0],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic.claude-haiku-4-5-20251001-v1:0', 'budget', 200_000, 0],
    ['claude-sonnet-4-20250514', 'Sonnet 4', 'budget', 200_000, 0],
    ['claude-opus-4@20250514', 'Opus 4', 'budget', 200_000, 0],
    ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-20241022', 'none', 200_000, 0],
    ['anthropic.claude-opus-5', 'anthropic.claude-opus-5', 'adaptive', 1_000_000, 5],
    ['my-local-model', 'my-local-model', 'none', 200_000, 0],
  ];
  for (const [id, label, thinking, window, efforts] of cases) {
    it(id, () => {
      const facts = modelFacts(id);
      assert.deepEqual(
        [modelLabel(id), facts.thinking, facts.contextWindow, facts.efforts.length],
        [label, thinking, window, efforts],
      );
    });
  }

  it('knows its default models, and a price of each model of the table', () => {
    for (const id of [defaultModel, smallModel]) assert.ok(knownModelIds.includes(id), id);
    for (const id of knownModelIds) assert.ok((priceOf(id)?.output ?? 0) > 0, id);
  });

  it('says of each model what switches thinking off, and up to which effort', () => {
    const off = (id: string) => [modelFacts(id).thinkingOff, modelFacts(id).thinkingOffUpTo];
    assert.deepEqual(
      [
        'claude-opus-5-5',
        'claude-opus-5',
        'claude-sonnet-5-5',
        'claude-sonnet-5',
        'claude-haiku-5-5',
        'claude-fable-5',
      ].map(off),
      [
        [undefined, undefined],
        ['disabled', 'high'],
        ['between_tools', 'high'],
        ['disabled', undefined],
        ['disabled', 'high'],
        [undefined, undefined],
      ],
    );
  });

  it('takes a version that came later for the last one before it, without what costs more', () => {
    const later = modelFacts('claude-opus-5-9');
    assert.deepEqual([later.thinking, later.contextWindow, later.fast], ['always', 1_000_000, undefined]);
    assert.equal(modelFacts('claude-opus-6').maxOutputTokens, 128_000);
    assert.equal(modelFacts('claude-opus-3').contextWindow, 200_000);
    assert.equal(modelFacts('claude-opus-4-3').maxOutputTokens, 32_000);
  });

  it('knows the suffix for a long window, which newer models need not', () => {
    assert.deepEqual(
      [hasLongWindow('claude-sonnet-4-5[1m]'), hasLongWindow('claude-opus-5'), withoutSuffix('claude-sonnet-4-5[1M]')],
      [true, false, 'claude-sonnet-4-5'],
    );
    assert.equal(modelFacts('claude-opus-5-5[1m]'), modelFacts('claude-opus-5-5'));
  });

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

  it('counts as context what was read, from wherever', () => {
    assert.equal(
      contextTokens({ input_tokens: 1, output_tokens: 7, cache_read_input_tokens: 2, cache_creation_input_tokens: 3 }),
      6,
    );
  });
});
