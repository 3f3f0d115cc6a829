// The buttons that a failed turn offers: what fixes it at the provider that failed.
import assert from 'node:assert/strict';
import { ModelError, type ModelErrorDetails } from '../../../../src/core/text/errors';
import { type ProviderId } from '../../../../src/core/wire/model-capabilities';
import { type ModelClient } from '../../../../src/core/ports/model';
import { noChatModel } from '../../../../src/vscode/model/chat-model-errors';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const failing = (provider: ProviderId, error: ModelError): ModelClient => ({
  ...createScriptedModel([]),
  provider,

  async *stream() {
    throw error;
  },
});

async function offered(provider: ProviderId, error: ModelError): Promise<string[]> {
  const harness = createHarness({ model: failing(provider, error) });
  await harness.run('Go');
  const labels = [harness.chat(), harness.replayed()].map(({ items }) => {
    const notice = items.at(-1);
    assert.ok(notice?.kind === 'notice');
    return [notice.action, ...(notice.more ?? [])].flatMap((action) => (action === undefined ? [] : [action.label]));
  });
  assert.deepEqual(labels[0], labels[1], 'the same after a reload');
  return labels[0] ?? [];
}

async function titleOf(error: ModelError): Promise<string> {
  const harness = createHarness({ model: failing('anthropic', error) });
  await harness.run('Go');
  const notice = harness.chat().items.at(-1);
  assert.ok(notice?.kind === 'notice');
  return notice.title;
}

const refused = (kind: ModelErrorDetails['kind']): ModelError => new ModelError('No.', { kind }, { retryable: false });

describe('what a failed turn offers', () => {
  for (const kind of ['authentication', 'permission', 'billing', 'spend_limit'] as const) {
    it(`is a key only where Deft keeps one: ${kind}`, async () => {
      for (const provider of ['anthropic', 'gateway'] as const)
        assert.deepEqual(
          await offered(provider, refused(kind)),
          ['authentication', 'permission'].includes(kind) ? ['Change key', 'Try again'] : ['Try again', 'Change key'],
        );
      for (const provider of ['bedrock', 'vertex', 'foundry'] as const)
        assert.deepEqual(await offered(provider, refused(kind)), ['Try again', 'Select provider'], provider);
    });
  }

  it('is the one thing that helps, for each way to fail', async () => {
    for (const [kind, actions] of [
      ['rate_limit', ['Try again', 'Pick another model']],
      ['overloaded', ['Ask Opus 4.8 instead', 'Try again', 'Pick another model']],
      ['network', ['Try again', 'Open settings']],
      ['server', ['Try again']],
      ['too_large', ['New session']],
    ] as const)
      assert.deepEqual(await offered('anthropic', refused(kind)), actions, kind);
  });

  it('says at a glance what happened', async () => {
    for (const [kind, title] of [
      ['authentication', 'The API key was not accepted.'],
      ['billing', 'No credit left.'],
      ['rate_limit', 'Too many requests for now.'],
      ['overloaded', 'The model is overloaded.'],
      ['network', 'No connection to the model.'],
    ] as const)
      assert.equal(await titleOf(refused(kind)), title);
    const unset = new ModelError('No API key is set. Set one.', { kind: 'authentication' }, { retryable: false });
    assert.equal(await titleOf(unset), 'No API key is set.');
    assert.deepEqual(await offered('anthropic', unset), ['Set API key', 'Try again']);
  });

  it("is another model where a plan of VS Code's models is used up, and another provider where there is none", async () => {
    assert.deepEqual(await offered('vscode', refused('spend_limit')), ['Pick another model', 'Select provider']);
    assert.deepEqual(await offered('vscode', refused('permission')), ['Try again', 'Select provider']);
    assert.deepEqual(await offered('vscode', refused('not_found')), ['Pick another model']);
    assert.deepEqual(await offered('vscode', noChatModel()), ['Select provider', 'Try again']);
  });
});
