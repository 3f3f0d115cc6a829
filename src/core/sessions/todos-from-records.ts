// The present list of tasks as the user watches it, found in a log: the newest that was written holds, by whichever tool.
import { z } from 'zod/v3';
import { type TodoItem } from '../../shared/tool-view';
import { todoItems } from '../tasks/task';
import { taskListOf, tasksFromRecords } from './tasks-from-records';
import { todoSchema } from './todo-list';
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';

const written = z.object({ newTodos: z.array(todoSchema) });

export function todosFromRecords(records: readonly SessionRecord[]): TodoItem[] {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    const list = record === undefined ? undefined : taskListOf(record);
    if (list !== undefined) return todoItems(list.revision === undefined ? list : tasksFromRecords(records));
    if (record?.type !== 'user' || !hasField(record.toolUseResult, 'newTodos')) continue;
    const parsed = written.safeParse(record.toolUseResult);
    if (parsed.success) return parsed.data.newTodos;
  }
  return [];
}
