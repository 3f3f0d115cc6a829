// TaskCreate: one more task on the session's list.
import { z } from 'zod/v3';
import { addTask } from '../../tasks/change-tasks';
import { taskListSchema, taskSchema, todoItems } from '../../tasks/task';
import { buildTool, promptOf } from '../../tool/build-tool';
import prompt from './task-create.md';
import { taskCreateForHooks } from './tasks-for-hooks';

const inputSchema = z.strictObject({
  subject: z.string().min(1).describe('What to do, in a few words: "Run the tests"'),
  description: z.string().describe('What it includes, and when it is done'),
  activeForm: z.string().min(1).optional().describe('The same while in progress: "Running the tests"'),
  metadata: z.record(z.unknown()).optional().describe('Any data to keep with it'),
});
const outputSchema = taskListSchema.extend({ task: taskSchema });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const taskCreateTool = buildTool<Input, Output>({
  name: 'TaskCreate',
  aliases: ['TaskCreateTool'],
  seldom: 'adds a task to the list that the user watches: for work of three or more steps',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  hookOutput: taskCreateForHooks,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('tasks') ?? true,
  isReadOnly: () => true,
  describe: ({ subject }) => ({ now: `Adding the task "${subject}"`, past: `Added the task "${subject}"` }),
  async call(input, { session, signal }) {
    if (session.tasks === undefined) return noList;
    const { task } = addTask(session.tasks.list(), input);
    const refusal = await session.tasks.refuses('TaskCreated', task, signal);
    if (refusal !== undefined)
      return { failure: { code: 'hook-refused', message: `A hook refused the task, so it was not added: ${refusal}` } };
    // Another of the team may have changed it while hooks looked at the task.
    const now = addTask(session.tasks.list(), input);
    const kept = session.tasks.share?.(now.list, { task: now.task, before: undefined }) ?? now.list;
    return { data: { ...kept, task: now.task } };
  },
  content: ({ task }) => `Added task #${task.id}: ${task.subject}`,
  view: (output) => ({ kind: 'todo', items: todoItems(output), step: true }),
  detail: ({ task }) => `#${task.id}`,
});

export const noList = {
  failure: { code: 'no-task-list', message: 'This session has no task list. Continue without one.' },
};
