// The present list of tasks, found in a log: the newest result that holds one, or of those that a team shares the highest revision. A list
// that TodoWrite left, in an older session or another program's, goes on as tasks.
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';
import { noTasks, type TaskList, taskListSchema } from '../tasks/task';
import { writtenTodosOf } from './todo-list';

export function tasksFromRecords(records: readonly SessionRecord[]): TaskList {
  let found: TaskList | undefined;
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    const list = record === undefined ? undefined : (taskListOf(record) ?? todosAsTasks(record));
    if (list === undefined) continue;
    // A result of a call may be written after another member's later change.
    if (list.revision === undefined) return found ?? list;
    if (found === undefined || list.revision > (found.revision ?? 0)) found = list;
  }
  return found ?? noTasks;
}

/** The list that a result, or a change of a team's, left behind. */
export function taskListOf(record: SessionRecord): TaskList | undefined {
  const list =
    record.type === 'user'
      ? record.toolUseResult
      : record.type === 'system' && record.subtype === 'task_list'
        ? record
        : undefined;
  if (!hasField(list, 'lastId')) return undefined;
  const parsed = taskListSchema.safeParse(list);
  return parsed.success ? parsed.data : undefined;
}

function todosAsTasks(record: SessionRecord): TaskList | undefined {
  const todos = writtenTodosOf(record);
  if (todos === undefined) return undefined;
  const tasks = todos.map(({ content, activeForm, status }, index) => ({
    id: String(index + 1),
    subject: content,
    description: '',
    activeForm,
    status,
    blocks: [],
    blockedBy: [],
  }));
  return { tasks, lastId: tasks.length };
}
