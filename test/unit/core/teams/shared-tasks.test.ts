// The list of tasks that a team shares: everybody sees it, the first claim wins, hooks know whose it is.
import assert from 'node:assert/strict';
import { tasksFromRecords } from '../../../../src/core/sessions/tasks-from-records';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createTeamHarness, lettersIn, mail, makeTeam, teammate } from '../../../support/team-harness';

const create = (subject: string, id: string) => toolUse('TaskCreate', { subject, description: `${subject} all` }, id);
const update = (input: object, id: string) => toolUse('TaskUpdate', input, id);

describe('tasks of a team', () => {
  it('are one list for all, whoever writes it last in the log', async () => {
    const harness = createTeamHarness({
      lead: {
        Go: [
          reply(makeTeam()),
          reply(create('Build', 't1'), create('Test', 't2')),
          reply(teammate('finder', 'Find it', 'a1')),
        ],
      },
      agents: {
        'Find it': [
          reply(toolUse('TaskList', {}, 'l1')),
          reply(
            update({ taskId: '1', status: 'in_progress' }, 'u1'),
            create('Ship', 'c1'),
            update({ taskId: '3', addBlockedBy: ['1'] }, 'u2'),
          ),
          reply('Begun.'),
        ],
      },
    });
    await harness.play('Go');
    assert.match(JSON.stringify(harness.mate('finder')), /#1 Build \(pending\)\\n#2 Test \(pending\)/);
    const list = tasksFromRecords(harness.stored());
    assert.deepEqual(
      list.tasks.map(({ id, status, owner, blockedBy }) => [id, status, owner, blockedBy]),
      [
        ['1', 'in_progress', 'finder', []],
        ['2', 'pending', undefined, []],
        ['3', 'pending', undefined, ['1']],
      ],
    );
    const todos = harness.chat().todos.map(({ content, owner, waitsFor }) => [content, owner, waitsFor]);
    assert.deepEqual(todos, [
      ['#1 Build', 'finder', undefined],
      ['#2 Test', undefined, undefined],
      ['#3 Ship', undefined, ['#1']],
    ]);
    assert.deepEqual(harness.replayed().todos, harness.chat().todos);
    assert.deepEqual(harness.session.surroundings.todos(), harness.chat().todos);
    // A result that is written late holds an older list.
    const late = harness.stored().filter((record) => record.type !== 'user' || record.toolUseResult === undefined);
    const older = harness
      .stored()
      .filter((record) => record.type === 'user' && JSON.stringify(record.toolUseResult ?? '').includes('"lastId":2'));
    assert.equal(tasksFromRecords([...late, ...older]).tasks.length, 3);
  });

  it('belong to the first who claims them, and to whom the lead gives them, who is told and woken', async () => {
    let both = (): void => undefined;
    const met = new Promise<void>((resolve) => (both = resolve));
    let claims = 0;
    const harness = createTeamHarness({
      lead: {
        Go: [
          reply(makeTeam()),
          reply(create('Build', 't1')),
          reply(teammate('finder', 'Find it', 'a1'), teammate('writer', 'Write it', 'a2')),
        ],
        Give: [reply(update({ taskId: '1', owner: 'writer' }, 'g1'))],
      },
      agents: {
        'Find it': [reply(update({ taskId: '1', status: 'completed' }, 'u1')), reply('Claimed, or not.')],
        'Write it': [
          reply(update({ taskId: '1', owner: 'writer', status: 'completed' }, 'u2')),
          reply('Claimed, or not.'),
          reply('It is mine.'),
        ],
      },
      // Both calls are past their first look at the list when one of them continues.
      ports: {
        hooks: {
          ...scriptedHooks(() => undefined),
          command: async () => {
            if (++claims === 2) both();
            await met;
            return { kind: 'ended', exitCode: 0, stdout: '', stderr: '' };
          },
        },
      },
      session: { hooks: () => ({ active: [commandHook('TaskCompleted', 'a')] }) },
    });
    // Whose is decided before: finder owns nothing, so its change is a claim as well.
    await harness.play('Go');
    const results = [...harness.mate('finder'), ...harness.mate('writer')].flatMap((record) =>
      record.type === 'user' && record.toolState !== undefined ? [record.toolState] : [],
    );
    assert.deepEqual(results.sort(), ['done', 'failed'], 'two at once: one wins');
    const [owner] = tasksFromRecords(harness.stored()).tasks.map((task) => task.owner);
    assert.ok(owner === 'finder' || owner === 'writer');
    if (owner === 'finder') await harness.play('Give');
    assert.equal(tasksFromRecords(harness.stored()).tasks[0]?.owner, 'writer');
    if (owner === 'finder')
      assert.deepEqual(lettersIn(harness.mate('writer')), ['lead: Task #1 is yours now: Build\n\nBuild all']);
  });

  it("and idleness are told to hooks with the teammate's name; exit code 2 keeps it at work", async () => {
    const events: unknown[] = [];
    let idle = 0;
    const harness = createTeamHarness({
      lead: { Go: [reply(makeTeam()), reply(teammate('finder', 'Find it', 'a1'))] },
      agents: {
        'Find it': [
          reply(create('Build', 'c1'), mail('lead', 'One to build.', 'f1')),
          reply('I am done.'),
          reply('The tests have run.'),
        ],
      },
      ports: {
        hooks: scriptedHooks(
          (_hook, { hook_event_name: event, teammate_name: name, team_name: team, agent_type: type }) => {
            events.push([event, name, team, type]);
            return event === 'TeammateIdle' && ++idle === 1
              ? { exitCode: 2, stderr: 'Run the tests first.' }
              : undefined;
          },
        ),
      },
      session: { hooks: () => ({ active: [commandHook('TaskCreated', 'a'), commandHook('TeammateIdle', 'b')] }) },
    });
    await harness.play('Go');
    assert.deepEqual(events, [
      ['TaskCreated', 'finder', 'crew', 'general-purpose'],
      ['TeammateIdle', 'finder', 'crew', 'general-purpose'],
      ['TeammateIdle', 'finder', 'crew', 'general-purpose'],
    ]);
    assert.match(
      JSON.stringify(harness.mate('finder')),
      /A TeammateIdle hook says that you are not finished: Run the tests first\..*The tests have run\./s,
    );
    assert.deepEqual(
      harness.session.surroundings.team?.current()?.members.map(({ state }) => state),
      ['idle'],
    );
  });

  it('a TeammateIdle hook that stops all ends the teammate', async () => {
    const harness = createTeamHarness({
      lead: { Go: [reply(makeTeam()), reply(teammate('finder', 'Find it', 'a1'))] },
      agents: { 'Find it': [reply('I am done.')] },
      ports: { hooks: scriptedHooks(() => ({ stdout: JSON.stringify({ continue: false, stopReason: 'Enough.' }) })) },
      session: { hooks: () => ({ active: [commandHook('TeammateIdle', 'b')] }) },
    });
    await harness.play('Go');
    assert.deepEqual(
      harness.session.surroundings.team?.current()?.members.map(({ state }) => state),
      ['ended'],
    );
    assert.match(JSON.stringify(harness.stored()), /finder's part\) is done/);
  });
});
