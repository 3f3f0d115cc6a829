// The present list of tasks as the user watches it, found in a log: the newest that was written holds, by whichever tool.
import { type TodoItem } from '../../shared/tool-view';
import { todoItems } from '../tasks/task';
import { taskListOf, tasksFromRecords } from './tasks-from-records';
import { writtenTodosOf } from './todo-list';
import { type SessionRecord } from '../ports/record';

export function todosFromRecords(records: readonly SessionRecord[]): TodoItem[] {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    const list = record === undefined ? undefined : taskListOf(record);
    if (list !== undefined) return todoItems(list.revision === undefined ? list : tasksFromRecords(records));
    const todos = record === undefined ? undefined : writtenTodosOf(record);
    if (todos !== undefined) return todos;
  }
  return [];
}
