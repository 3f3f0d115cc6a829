// One task of the agent's list, as calls, results and logs hold it.
import { z } from 'zod/v3';
import { type TodoItem } from '../../shared/tool-view';
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';

export const todoSchema = z.object({
  content: z.string().min(1).describe('What to do: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string().min(1).describe('The same while in progress: "Running the tests"'),
}) satisfies z.ZodType<TodoItem>;

const written = z.object({ newTodos: z.array(todoSchema) });

/** The list that a result of TodoWrite left behind. */
export function writtenTodosOf(record: SessionRecord): TodoItem[] | undefined {
  if (record.type !== 'user' || !hasField(record.toolUseResult, 'newTodos')) return undefined;
  const parsed = written.safeParse(record.toolUseResult);
  return parsed.success ? parsed.data.newTodos : undefined;
}
