// TaskStop: ends what runs in the background.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { taskStopForHooks } from './task-for-hooks';
import { taskStopSchema, type TaskStopOutput } from './task-outputs';
import prompt from './task-stop.md';
import { backgroundTasks, findTask, taskTitle, unknownTask } from './task-source';

const inputSchema = z.strictObject({
  task_id: z.string().optional().describe('The ID of the background task'),
  shell_id: z.string().optional().describe('An older name of task_id'),
});
export type TaskStopInput = z.infer<typeof inputSchema>;

export const taskStopTool = buildTool<TaskStopInput, TaskStopOutput>({
  name: 'TaskStop',
  aliases: ['KillShell', 'KillBash', 'TaskStopTool', 'task_stop'],
  seldom: 'ends a background command or agent',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: taskStopSchema,
  hookOutput: taskStopForHooks,
  // What it ends, the agent has started itself.
  access: 'ReadOnly',
  // It changes no file and ends only what the model has started itself.
  isReadOnly: () => true,
  describe: (input) => ({ now: `Stopping ${idOf(input)}`, past: `Stopped ${idOf(input)}` }),
  validateInput: async (input) =>
    idOf(input) === ''
      ? { ok: false, code: 'no-task', message: 'task_id is missing: name the background task to stop.' }
      : { ok: true },
  async call(input, context) {
    const id = idOf(input);
    const tasks = backgroundTasks(context);
    const task = findTask(id, tasks);
    if (task === undefined) return { failure: { code: 'unknown-task', message: unknownTask(id, tasks) } };
    if (task.end !== undefined || !(await task.stop())) {
      const end = findTask(id, backgroundTasks(context))?.end;
      return {
        failure: {
          code: 'task-ended',
          message: `${id} has already ended: it ${end?.text ?? 'has ended'}. Its output is in ${task.outputPath}.`,
        },
      };
    }
    const title = taskTitle(task);
    const message = `Stopped ${id} (${title}) and every process that it started. Its output is in ${task.outputPath}.`;
    return { data: { taskId: id, title, outputPath: task.outputPath, message } };
  },
  content: ({ message }) => message,
  view: ({ title }) => ({ kind: 'markdown', text: `Stopped \`${title.replaceAll('`', "'")}\`.` }),
});

function idOf({ task_id, shell_id }: TaskStopInput): string {
  return task_id ?? shell_id ?? '';
}
