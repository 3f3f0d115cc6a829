// Review: the agent's answer to a comment of the user, which appears in the comment's thread, and what a review has found.
import { z } from 'zod/v3';
import { defined } from '../../shared/defined';
import { counted } from '../../shared/counted';
import { isFailure } from '../tool/tool';
import { buildTool, promptOf } from '../tool/build-tool';
import { fail } from '../tool/file-failure';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../tool/tool';
import { type CommentAction, commentActions } from '../tool/session-comments';
import { filePath } from './files/file-path';
import { type Report, report, reportedFinding, reportText } from './report-findings';
import prompt from './review.md';

const maxFindings = 50;

const inputSchema = z.strictObject({
  id: z.string().optional().describe('The id of the comment; required to answer one'),
  action: z.enum([...commentActions, 'report']).describe('What you answer, or that you report findings'),
  text: z.string().optional().describe('What the thread shows; required for reply and disagree'),
  findings: z.array(reportedFinding).max(maxFindings).optional().describe('What you report, the gravest first'),
});
const answerSchema = z.object({
  /** The name by which the log is searched for answers. */
  commentAnswer: z.object({ id: z.string(), action: z.enum(commentActions), text: z.string().optional() }),
  /** The ids that nobody has answered yet. */
  open: z.array(z.string()),
});
type Answer = z.infer<typeof answerSchema>;

type Input = z.infer<typeof inputSchema>;
type Output = Answer | Report;

const outputSchema: z.ZodType<Output> = z.union([
  answerSchema,
  z.object({
    reviewFindings: z.array(
      reportedFinding.omit({ line: true }).extend({ id: z.string(), start: z.number(), end: z.number() }).strip(),
    ),
    dismissed: z.array(z.string()),
  }),
]) as z.ZodType<Output>;

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
  seldom: "answers the user's comments on lines of code, reports findings of a review",
  bulky: true,
  searchText: 'review comment thread answer reply resolve disagree report findings',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  // Lines of a file are compared: whoever may not read it learns nothing of it.
  targets: ({ findings = [] }, cwd) =>
    findings.map(({ path }) => ({ kind: 'file' as const, access: 'read' as const, path: filePath(path, cwd) })),
  describe: ({ id, action, findings = [] }) =>
    action === 'report'
      ? {
          now: `Reporting ${counted(findings.length, 'finding')}`,
          past: `Reported ${counted(findings.length, 'finding')}`,
        }
      : { now: `${now[action]} comment ${id}`, past: `${past[action]} comment ${id}` },
  validateInput: async (input) => validate(input),
  call,
  content: (output) =>
    'reviewFindings' in output
      ? reportText(output)
      : `The answer is in the thread of ${output.commentAnswer.id}.${output.open.length === 0 ? '' : ` Not answered yet: ${output.open.join(', ')}.`}`,
  view: (output) => ({
    kind: 'markdown',
    text: 'reviewFindings' in output ? findingsText(output) : (output.commentAnswer.text ?? 'Resolved.'),
  }),
});

function validate({ id, action, text = '', findings = [] }: Input): ValidationResult {
  const missing = (code: string, message: string): ValidationResult => ({ ok: false, code, message });
  if (action === 'report')
    return findings.length === 0 ? missing('missing-findings', 'report needs findings.') : { ok: true };
  if (id === undefined) return missing('missing-id', `${action} needs the id of the comment.`);
  return action !== 'resolve' && text.trim() === ''
    ? missing('missing-text', `${action} needs text: it is all that the user sees in the thread.`)
    : { ok: true };
}

/** Names of files are text, whatever they look like. */
function findingsText({ reviewFindings }: Report): string {
  return reviewFindings
    .map(({ path, start, severity, problem, fix }) =>
      [
        `- **${severity}** \`${path.slice(path.lastIndexOf('/') + 1)}:${start}\` ${problem}`,
        ...(fix === undefined ? [] : [fix]),
      ].join(' '),
    )
    .join('\n');
}

async function call(
  { id = '', action, text, findings = [] }: Input,
  { session, ports }: ToolContext,
): Promise<ToolResult<Output> | ToolFailure> {
  if (action === 'report') {
    const reported = await report(findings, { session, ports });
    return isFailure(reported) ? reported : { data: reported };
  }
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
