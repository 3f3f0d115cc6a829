// What becomes of a session that is left at work, in words; and a chat that leaves it only where its user agrees.
import assert from 'node:assert/strict';
import { HostClosed } from '../../../../src/core/loop/host-closed';
import { emptyChat, type ChatState } from '../../../../src/shared/chat';
import { workOfAll } from '../../../../src/vscode/agents/session-work';
import { leaveFor, leaving } from '../../../../src/vscode/chat/conversation/leave-session';
import { becomesOf, isAtWork, leftWork } from '../../../../src/vscode/chat/conversation/left-work';

const state = (own: Partial<ChatState> = {}): ChatState => ({
  ...emptyChat('s', 'default', 'm'),
  title: 'Build',
  ...own,
});
const command = { id: 'bash_1', kind: 'command', title: 'npm run dev\nmore', startedAt: 0 } as const;
const agent = { id: 'a1', kind: 'agent', title: 'Explore: the tests', startedAt: 0 } as const;
const call = { id: 'call-12345678', kind: 'command', title: 'db: query', startedAt: 0 } as const;
const approval = {
  id: 'p',
  toolUseId: 't',
  toolName: 'Edit',
  title: 'Edit a.ts',
  view: { kind: 'json', text: '' },
  reason: '',
  suggestions: [],
  hasDiff: true,
} as const satisfies ChatState['approvals'][number];

describe('the work that a session leaves behind', () => {
  const cases: [name: string, own: Partial<ChatState>, running: boolean, atWork: boolean, says: string[]][] = [
    ['nothing', {}, false, false, []],
    ['a turn', {}, true, true, ['Its turn stops. Open the session again to continue it.']],
    [
      'a proposed edit',
      { approvals: [approval] },
      true,
      true,
      ['You will be asked about 1 proposed edit again when the session is opened.'],
    ],
    [
      'an edit and a command that wait',
      { approvals: [approval, { ...approval, id: 'q', hasDiff: false }] },
      true,
      true,
      ['You will be asked about 2 requests (1 proposed edit) again when the session is opened.'],
    ],
    [
      'what an agent asks, which ends with it',
      { approvals: [{ ...approval, agent: 'Explore' }] },
      false,
      true,
      ['1 request of agents or MCP servers is cancelled.'],
    ],
    [
      'a loop',
      { lines: [{ id: 'loop', text: 'Every 5 minutes' }] as unknown as ChatState['lines'] },
      false,
      true,
      ['Its loop ends.'],
    ],
    [
      'a queued message',
      { queue: [{ id: 'q', text: 'Next' }] },
      false,
      false,
      ['1 queued message stays in the session.'],
    ],
    [
      'what ends with it',
      { background: [agent, call] },
      false,
      true,
      ['2 background tasks end with it: Explore: the tests, db: query.'],
    ],
    ['what rests', { background: [{ ...agent, kind: 'teammate', idle: true }] }, false, false, []],
    ['a command', { background: [command] }, false, false, ['1 command in the background continues: npm run dev.']],
    [
      'many commands',
      { background: [1, 2, 3, 4, 5].map((n) => ({ ...command, id: `bash_${n}`, title: `run ${n}` })) },
      false,
      false,
      ['5 commands in the background continue: run 1, run 2, run 3 and 2 more.'],
    ],
  ];
  for (const [name, own, running, atWork, says] of cases)
    it(`is told: ${name}`, () => {
      const work = leftWork(state(own), running);
      assert.deepEqual([isAtWork(work), becomesOf(work)], [atWork, says]);
    });

  it('of all sessions is listed once, also of those that no chat shows', async () => {
    const listed = { taskId: 'bash_1', toolUseId: 't1', command: 'npm run dev', outputPath: '/o', startedAt: 5 };
    const all = await workOfAll(
      [{ session: 's', title: '', background: [command, agent, { ...command, id: 'bash_9' }] }],
      [
        listed,
        { ...listed, taskId: 'bash_2', session: 'left', command: 'sleep 9' },
        { ...listed, taskId: 'bash_3', session: 'left', end: { state: 'exited', code: 0 } },
        { ...listed, taskId: 'bash_4', command: 'older' },
        { ...listed, taskId: 'bash_9', session: 's', end: { state: 'exited', code: 0 } },
      ],
      async (session) => (session === 'left' ? 'Left behind' : undefined),
    );
    assert.deepEqual(
      all.map(({ session, title, item }) => [session, title, item.id, item.title]),
      [
        ['s', 'New session', 'bash_1', command.title],
        ['s', 'New session', 'a1', agent.title],
        ['left', 'Left behind', 'bash_2', 'sleep 9'],
        ['', 'A session that is gone', 'bash_4', 'older'],
      ],
    );
  });
});

describe('a chat that leaves its session', () => {
  const leave = async (own: Partial<ChatState>, running: boolean, agrees: boolean, to: { id?: string } | undefined) => {
    const told: string[] = [];
    let asked = 0;
    let left = 0;
    let work = leftWork(state(own), running);
    await leaveFor(
      to,
      async () => {
        left++;
        work = leftWork(state({ sessionId: 'next' }), false);
      },
      {
        chat: {
          get work() {
            return work;
          },
          notice: (_level, title, detail) => void told.push(`${title} ${detail}`),
        },
        services: { confirmLeaving: async () => (asked++, agrees) },
        current: { inTurn: (step) => step(), isClosed: false },
      },
    );
    return { asked, left, told };
  };

  it('asks where something is at work, and stays where the user does not agree', async () => {
    assert.deepEqual(await leave({}, true, false, {}), { asked: 1, left: 0, told: [] });
    assert.deepEqual(await leave({}, true, true, {}), { asked: 1, left: 1, told: [] });
    assert.deepEqual(await leave({}, true, false, undefined), { asked: 0, left: 1, told: [] }, 'agreed before');
    assert.deepEqual(await leave({}, false, false, {}), { asked: 0, left: 1, told: [] }, 'at rest');
  });

  it('tells which commands continue without it', async () => {
    assert.deepEqual(await leave({ background: [command] }, false, false, {}), {
      asked: 0,
      left: 1,
      told: ['Commands of “Build” continue. 1 command in the background continues: npm run dev.'],
    });
  });

  it('stops its turn as a window does that goes away: what waits is asked again', () => {
    assert.ok(leaving instanceof HostClosed);
  });
});
