// Models in words, and which of them may be used.
import assert from 'node:assert/strict';
import { allowedModel, mayUse, refusedModel } from '../../../../src/core/model/available-models';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type ProviderId } from '../../../../src/core/wire/model-capabilities';
import { describeModel } from '../../../../src/core/model/model-description';
import { type ModelInfo } from '../../../../src/core/ports/model';

describe('a model in words', () => {
  const rows: [provider: ProviderId, info: ModelInfo, name: string, detail: string][] = [
    [
      'anthropic',
      { id: 'claude-opus-5-5', displayName: 'Claude Opus 5.5' },
      'Claude Opus 5.5',
      '1M window · $4 in, $20 out per million',
    ],
    [
      'anthropic',
      { id: 'claude-haiku-5-5', displayName: '' },
      'Haiku 5.5',
      '1M window · $0.1 in, $0.5 out per million, $0.5 and $2.5 over 100k',
    ],
    [
      'anthropic',
      { id: 'claude-opus-4-5-20251101', displayName: 'Old', deprecated: true, retiresOn: '2027-01-15' },
      'Old',
      '200k window · $5 in, $25 out per million · retires 2027-01-15',
    ],
    [
      'anthropic',
      { id: 'claude-opus-4-1', displayName: 'Old', deprecated: true },
      'Old',
      '200k window · $15 in, $75 out per million · deprecated',
    ],
    [
      'bedrock',
      { id: 'global.anthropic.claude-sonnet-5-5', displayName: '' },
      'global.anthropic.claude-sonnet-5-5',
      '1M window · $2 in, $10 out per million · no web search here',
    ],
    [
      'gateway',
      { id: 'qwen', displayName: 'qwen', reported: { contextWindow: 32_768 } },
      'qwen',
      '33k window · price unknown · no thinking here',
    ],
    [
      'vscode',
      { id: 'claude-sonnet-4.6', displayName: 'Sonnet' },
      'Sonnet',
      '1M window · price unknown · no thinking, no web search, no PDF, no cache here',
    ],
  ];
  for (const [provider, info, name, detail] of rows) {
    it(`${info.id} at ${provider}`, () =>
      assert.deepEqual(describeModel(info, capabilitiesOf(provider, info.id, { reported: info.reported }), provider), {
        name,
        detail,
      }));
  }
});

describe('availableModels', () => {
  const rows: [available: string[] | undefined, model: string, may: boolean][] = [
    [undefined, 'anything', true],
    [[], 'claude-opus-5', false],
    [['opus'], 'claude-opus-4-8', true],
    [['opus'], 'us.anthropic.claude-opus-4-6-v1', true],
    [['opus'], 'claude-sonnet-5', false],
    [['claude-opus-5'], 'claude-opus-5-20260724', true],
    [['claude-opus-5'], 'claude-opus-5-5', false],
    [['opus-5-5'], 'claude-opus-5-5[1m]', true],
    [['my-local-model'], 'my-local-model', true],
    [['my-local-model'], 'my-local-model-2', false],
  ];
  for (const [available, model, may] of rows)
    it(`${JSON.stringify(available)}: ${model} ${may ? 'may' : 'may not'} be used`, () =>
      assert.equal(mayUse(model, available), may));

  it('refuses with a sentence that says what to do', () => {
    assert.equal(
      refusedModel('claude-opus-5', ['sonnet', 'haiku']),
      'The model claude-opus-5 may not be used here: the setting availableModels allows only sonnet, haiku. Pick one of them with /model.',
    );
    assert.match(refusedModel('claude-opus-5', []) ?? '', /allows none\. Ask the administrator/);
    assert.equal(refusedModel('claude-opus-5', ['opus']), undefined);
  });

  it('begins with what may be used', () => {
    assert.equal(allowedModel('claude-opus-5', ['sonnet'], ['claude-opus-5-5', undefined]), 'claude-sonnet-5-5');
    assert.equal(allowedModel('claude-opus-5', ['opus-5-5'], ['claude-opus-5-5']), 'claude-opus-5-5');
    assert.equal(allowedModel('claude-opus-5', undefined, []), 'claude-opus-5');
    assert.equal(allowedModel('claude-opus-5', ['haiku'], [], { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'small' }), 'small');
    assert.equal(mayUse('small', ['haiku'], { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'small' }), true);
  });
});
