// The list of tasks: what each change makes of it, and what is refused.
import assert from 'node:assert/strict';
import { addTask, type TaskPatch, updateTask } from '../../../../src/core/tasks/change-tasks';
import { noTasks, taskLine, type TaskList, todoItems } from '../../../../src/core/tasks/task';

/** #1 to #3; #2 waits for #1. */
function three(): TaskList {
  const list = ['a', 'b', 'c'].reduce<TaskList>(
    (before, subject) => addTask(before, { subject, description: '' }).list,
    noTasks,
  );
  const linked = updateTask(list, '2', { addBlockedBy: ['1'] });
  assert.ok('list' in linked);
  return linked.list;
}

function lines(list: TaskList): string[] {
  return list.tasks.map((task) => taskLine(task, list));
}

const cases: [name: string, id: string, patch: TaskPatch, after: string[] | RegExp][] = [
  ['a state', '1', { status: 'in_progress' }, ['#1 a (in_progress)', '#2 b (pending, waits for #1)', '#3 c (pending)']],
  [
    'what it waited for is done',
    '1',
    { status: 'completed' },
    ['#1 a (completed)', '#2 b (pending)', '#3 c (pending)'],
  ],
  [
    'a task that waits does not begin',
    '2',
    { status: 'in_progress' },
    /#2 waits for #1, which is not completed\. Nothing was changed/,
  ],
  ['nor does it end', '2', { status: 'completed' }, /waits for #1/],
  [
    'nor one that waits from now on',
    '3',
    { status: 'in_progress', addBlockedBy: ['1', '2'] },
    /#3 waits for #1, #2, which are not/,
  ],
  [
    'words and owner',
    '3',
    { subject: 'z', owner: 'ann' },
    ['#1 a (pending)', '#2 b (pending, waits for #1)', '#3 z (pending, owner ann)'],
  ],
  [
    'links from the other side',
    '3',
    { addBlocks: ['1'] },
    ['#1 a (pending, waits for #3)', '#2 b (pending, waits for #1)', '#3 c (pending)'],
  ],
  ['deleted, and gone from the links', '1', { status: 'deleted' }, ['#2 b (pending)', '#3 c (pending)']],
  ['no circle of one', '1', { addBlocks: ['1'] }, /#1 would wait for each other forever/],
  ['no circle of two', '1', { addBlockedBy: ['2'] }, /#1, #2 would wait/],
  ['no circle over three', '3', { addBlockedBy: ['2'], addBlocks: ['1'] }, /would wait for each other/],
  ['no unknown task', '7', { status: 'completed' }, /There is no task #7\. There are #1, #2, #3\./],
  ['no unknown link', '1', { addBlocks: ['8'] }, /There is no task #8/],
];

describe('a list of tasks', () => {
  for (const [name, id, patch, after] of cases) {
    it(name, () => {
      const list = three();
      const before = structuredClone(list);
      const changed = updateTask(list, id, patch);
      assert.deepEqual(list, before, 'the list before is left as it was');
      if (after instanceof RegExp) assert.match('problem' in changed ? changed.problem : '', after);
      else assert.deepEqual('list' in changed ? lines(changed.list) : changed.problem, after);
    });
  }

  it('merges metadata, null takes a key away', () => {
    const { list } = addTask(noTasks, { subject: 'a', description: '', metadata: { x: 1, y: 2 } });
    const changed = updateTask(list, '1', { metadata: { y: null, z: 3 } });
    assert.deepEqual('task' in changed ? changed.task.metadata : undefined, { x: 1, z: 3 });
  });

  it('gives no id twice', () => {
    const deleted = updateTask(three(), '3', { status: 'deleted' });
    assert.ok('list' in deleted);
    assert.equal(addTask(deleted.list, { subject: 'd', description: '' }).task.id, '4');
  });

  it('is watched like a list of todos', () => {
    const { list } = addTask(noTasks, { subject: 'Run the tests', description: '', activeForm: 'Running the tests' });
    assert.deepEqual(todoItems(list), [
      { content: '#1 Run the tests', activeForm: '#1 Running the tests', status: 'pending' },
    ]);
  });
});
