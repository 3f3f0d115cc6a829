// What the Task tools see of the session that they run in.
import { type TaskList } from './task';

export type TaskEvent = 'TaskCreated' | 'TaskCompleted';

export interface SessionTasks {
  list(): TaskList;
  /** The reason where a hook does not want it. */
  refuses(event: TaskEvent, task: { id: string; subject: string; description: string }, signal: AbortSignal): Promise<string | undefined>;
}
