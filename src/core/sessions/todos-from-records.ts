// The present list of tasks as the user watches it, found in a log: the newest that was written holds, by whichever tool.
import { type TodoItem } from '../../shared/tool-view';
import { todoItems } from '../tasks/task';
import { followLog } from './follow-log';
import { taskListOf, tasksFromRecords } from './tasks-from-records';
import { writtenTodosOf } from './todo-list';
import { type SessionRecord } from '../ports/record';

/** At the cost of what was appended since the call before. */
export function todosFromRecords(records: readonly SessionRecord[]): TodoItem[] {
  const newest = followed(records);
  return newest === 'tasks' ? todoItems(tasksFromRecords(records)) : newest;
}

const followed = followLog<TodoItem[] | 'tasks'>([], (before, record) =>
  taskListOf(record) === undefined ? (writtenTodosOf(record) ?? before) : 'tasks',
);
