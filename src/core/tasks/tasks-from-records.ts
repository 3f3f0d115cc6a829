// The present list of tasks, found in a log: the newest result that holds one.
import { hasField } from '../sessions/has-field';
import { type SessionRecord } from '../sessions/record';
import { noTasks, type TaskList, taskListSchema } from './task';

export function tasksFromRecords(records: readonly SessionRecord[]): TaskList {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    const found = record === undefined ? undefined : taskListOf(record);
    if (found !== undefined) return found;
  }
  return noTasks;
}

/** The list that a result left behind. */
export function taskListOf(record: SessionRecord): TaskList | undefined {
  if (record.type !== 'user' || !hasField(record.toolUseResult, 'lastId')) return undefined;
  const parsed = taskListSchema.safeParse(record.toolUseResult);
  return parsed.success ? parsed.data : undefined;
}
