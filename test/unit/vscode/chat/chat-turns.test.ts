// When the team calls the lead: between turns, behind one that has ended well, never over the head of a person who has just stopped it.
import assert from 'node:assert/strict';
import { type TurnEnd } from '../../../../src/core/agent/loop';
import { type AgentSession } from '../../../../src/core/agent/session';
import { type Prompt } from '../../../../src/core/agent/steering-queue';
import { createChatTurns } from '../../../../src/vscode/chat/chat-turns';
import { type EventPoster } from '../../../../src/vscode/chat/event-poster';

const said: Prompt = { content: [{ type: 'text', text: 'Go' }], display: { text: 'Go', attachments: [], images: 0 } };

function world(ends: TurnEnd['reason'][]) {
  const runs: string[] = [];
  const session = {
    waiting: [],
    teamCalls: false,
    async run(prompt: Prompt | undefined): Promise<TurnEnd> {
      runs.push(prompt?.display.text ?? 'called');
      session.teamCalls = false;
      if (prompt !== undefined) session.teamCalls = true;
      return { reason: ends.shift() ?? 'completed' };
    },
  };
  const poster = { push: () => undefined, state: { title: '' } } as unknown as EventPoster;
  const turns = createChatTurns({ poster, notify: () => undefined, turnCompleted: () => undefined, notice: () => undefined, over: () => undefined });
  const settled = async (): Promise<void> => {
    while (turns.running) await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, session: session as unknown as AgentSession & { teamCalls: boolean }, turns, settled };
}

describe('turns of a chat whose team calls', () => {
  it('follow a turn that has ended well, once', async () => {
    const { runs, session, turns, settled } = world([]);
    turns.start(session, said);
    turns.wake(session);
    await settled();
    assert.deepEqual(runs, ['Go', 'called']);
  });

  for (const reason of ['interrupted', 'denied', 'error'] as const) {
    it(`do not follow one that ended otherwise: ${reason}`, async () => {
      const { runs, session, turns, settled } = world([reason]);
      turns.start(session, said);
      await settled();
      assert.deepEqual(runs, ['Go']);
    });
  }

  it('begin between two turns, but not where the person has stopped the last one, until they have spoken', async () => {
    const { runs, session, turns, settled } = world(['interrupted', 'completed']);
    turns.start(session, said);
    await settled();
    turns.wake(session);
    await settled();
    assert.deepEqual(runs, ['Go']);
    turns.start(session, said);
    await settled();
    assert.deepEqual(runs, ['Go', 'Go', 'called']);
    turns.wake(session);
    await settled();
    assert.deepEqual(runs, ['Go', 'Go', 'called'], 'nothing calls');
  });
});
