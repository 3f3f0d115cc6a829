// Which of VS Code's models a name stands for.
import assert from 'node:assert/strict';
import { canBeModelOf } from '../../../../src/core/model/model-of-provider';
import { modelLabel } from '../../../../src/core/model/models';
import { usualVscodeModel } from '../../../../src/core/model/vscode-models';
import { withCost } from '../../../../src/core/projection/usage-with-cost';
import { emptyUsage } from '../../../../src/shared/chat';
import { deftId, namedChatModel, usualChatModel } from '../../../../src/vscode/model/choose-chat-model';

const model = (id: string, family = id, name = id, vendor = 'copilot') => ({ vendor, id, family, name });
const all = [
  model('gpt-5.2', 'gpt-5.2', 'GPT-5.2'),
  model('gpt-5-mini', 'gpt-5-mini', 'GPT-5 mini'),
  model('claude-sonnet-4', 'claude-sonnet-4', 'Claude Sonnet 4'),
  model('claude-sonnet-4.5', 'claude-sonnet-4.5', 'Claude Sonnet 4.5'),
  model('claude-opus-4.5', 'claude-opus-4.5', 'Claude Opus 4.5'),
  model('gpt-5.2', 'gpt-5.2', 'GPT-5.2', 'other'),
];

const names: [name: string, expected: string | undefined][] = [
  ['vscode:copilot/gpt-5.2', 'vscode:copilot/gpt-5.2'],
  ['vscode:other/gpt-5.2', 'vscode:other/gpt-5.2'],
  ['other/gpt-5.2', 'vscode:other/gpt-5.2'],
  ['gpt-5.2', 'vscode:copilot/gpt-5.2'],
  ['GPT-5 mini', 'vscode:copilot/gpt-5-mini'],
  ['claude-sonnet-4-5-20250929', 'vscode:copilot/claude-sonnet-4.5'],
  ['claude-sonnet-5', 'vscode:copilot/claude-sonnet-4.5'],
  ['claude-opus-5', 'vscode:copilot/claude-opus-4.5'],
  ['claude-haiku-4-5-20251001', 'vscode:copilot/gpt-5-mini'],
  ['claude-fable-5', undefined],
  ['vscode:copilot/gone', undefined],
  [usualVscodeModel, undefined],
  ['', undefined],
];

describe('the choice among VS Code’s models', () => {
  for (const [name, expected] of names) {
    it(`"${name}" stands for ${expected ?? 'none'}`, () => {
      const found = namedChatModel(all, name);
      assert.equal(found && deftId(found), expected);
    });
  }

  it('is the newest Sonnet for people who have named none, then any Claude, then the first', () => {
    assert.equal(usualChatModel(all)?.id, 'claude-sonnet-4.5');
    assert.equal(usualChatModel([...all, model('claude-sonnet-4.10')])?.id, 'claude-sonnet-4.10');
    assert.equal(usualChatModel(all.filter(({ id }) => !id.includes('sonnet')))?.id, 'claude-opus-4.5');
    assert.equal(usualChatModel(all.slice(0, 2))?.id, 'gpt-5.2');
    assert.equal(usualChatModel([]), undefined);
  });

  it('goes by names that no other provider is asked for, and that no price is known of', () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 1_000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const { costUsd, costKnown } = withCost(emptyUsage, { model: 'vscode:copilot/claude-opus-5', usage });
    assert.deepEqual([costUsd, costKnown], [0, false]);
    assert.deepEqual(
      [modelLabel('vscode:copilot/gpt-5.2'), modelLabel(usualVscodeModel)],
      ['gpt-5.2', "VS Code's model"],
    );
  });
});

const belongs: [provider: Parameters<typeof canBeModelOf>[0], yes: string[], no: string[]][] = [
  [
    'anthropic',
    ['claude-opus-5', 'research-7'],
    [
      'vscode:copilot/gpt-5',
      'us.anthropic.claude-opus-5-v1:0',
      'anthropic.claude-opus-5',
      'claude-opus-4@20250514',
      'arn:aws:bedrock:x',
      'qwen3-coder:30b',
      'anthropic/claude-opus-5',
    ],
  ],
  ['gateway', ['qwen3-coder:30b', 'anthropic/claude-opus-5'], ['vscode:copilot/gpt-5']],
  [
    'bedrock',
    ['claude-opus-5', 'eu.anthropic.claude-opus-5-v1:0', 'arn:aws:bedrock:x'],
    ['claude-opus-4@20250514', 'vscode:a/b'],
  ],
  ['vertex', ['claude-opus-5', 'claude-opus-4@20250514'], ['anthropic.claude-opus-5', 'vscode:a/b']],
  ['foundry', ['my-deployment', 'claude-opus-5'], ['vscode:a/b']],
  ['vscode', ['vscode:a/b'], []],
];

describe('a model of a provider', () => {
  for (const [provider, yes, no] of belongs) {
    it(`can be of ${provider}, or certainly is not`, () => {
      assert.deepEqual(
        yes.filter((name) => !canBeModelOf(provider, name)),
        [],
      );
      assert.deepEqual(
        no.filter((name) => canBeModelOf(provider, name)),
        [],
      );
    });
  }
});
