// The present list of tasks, found in a log: the newest that was written holds.
import { z } from 'zod/v3';
import { type TodoItem } from '../../shared/tool-view';
import { todoSchema } from '../tools/todo-list';
import { hasField } from './has-field';
import { type SessionRecord } from './record';

const written = z.object({ newTodos: z.array(todoSchema) });

export function todosFromRecords(records: readonly SessionRecord[]): TodoItem[] {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type !== 'user' || !hasField(record.toolUseResult, 'newTodos')) continue;
    const parsed = written.safeParse(record.toolUseResult);
    if (parsed.success) return parsed.data.newTodos;
  }
  return [];
}
