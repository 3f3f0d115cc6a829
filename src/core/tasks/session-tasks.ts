// What the Task tools see of the session that they run in.
import { type TaskPatch } from './change-tasks';
import { type Task, type TaskList } from './task';

export type TaskEvent = 'TaskCreated' | 'TaskCompleted';

export interface SessionTasks {
  list(): TaskList;
  /** The reason why a hook refuses it; `more` is sent in addition to the task's own fields. */
  refuses(
    event: TaskEvent,
    task: { id: string; subject: string; description: string },
    signal: AbortSignal,
    more?: Record<string, unknown>,
  ): Promise<string | undefined>;
  /** In a team: the change as this session may make it, or why it may not. */
  judge?(list: TaskList, id: string, patch: TaskPatch): { patch: TaskPatch } | { problem: string };
  /** In a team: everybody sees this list from now on. The list as it is kept. */
  share?(list: TaskList, change: { task: Task; before: Task | undefined }): TaskList;
}
