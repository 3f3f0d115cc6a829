// TaskList: all tasks of the session, a line each.
import { z } from 'zod/v3';
import { taskLine, taskListSchema, todoItems } from '../../tasks/task';
import { buildTool, promptOf } from '../../tool/build-tool';
import { noList } from './task-create';
import prompt from './task-list.md';
import { taskListForHooks } from './tasks-for-hooks';

const inputSchema = z.strictObject({});

export const taskListTool = buildTool<z.infer<typeof inputSchema>, z.infer<typeof taskListSchema>>({
  name: 'TaskList',
  aliases: ['TaskListTool'],
  seldom: 'shows all tasks',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: taskListSchema,
  hookOutput: taskListForHooks,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('tasks') ?? true,
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: () => ({ now: 'Looking at the tasks', past: 'Looked at the tasks' }),
  call: async (_input, { session }) => (session.tasks === undefined ? noList : { data: session.tasks.list() }),
  content: (list) =>
    list.tasks.length === 0 ? 'There are no tasks.' : list.tasks.map((task) => taskLine(task, list)).join('\n'),
  view: (list) => ({ kind: 'todo', items: todoItems(list) }),
  detail: ({ tasks }) => `${tasks.filter(({ status }) => status === 'completed').length}/${tasks.length}`,
});
