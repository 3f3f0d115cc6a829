// TaskUpdate: another state, other words or other links of one task.
import { z } from 'zod/v3';
import { updateTask } from '../tasks/change-tasks';
import { taskLine, taskListSchema, taskSchema, todoItems } from '../tasks/task';
import { buildTool } from './build-tool';
import { noList } from './task-create';
import prompt from './task-update.md';

const inputSchema = z.object({
  taskId: z.string().min(1).describe('Its number'),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional().describe('Its new state'),
  subject: z.string().min(1).optional().describe('Other words for it'),
  description: z.string().optional().describe('Another description'),
  activeForm: z.string().min(1).optional().describe('The subject while it is done'),
  owner: z.string().optional().describe('Who does it'),
  addBlocks: z.array(z.string()).optional().describe('Ids of tasks that wait for this one'),
  addBlockedBy: z.array(z.string()).optional().describe('Ids of tasks that this one waits for'),
  metadata: z.record(z.unknown()).optional().describe('Merged key by key; null takes one away'),
});
const outputSchema = taskListSchema.extend({ task: taskSchema, deleted: z.boolean().optional() });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const taskUpdateTool = buildTool<Input, Output>({
  name: 'TaskUpdate',
  aliases: ['TaskUpdateTool'],
  prompt: async () => prompt.trim(),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('tasks') ?? false,
  isReadOnly: () => true,
  describe: ({ taskId, status }) => ({ now: `Updating task #${bare(taskId)}`, past: status === 'completed' ? `Completed task #${bare(taskId)}` : `Updated task #${bare(taskId)}` }),
  async call({ taskId, ...patch }, { session, signal }) {
    if (session.tasks === undefined) return noList;
    const before = session.tasks.list();
    const changed = updateTask(before, bare(taskId), { ...patch, addBlocks: patch.addBlocks?.map(bare), addBlockedBy: patch.addBlockedBy?.map(bare) });
    if ('problem' in changed) return { failure: { code: 'task-not-changed', message: changed.problem } };
    const { list, task } = changed;
    const completes = task.status === 'completed' && before.tasks.some(({ id, status }) => id === task.id && status !== 'completed');
    const refusal = completes ? await session.tasks.refuses('TaskCompleted', task, signal) : undefined;
    if (refusal !== undefined) return { failure: { code: 'hook-refused', message: `A hook says that #${task.id} is not done, so nothing was changed: ${refusal}` } };
    return { data: { ...list, task, ...(patch.status === 'deleted' ? { deleted: true } : {}) } };
  },
  mapToolResultToToolResultBlockParam: ({ task, tasks, deleted }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: deleted === true ? `Task #${task.id} is deleted.` : `Saved: ${taskLine(task, { tasks })}`,
  }),
  view: (output) => ({ kind: 'todo', items: todoItems(output) }),
  detail: ({ task, deleted }) => (deleted === true ? 'deleted' : task.status.replace('_', ' ')),
});

/** "#2" is written too. */
function bare(id: string): string {
  return id.trim().replace(/^#/, '');
}
