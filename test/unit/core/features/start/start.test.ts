// Whether a turn may start: what is refused, and that nothing runs ahead of the refusal.
import assert from 'node:assert/strict';
import { startFeature } from '../../../../../src/core/features/start/start-feature';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import { reply } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, prompt } from '../../../../support/session-harness';

describe('a turn that may not start', () => {
  it('returns the message with the reason: no hook runs, and no model is asked, until it may', async () => {
    let refusal: string | undefined = 'Your organization forbids it.';
    const ran: string[] = [];
    const model = createScriptedModel([reply('Hello.')]);
    const harness = createHarness({
      model,
      ports: { hooks: scriptedHooks(({ command }) => void ran.push(command)) },
      session: {
        hooks: () => ({ active: [commandHook('SessionStart', 'start'), commandHook('UserPromptSubmit', 'submit')] }),
      },
      opened: (parts) => ({ ...parts, features: [startFeature(() => refusal), ...parts.features] }),
    });
    const end = await harness.run('Go');
    assert.equal(end.message, 'Your organization forbids it.');
    assert.deepEqual(
      harness.events.flatMap((event) => (event.type === 'prompt_unsent' ? [event.prompt] : [])),
      [prompt('Go')],
    );
    assert.match(JSON.stringify(harness.chat()), /Your organization forbids it\./);
    assert.deepEqual([ran, model.requests], [[], []]);
    refusal = undefined;
    assert.equal((await harness.run('Go')).reason, 'completed');
    assert.deepEqual(ran, ['start', 'submit']);
  });
});
