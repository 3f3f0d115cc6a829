// TaskUpdate, row by row: states, words, links, and what is refused.
import { taskUpdateTool } from '../../../src/core/tools/tasks/task-update';
import { sessionTasks, taskRows } from '../../support/task-rows';
import { type ToolRow, toolTable } from '../../support/tool-table';

const session = sessionTasks();

function deletedMeanwhile(): ReturnType<typeof sessionTasks> {
  let list = taskRows();
  const refuses = async (): Promise<undefined> =>
    void (list = { ...list, tasks: list.tasks.filter(({ id }) => id !== '2') });
  return { tasks: { list: () => list, refuses } };
}

const rows: ToolRow[] = [
  {
    name: 'done',
    input: { taskId: '2', status: 'completed' },
    session,
    text: 'Saved: #2 Test (completed, owner ann)',
    detail: 'completed',
  },
  {
    name: 'a number with its sign',
    input: { taskId: '#2', status: 'pending' },
    session,
    text: 'Saved: #2 Test (pending, owner ann)',
    detail: 'pending',
  },
  {
    name: 'other words',
    input: { taskId: '3', subject: 'Send' },
    session,
    text: 'Saved: #3 Send (pending, waits for #2)',
  },
  {
    name: 'a link that waits for nothing open',
    input: { taskId: '3', addBlockedBy: ['#1'] },
    session,
    text: 'Saved: #3 Ship (pending, waits for #2)',
  },
  {
    name: 'deleted',
    input: { taskId: '2', status: 'deleted' },
    session,
    text: 'Deleted task #2.',
    detail: 'deleted',
  },
  {
    name: 'what still waits',
    input: { taskId: '3', status: 'in_progress' },
    session,
    code: 'task-not-changed',
    text: '#3 waits for #2, which is not completed. Nothing was changed; do that first.',
  },
  {
    name: 'a circle',
    input: { taskId: '2', addBlockedBy: ['3'] },
    session,
    code: 'task-not-changed',
    text: /would wait for each other forever/,
  },
  {
    name: 'an unknown task',
    input: { taskId: '9', status: 'completed' },
    session,
    code: 'task-not-changed',
    text: 'There is no task #9. There are #1, #2, #3.',
  },
  {
    name: 'what a hook does not think done',
    input: { taskId: '2', status: 'completed' },
    session: sessionTasks(undefined, 'Two tests fail.'),
    code: 'hook-refused',
    text: 'A hook says that #2 is not done, so nothing was changed: Two tests fail.',
  },
  {
    name: 'done already: no hook is asked',
    input: { taskId: '1', status: 'completed' },
    session: sessionTasks(undefined, 'No.'),
    text: 'Saved: #1 Build (completed)',
  },
  {
    name: 'what another deleted while a hook looked',
    input: { taskId: '2', status: 'completed' },
    session: deletedMeanwhile(),
    code: 'task-not-changed',
    text: 'There is no task #2. There are #1, #3.',
  },
  { name: 'where there is no list', input: { taskId: '1' }, code: 'no-task-list', text: /has no task list/ },
  {
    name: 'an unknown state',
    input: { taskId: '1', status: 'done' },
    session,
    code: 'InputValidationError',
    text: /`status`/,
  },
];

describe('TaskUpdate, row by row', () => toolTable(taskUpdateTool, rows));
