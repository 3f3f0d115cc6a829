// Background tasks as hooks see them, and as they may replace what the model is told.
import { z } from 'zod/v3';
import { hookOutput } from '../../tool/hook-output';
import { type TaskOutputOutput, type TaskStopOutput } from './task-outputs';

const outputGiven = z.object({
  task: z.object({
    output: z.string(),
    description: z.string().nullish(),
  }),
});

export const taskOutputForHooks = hookOutput<unknown, TaskOutputOutput, z.infer<typeof outputGiven>>({
  shape: outputGiven,
  show: ({ data: { taskId, title, state, status, exitCode, output, timedOut } }) => ({
    retrieval_status: state !== 'running' ? 'success' : timedOut ? 'timeout' : 'not_ready',
    task: {
      task_id: taskId,
      status: state === 'running' ? 'running' : state === 'exited' ? 'completed' : state,
      statusText: status,
      description: title,
      output,
      exitCode: exitCode ?? null,
    },
  }),
  read: ({ task: { output, description } }, { data }) => ({
    data: { ...data, output, title: description ?? data.title },
  }),
});

const stopGiven = z.object({ message: z.string(), command: z.string().nullish() });

export const taskStopForHooks = hookOutput<unknown, TaskStopOutput, z.infer<typeof stopGiven>>({
  shape: stopGiven,
  show: ({ data: { taskId, title, message } }) => ({ message, task_id: taskId, command: title }),
  read: ({ message, command }, { data }) => ({ data: { ...data, message, title: command ?? '' } }),
});
