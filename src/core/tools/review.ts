// Review: the agent's answer to a comment of the user, which appears in the comment's thread.
import { z } from 'zod/v3';
import { defined } from '../../shared/defined';
import { buildTool, promptOf } from '../tool/build-tool';
import { fail } from '../tool/file-failure';
import { type ToolContext, type ToolFailure, type ToolResult } from '../tool/tool';
import { type CommentAction, commentActions } from '../tool/session-comments';
import prompt from './review.md';

const inputSchema = z.strictObject({
  id: z.string().describe('The id of the comment'),
  action: z.enum(commentActions).describe('What you answer'),
  text: z.string().optional().describe('What the thread shows; required for reply and disagree'),
});
const outputSchema = z.object({
  /** The name by which the log is searched for answers. */
  commentAnswer: z.object({ id: z.string(), action: z.enum(commentActions), text: z.string().optional() }),
  /** The ids that nobody has answered yet. */
  open: z.array(z.string()),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

const past: Readonly<Record<CommentAction, string>> = {
  reply: 'Answered',
  resolve: 'Resolved',
  disagree: 'Disagreed with',
};
const now: Readonly<Record<CommentAction, string>> = {
  reply: 'Answering',
  resolve: 'Resolving',
  disagree: 'Disagreeing with',
};

export const reviewTool = buildTool<Input, Output>({
  name: 'Review',
  seldom: "answers the user's comments on lines of code",
  bulky: true,
  searchText: 'review comment thread answer reply resolve disagree',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ id, action }) => ({ now: `${now[action]} comment ${id}`, past: `${past[action]} comment ${id}` }),
  validateInput: async ({ action, text = '' }) =>
    action !== 'resolve' && text.trim() === ''
      ? {
          ok: false,
          code: 'missing-text',
          message: `${action} needs text: it is all that the user sees in the thread.`,
        }
      : { ok: true },
  call,
  content: ({ commentAnswer: { id }, open }) =>
    `The answer is in the thread of ${id}.${open.length === 0 ? '' : ` Not answered yet: ${open.join(', ')}.`}`,
  view: ({ commentAnswer: { text = 'Resolved.' } }) => ({ kind: 'markdown', text }),
});

async function call({ id, action, text }: Input, { session }: ToolContext): Promise<ToolResult<Output> | ToolFailure> {
  const comments = session.comments?.() ?? new Map();
  if (!comments.has(id))
    return fail(
      'no-such-comment',
      comments.size === 0
        ? 'The user has left no comments in this session.'
        : `There is no comment ${id}. There are: ${[...comments.keys()].join(', ')}.`,
    );
  const open = [...comments].flatMap(([other, { state }]) => (state === 'open' && other !== id ? [other] : []));
  return { data: { commentAnswer: { id, action, ...defined({ text }) }, open } };
}
