// The list of tasks that tables of the Task tools begin with, and a hook that refuses some.
import { addTask, updateTask } from '../../src/core/tasks/change-tasks';
import { type SessionTasks } from '../../src/core/tasks/session-tasks';
import { noTasks, type TaskList } from '../../src/core/tasks/task';

/** #1 Build, completed; #2 Test, in progress, of ann; #3 Ship waits for #2. */
export function taskRows(): TaskList {
  let list = ['Build', 'Test', 'Ship'].reduce<TaskList>(
    (before, subject) => addTask(before, { subject, description: `${subject} all` }).list,
    noTasks,
  );
  for (const [id, patch] of [
    ['1', { status: 'completed' }],
    ['2', { status: 'in_progress', owner: 'ann' }],
    ['3', { addBlockedBy: ['2'] }],
  ] as const) {
    const changed = updateTask(list, id, patch);
    if ('list' in changed) list = changed.list;
  }
  return list;
}

export function sessionTasks(list: TaskList = taskRows(), refusal?: string): { tasks: SessionTasks } {
  return { tasks: { list: () => list, refuses: async () => refusal } };
}
