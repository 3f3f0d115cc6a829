// When the team calls the lead: between turns, behind one that has ended well, never over the head of a user who has just stopped it.
import assert from 'node:assert/strict';
import { type TurnEnd } from '../../../../src/core/loop/after-reply';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';
import { agentTeam } from '../../../../src/core/features/subagents/agent-team';
import { type AgentSession } from '../../../../src/core/feature/agent-session';
import { type Prompt } from '../../../../src/core/events/steering-queue';
import { ChatTurns, maxCalledTurns } from '../../../../src/vscode/chat/conversation/chat-turns';
import { type EventPoster } from '../../../../src/vscode/chat/conversation/event-poster';

const said: Prompt = { content: [{ type: 'text', text: 'Go' }], display: { text: 'Go', attachments: [], images: 0 } };

function world(ends: TurnEnd['reason'][]) {
  const runs: string[] = [];
  const notices: string[] = [];
  const compacting: (() => void)[] = [];
  const byHand = () => new Promise<void>((resolve) => compacting.push(resolve));
  const session = {
    pending: { waiting: [] },
    teamCalls: false,
    feature: (key: { name: string }) =>
      key.name === compaction.name
        ? { byHand }
        : key.name === agentTeam.name
          ? { callsLead: session.teamCalls }
          : undefined,
    async run(prompt: Prompt | undefined): Promise<TurnEnd> {
      runs.push(prompt?.display.text ?? 'called');
      session.teamCalls = false;
      if (prompt !== undefined) session.teamCalls = true;
      return { reason: ends.shift() ?? 'completed' };
    },
  };
  const poster = { push: () => undefined, state: { title: '' } } as unknown as EventPoster;
  const turns = new ChatTurns({
    poster,
    notify: () => undefined,
    turnCompleted: () => undefined,
    notice: (_level, title) => void notices.push(title),
    over: () => undefined,
  });
  const settled = async (): Promise<void> => {
    while (turns.running) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    runs,
    notices,
    compacting,
    session: session as unknown as AgentSession & { teamCalls: boolean },
    turns,
    settled,
  };
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

  it('begin between two turns, but not where the user has stopped the last one, until they have spoken', async () => {
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

  it('follow a compaction during which it called, but not one that was stopped', async () => {
    const { runs, session, compacting, turns, settled } = world([]);
    turns.compact(session, '');
    session.teamCalls = true;
    turns.wake(session);
    compacting[0]?.();
    await settled();
    assert.deepEqual(runs, ['called']);
    turns.compact(session, '');
    session.teamCalls = true;
    const stopped = turns.stop();
    compacting[1]?.();
    await stopped;
    await settled();
    assert.deepEqual(runs, ['called']);
  });

  it('are no more than so many without the user, who is told once and goes on with a message', async () => {
    const { runs, notices, session, turns, settled } = world([]);
    const call = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        session.teamCalls = true;
        turns.wake(session);
        await settled();
      }
    };
    await call(maxCalledTurns + 5);
    assert.deepEqual([runs.length, notices.length], [maxCalledTurns, 1]);
    assert.match(notices[0] ?? '', /has called its lead 30 times/);
    turns.spoken();
    turns.start(session, said);
    await settled();
    assert.deepEqual(runs.slice(maxCalledTurns), ['Go', 'called']);
    await call(maxCalledTurns - 2);
    turns.spoken();
    await call(maxCalledTurns + 1);
    assert.deepEqual([runs.length, notices.length], [3 * maxCalledTurns, 2]);
  });
});
