// How long a call took: the time of the tool, not that of the user who was asked about it.
import assert from 'node:assert/strict';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { askingTool, said } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

/** The card of one call that takes 2 s and whose user looks at it for a minute. */
async function cardAfter(
  decision: ApprovalDecision,
  fields: { asksUser?: boolean } = {},
): Promise<{ state: string; durationMs: number | undefined }> {
  const clock = createManualClock('manual');
  const tool = askingTool('Act', {
    ...fields,
    call: async () => {
      clock.advance(2_000);
      return said('done');
    },
  });
  const harness = createHarness({
    clock,
    tools: [tool],
    model: createScriptedModel([reply(toolUse('Act', {})), reply('Done.')]),
    answer: () => {
      clock.advance(60_000);
      return decision;
    },
  });
  await harness.run('Go');
  const card = harness.chat().items.find((item) => item.kind === 'tool');
  assert.ok(card);
  return { state: card.state, durationMs: card.durationMs };
}

describe('the duration of a call', () => {
  it('begins when the tool does, however long the user was asked before', async () => {
    assert.deepEqual(await cardAfter({ behavior: 'allow' }), { state: 'done', durationMs: 2_000 });
  });

  it('is none where the user rejects it', async () => {
    assert.deepEqual(await cardAfter({ behavior: 'deny', message: 'No.', interrupt: false }), {
      state: 'denied',
      durationMs: 0,
    });
  });

  it('is none of a tool that itself waits for the user', async () => {
    assert.deepEqual(await cardAfter({ behavior: 'allow' }, { asksUser: true }), { state: 'done', durationMs: 0 });
  });
});
