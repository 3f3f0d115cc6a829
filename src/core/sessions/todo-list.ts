// One task of the agent's list, as calls, results and logs hold it.
import { z } from 'zod/v3';
import { type TodoItem } from '../../shared/tool-view';

export const todoSchema = z.object({
  content: z.string().min(1).describe('What to do: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string().min(1).describe('The same while in progress: "Running the tests"'),
}) satisfies z.ZodType<TodoItem>;
