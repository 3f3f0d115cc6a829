// The session's tasks as hooks see them, and as they may change their words. No hook adds a task or takes one away.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { type Task, type TaskList } from '../../tasks/task';

type WithTask = TaskList & { task: Task };

const createGiven = z.object({ task: z.object({ subject: z.string(), description: z.string().nullish() }) });

export const taskCreateForHooks = hookOutput<unknown, WithTask, z.infer<typeof createGiven>>({
  shape: createGiven,
  show: ({ data: { task } }) => ({ task: { id: task.id, subject: task.subject, description: task.description } }),
  read: ({ task: { subject, description } }, { data }) => ({
    data: withTask(data, { ...data.task, subject, description: description ?? '' }),
  }),
});

/** What a line about a task says. */
const lineGiven = z.object({ subject: z.string(), owner: z.string().nullish() });

const updateGiven = z.object({ task: lineGiven.nullish() });

export const taskUpdateForHooks = hookOutput<{ taskId: string }, WithTask, z.infer<typeof updateGiven>>({
  shape: updateGiven,
  show: ({ data: { task } }, { input }) => ({
    success: true,
    taskId: task.id,
    updatedFields: Object.keys(input).filter((name) => name !== 'taskId'),
    task: shownLine(task),
  }),
  read: ({ task }, { data }) => ({ data: task == null ? data : withTask(data, withLine(data.task, task)) }),
});

const listGiven = z.object({ tasks: z.array(lineGiven.extend({ id: z.string() })) });

export const taskListForHooks = hookOutput<unknown, TaskList, z.infer<typeof listGiven>>({
  shape: listGiven,
  show: ({ data: { tasks } }) => ({ tasks: tasks.map(shownLine) }),
  read({ tasks }, { data }) {
    const lines = new Map(tasks.map((task) => [task.id, task]));
    if (tasks.length !== data.tasks.length || !data.tasks.every(({ id }) => lines.has(id)))
      return '`tasks` must be the same tasks: their words can change, no task can be added or left out.';
    return {
      data: { ...data, tasks: data.tasks.map((own) => withLine(own, lines.get(own.id) ?? own)) },
    };
  },
});

function shownLine({ id, subject, status, owner, blockedBy }: Task): Record<string, unknown> {
  return { id, subject, status, ...defined({ owner }), blockedBy };
}

function withLine({ owner: _, ...own }: Task, { subject, owner }: z.infer<typeof lineGiven>): Task {
  return { ...own, subject, ...defined({ owner: owner ?? undefined }) };
}

function withTask<Output extends WithTask>(data: Output, task: Task): Output {
  return { ...data, task, tasks: data.tasks.map((one) => (one.id === task.id ? task : one)) };
}
