// One task of the session's list, as calls, results and logs hold it.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';
import { type TodoItem } from '../../shared/tool-view';

export const taskSchema = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  /** The subject while it is done. */
  activeForm: z.string().optional(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  owner: z.string().optional(),
  /** Ids of the tasks that wait for this one. */
  blocks: z.array(z.string()),
  /** Ids of the tasks that this one waits for. */
  blockedBy: z.array(z.string()),
  metadata: z.record(z.unknown()).optional(),
});
export type Task = z.infer<typeof taskSchema>;

export const taskListSchema = z.object({
  tasks: z.array(taskSchema),
  /** The highest id that was ever used: no id is given twice. */
  lastId: z.number().int(),
  /** Counts the changes of a list that a team shares. */
  revision: z.number().int().optional(),
});
export type TaskList = z.infer<typeof taskListSchema>;

export const noTasks: TaskList = { tasks: [], lastId: 0 };

/** As the user watches them. */
export function todoItems({ tasks }: Pick<TaskList, 'tasks'>): TodoItem[] {
  return tasks.map(({ id, subject, activeForm, status, owner, blockedBy }) => {
    const open = status === 'completed' ? [] : openBlockers(blockedBy, tasks);
    return {
      content: `#${id} ${subject}`,
      activeForm: `#${id} ${activeForm ?? subject}`,
      status,
      ...defined({ owner }),
      ...(open.length === 0 ? {} : { waitsFor: open.map((other) => `#${other}`) }),
    };
  });
}

/** "#2 Run the tests (pending, waits for #1)". */
export function taskLine({ id, subject, status, owner, blockedBy }: Task, { tasks }: Pick<TaskList, 'tasks'>): string {
  const open = openBlockers(blockedBy, tasks);
  const facts = [
    status,
    ...(owner === undefined ? [] : [`owner ${owner}`]),
    ...(open.length === 0 ? [] : [`waits for ${named(open)}`]),
  ];
  return `#${id} ${subject} (${facts.join(', ')})`;
}

export function openBlockers(ids: readonly string[], tasks: readonly Task[]): string[] {
  return ids.filter((id) => tasks.some((task) => task.id === id && task.status !== 'completed'));
}

export function named(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(', ');
}
