// TaskUpdate: another state, other words or other links of one task.
import { z } from 'zod/v3';
import { type Changed, type TaskPatch, updateTask } from '../../tasks/change-tasks';
import { type SessionTasks } from '../../tasks/session-tasks';
import { taskLine, type TaskList, taskListSchema, taskSchema, todoItems } from '../../tasks/task';
import { buildTool, promptOf } from '../../tool/build-tool';
import { noList } from './task-create';
import prompt from './task-update.md';
import { taskUpdateForHooks } from './tasks-for-hooks';

const inputSchema = z.strictObject({
  taskId: z.string().min(1).describe('Its number'),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional().describe('Its new state'),
  subject: z.string().min(1).optional().describe('A new subject'),
  description: z.string().optional().describe('A new description'),
  activeForm: z.string().min(1).optional().describe('The subject while in progress'),
  owner: z.string().optional().describe('Who does it'),
  addBlocks: z.array(z.string()).optional().describe('Ids of tasks that wait for this one'),
  addBlockedBy: z.array(z.string()).optional().describe('Ids of tasks that this one waits for'),
  metadata: z.record(z.unknown()).optional().describe('Merged key by key; null removes a key'),
});
const outputSchema = taskListSchema.extend({ task: taskSchema, deleted: z.boolean().optional() });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const taskUpdateTool = buildTool<Input, Output>({
  name: 'TaskUpdate',
  aliases: ['TaskUpdateTool'],
  seldom: 'says that a task has begun or is done',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  hookOutput: taskUpdateForHooks,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('tasks') ?? true,
  isReadOnly: () => true,
  describe: ({ taskId, status }) => ({
    now: `Updating task #${bare(taskId)}`,
    past: status === 'completed' ? `Completed task #${bare(taskId)}` : `Updated task #${bare(taskId)}`,
  }),
  async call({ taskId, ...patch }, { session, signal }) {
    if (session.tasks === undefined) return noList;
    const { tasks } = session;
    const wanted = { ...patch, addBlocks: patch.addBlocks?.map(bare), addBlockedBy: patch.addBlockedBy?.map(bare) };
    const before = tasks.list();
    const first = change(tasks, before, bare(taskId), wanted);
    if ('problem' in first) return { failure: { code: 'task-not-changed', message: first.problem } };
    const completes =
      first.task.status === 'completed' &&
      before.tasks.some(({ id, status }) => id === first.task.id && status !== 'completed');
    const refusal = completes ? await tasks.refuses('TaskCompleted', first.task, signal) : undefined;
    if (refusal !== undefined)
      return {
        failure: {
          code: 'hook-refused',
          message: `A hook says that #${first.task.id} is not done, so nothing was changed: ${refusal}`,
        },
      };
    // Another of the team may have changed the list while hooks looked at the task.
    const now = tasks.list();
    const changed = change(tasks, now, bare(taskId), wanted);
    if ('problem' in changed) return { failure: { code: 'task-not-changed', message: changed.problem } };
    const { task } = changed;
    const list =
      tasks.share?.(changed.list, { task, before: now.tasks.find(({ id }) => id === task.id) }) ?? changed.list;
    return { data: { ...list, task, ...(patch.status === 'deleted' ? { deleted: true } : {}) } };
  },
  content: ({ task, tasks, deleted }) =>
    deleted === true ? `Deleted task #${task.id}.` : `Saved: ${taskLine(task, { tasks })}`,
  view: (output) => ({ kind: 'todo', items: todoItems(output), step: true }),
  detail: ({ task, deleted }) => (deleted === true ? 'deleted' : task.status.replace('_', ' ')),
});

function change(tasks: SessionTasks, list: TaskList, id: string, patch: TaskPatch): Changed {
  const judged = tasks.judge?.(list, id, patch) ?? { patch };
  return 'problem' in judged ? judged : updateTask(list, id, judged.patch);
}

/** "#2" is written too. */
function bare(id: string): string {
  return id.trim().replace(/^#/, '');
}
