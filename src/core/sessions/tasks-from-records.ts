// The present list of tasks, found in a log: the newest result that holds one, or of those that a team shares the highest revision. A list
// that TodoWrite left, in an older session or another program's, goes on as tasks.
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';
import { noTasks, type TaskList, taskListSchema } from '../tasks/task';
import { followLog } from './follow-log';
import { writtenTodosOf } from './todo-list';

/** At the cost of what was appended since the call before. */
export function tasksFromRecords(records: readonly SessionRecord[]): TaskList {
  return followed(records) ?? noTasks;
}

const followed = followLog<TaskList | undefined>(undefined, (before, record) => {
  const list = taskListOf(record) ?? todosAsTasks(record);
  if (list === undefined) return before;
  // A result of a call may be written after another member's later change.
  const isOlder = list.revision !== undefined && before?.revision !== undefined && list.revision < before.revision;
  return isOlder ? before : list;
});

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
