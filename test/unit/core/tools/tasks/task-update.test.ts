// The Task tools through a session: kept in the log, watched in the chat, refused by hooks, never offered together with TodoWrite.
import assert from 'node:assert/strict';
import { forkRecords } from '../../../../../src/core/sessions/fork-records';
import { todosFromRecords } from '../../../../../src/core/sessions/todos-from-records';
import { tracksBy } from '../../../../../src/core/tasks/task-lists';
import { tasksFromRecords } from '../../../../../src/core/sessions/tasks-from-records';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { getAllBaseTools, getTools } from '../../../../../src/core/tools/registry';
import { todoWriteTool } from '../../../../../src/core/tools/tasks/todo-write';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import { reply, type ScriptedReply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type HarnessOptions } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { compaction } from '../../../../../src/core/features/compaction/compaction-key';

const tools = getAllBaseTools().filter(
  ({ name }) => name.startsWith('Task') && !['TaskOutput', 'TaskStop'].includes(name),
);
const create = (subject: string): ReturnType<typeof toolUse> =>
  toolUse('TaskCreate', { subject, description: `${subject} it`, activeForm: `${subject}ing` });
const update = (input: object): ReturnType<typeof toolUse> => toolUse('TaskUpdate', input);

function open(script: readonly ScriptedReply[], options: Partial<HarnessOptions> = {}) {
  const model = createScriptedModel(script);
  const run = createHarness({ model, tools, ...options });
  return { ...run, results: () => JSON.stringify(model.requests.at(-1)?.messages) };
}

describe('task tools', () => {
  const script = (): ScriptedReply[] => [
    reply(create('Build'), create('Test')),
    reply(
      update({ taskId: '#2', addBlockedBy: ['1'] }),
      update({ taskId: '2', status: 'in_progress' }),
      update({ taskId: '1', status: 'in_progress' }),
    ),
    reply(toolUse('TaskList', {}), toolUse('TaskGet', { taskId: '2' }), toolUse('TaskGet', { taskId: '9' })),
    reply('Begun.'),
  ];

  it('keep a list that the user watches and nobody is asked about', async () => {
    const run = open(script());
    await run.run('Go');
    assert.deepEqual(run.approvals, []);
    assert.match(run.results(), /Added task #2: Test/);
    assert.match(run.results(), /#2 waits for #1, which is not completed/);
    assert.match(run.results(), /#1 Build \(in_progress\)\\n#2 Test \(pending, waits for #1\)/);
    assert.match(run.results(), /Test it/);
    assert.match(run.results(), /There is no task #9/);
    const todos = [
      { content: '#1 Build', activeForm: '#1 Building', status: 'in_progress' },
      { content: '#2 Test', activeForm: '#2 Testing', status: 'pending', waitsFor: ['#1'] },
    ];
    assert.deepEqual(run.chat().todos, todos);
    assert.deepEqual(run.replayed().todos, todos);
    assert.deepEqual(todosFromRecords(run.stored()), todos);
  });

  it('go on after a reload and in a fork, and stand in a compaction', async () => {
    const first = open(script());
    await first.run('Go');
    assert.equal(tasksFromRecords(forkRecords(first.stored(), 'other')).tasks.length, 2);
    const model = [reply(create('Ship')), reply('Three.'), reply('A summary.'), reply('On.')];
    const again = open(model, { records: first.stored() });
    await again.run('One more');
    assert.match(again.results(), /Added task #3/);
    await featureOf(again.session, compaction).byHand('', new AbortController().signal);
    await again.run('Go on');
    assert.match(
      again.results(),
      /# Open tasks\\n\\n- #1 Build \(in progress\)\\n- #2 Test \(not started\)\\n- #3 Ship/,
    );
  });

  it('are refused by hooks, with the reason', async () => {
    const events: unknown[] = [];
    const run = open(
      [
        reply(create('Build'), create('Deploy')),
        reply(update({ taskId: '1', status: 'completed' })),
        reply('So be it.'),
      ],
      {
        ports: {
          hooks: scriptedHooks(
            (_hook, { hook_event_name: event, task_id: id, task_subject: subject, task_description: description }) => {
              events.push([event, id, subject, description]);
              return event === 'TaskCompleted' || subject === 'Deploy'
                ? { exitCode: 2, stderr: 'Not now.' }
                : undefined;
            },
          ),
        },
        session: { hooks: () => ({ active: [commandHook('TaskCreated', 'a'), commandHook('TaskCompleted', 'b')] }) },
      },
    );
    await run.run('Go');
    assert.deepEqual(events, [
      ['TaskCreated', '1', 'Build', 'Build it'],
      ['TaskCreated', '2', 'Deploy', 'Deploy it'],
      ['TaskCompleted', '1', 'Build', 'Build it'],
    ]);
    assert.match(run.results(), /A hook refused the task, so it was not added: Not now\./);
    assert.match(run.results(), /A hook says that #1 is not done, so nothing was changed: Not now\./);
    assert.deepEqual(
      run.chat().todos.map(({ content, status }) => [content, status]),
      [['#1 Build', 'pending']],
    );
  });

  it('are offered unless somebody asks for TodoWrite, and never beside it', () => {
    const tasks = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];
    const offered = (value: string | undefined, ...named: string[]): string[] => {
      const names = (tool: string): boolean => named.includes(tool);
      const tracks = tracksBy(() => ({ CLAUDE_CODE_ENABLE_TASKS: value }), names);
      const availability = availabilityOf({}, { interactive: true, platform: 'linux', names, tracks });
      return getTools({ isDenied: () => false, simple: false, availability })
        .map(({ name }) => name)
        .filter((name) => name === 'TodoWrite' || tasks.includes(name));
    };
    const rows: [value: string | undefined, named: string[], list: string[]][] = [
      [undefined, [], tasks],
      [undefined, ['Bash', 'TaskUpdate'], tasks],
      [undefined, ['TodoWrite'], ['TodoWrite']],
      [undefined, ['TodoWrite', 'TaskList'], tasks],
      ...['0', 'false', 'no', ' OFF '].map((off): [string, string[], string[]] => [off, [], ['TodoWrite']]),
      ['false', ['TaskCreate'], ['TodoWrite']],
      ...['1', 'true', 'yes'].map((on): [string, string[], string[]] => [on, ['TodoWrite'], tasks]),
      ['', [], tasks],
      ['perhaps', ['TodoWrite'], ['TodoWrite']],
    ];
    for (const [value, named, list] of rows) assert.deepEqual(offered(value, ...named), list, `${value} ${named}`);
  });

  it('go on from a list that TodoWrite left', async () => {
    const old = createHarness({
      model: createScriptedModel([
        reply(
          toolUse('TodoWrite', {
            todos: [
              { content: 'Build', activeForm: 'Building', status: 'completed' },
              { content: 'Ship', activeForm: 'Shipping', status: 'in_progress' },
            ],
          }),
        ),
        reply('Half.'),
      ]),
      tools: [todoWriteTool],
    });
    await old.run('Do it');
    const resumed = open(
      [
        reply(toolUse('TaskList', {})),
        reply(update({ taskId: '2', status: 'completed' }), create('Tell')),
        reply('Done.'),
      ],
      { records: old.stored() },
    );
    await resumed.run('Go on');
    assert.match(resumed.results(), /#1 Build \(completed\)\\n#2 Ship \(in_progress\)/);
    assert.deepEqual(
      resumed.chat().todos.map(({ content, status }) => [content, status]),
      [
        ['#1 Build', 'completed'],
        ['#2 Ship', 'completed'],
        ['#3 Tell', 'pending'],
      ],
    );
  });
});
