// TodoWrite: the list of tasks that the user watches while the agent works.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { todoSchema } from '../../sessions/todo-list';
import prompt from './todo-write.md';
import { type ValidationResult } from '../../tool/tool';

const inputSchema = z.strictObject({
  todos: z.array(todoSchema.strict()).describe('The whole list, which replaces the previous one'),
});
const outputSchema = z.object({ oldTodos: z.array(todoSchema), newTodos: z.array(todoSchema) });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const todoWriteTool = buildTool<Input, Output>({
  name: 'TodoWrite',
  aliases: ['todo_write', 'TodoWriteTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  strict: true,
  access: 'ReadOnly',
  isEnabled: ({ tracks }) => tracks?.('todos') ?? false,
  isReadOnly: () => true,
  describe: () => ({ now: 'Updating the tasks', past: 'Updated the tasks' }),
  validateInput: async (input) => validate(input),
  call: async ({ todos }, { session }) => ({ data: { oldTodos: session.todos(), newTodos: todos } }),
  content: resultText,
  view: ({ newTodos }) => ({ kind: 'todo', items: newTodos }),
  detail: ({ newTodos }) => (newTodos.length === 0 ? 'none left' : `${doneOf(newTodos)}/${newTodos.length}`),
});

function validate({ todos }: Input): ValidationResult {
  const current = todos.filter(({ status }) => status === 'in_progress');
  if (current.length <= 1) return { ok: true };
  const named = current.map(({ content }) => `"${content}"`).join(', ');
  return {
    ok: false,
    code: 'several-in-progress',
    message: `Only one task may be in_progress, but these are: ${named}. Keep the one you are working on, set the others to pending, and send the whole list again.`,
  };
}

function doneOf(todos: Output['newTodos']): number {
  return todos.filter(({ status }) => status === 'completed').length;
}

function resultText({ newTodos }: Output): string {
  if (newTodos.length === 0) return 'The list is empty now.';
  const done = doneOf(newTodos);
  const current = newTodos.find(({ status }) => status === 'in_progress');
  if (done === newTodos.length) return 'The list is saved: every task is done.';
  return `The list is saved: ${done} of ${newTodos.length} done. ${current === undefined ? 'No task is in progress.' : `In progress: ${current.content}`}`;
}
