// TaskGet: one task of the session's list.
import { z } from 'zod/v3';
import { unknownTask } from '../../tasks/change-tasks';
import { taskSchema } from '../../tasks/task';
import { buildTool, promptOf } from '../../tool/build-tool';
import { noList } from './task-create';
import prompt from './task-get.md';

const inputSchema = z.strictObject({ taskId: z.string().min(1).describe('Its number') });
const outputSchema = z.object({ task: taskSchema });

export const taskGetTool = buildTool<z.infer<typeof inputSchema>, z.infer<typeof outputSchema>>({
  name: 'TaskGet',
  aliases: ['TaskGetTool'],
  seldom: 'shows one task in full',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('tasks') ?? true,
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ taskId }) => ({ now: `Looking at task ${taskId}`, past: `Looked at task ${taskId}` }),
  async call({ taskId }, { session }) {
    if (session.tasks === undefined) return noList;
    const list = session.tasks.list();
    const id = taskId.trim().replace(/^#/, '');
    const task = list.tasks.find((one) => one.id === id);
    return task === undefined
      ? { failure: { code: 'unknown-task', message: unknownTask(id, list) } }
      : { data: { task } };
  },
  content: ({ task }) => JSON.stringify(task, undefined, 2),
  detail: ({ task }) => task.status.replace('_', ' '),
});
