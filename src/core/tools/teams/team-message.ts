// SendMessage where teams are on: to teammates, the lead, all of them, and to agents as ever.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { type TeamMail } from '../../tool/session-team';
import { sendMessageInputSchema, sendMessageOutputSchema, sendMessageTool } from '../agents/send-message';
import prompt from './team-message.md';
import { words } from '../../text/words';

const inputSchema = sendMessageInputSchema.extend({
  to: z.string().min(1).describe('A teammate, "lead", "*" for all, or an agent\'s ID or name'),
  message: z
    .union([
      z.string().min(1),
      z.strictObject({
        type: z.enum(['shutdown_request', 'shutdown_response']),
        reason: z.string().optional(),
        approve: z.boolean().optional(),
      }),
    ])
    .describe('What it should know or do'),
});
const outputSchema = sendMessageOutputSchema.extend({
  /** Members of the team. */
  recipients: z.array(z.string()).optional(),
  woken: z.array(z.string()).optional(),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const teamMessageTool = buildTool<Input, Output>({
  ...sendMessageTool,
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  describe: ({ to, message, summary }) =>
    sendMessageTool.describe({
      to: to === '*' ? 'all' : to,
      message: plainText(message),
      ...defined({ summary }),
    }),
  async call({ to, message, summary }, context) {
    const { session, toolUseId } = context;
    const mail = mailOf(to, message, summary);
    const sent = await session.team?.send(mail, toolUseId);
    if (sent?.kind === 'failed') return { failure: { code: sent.code, message: sent.message } };
    if (sent === undefined) {
      if (mail.kind !== 'message')
        return {
          failure: {
            code: 'no-teammate',
            message: words`${to} is not a teammate in a team of yours.{{TaskStop:  Use TaskStop to stop an agent.}}`,
          },
        };
      return sendMessageTool.call({ to, message: mail.text }, context);
    }
    const recipients = { recipients: sent.to, woken: sent.woken };
    if (sent.resumed === undefined)
      return { data: { status: 'delivered', agentId: '', agentType: '', description: '', ...recipients } };
    const { agentId, transcript } = sent.resumed;
    const task = session.subagents?.tasks().find(({ id }) => id === agentId);
    return {
      data: {
        status: 'async_launched',
        agentId,
        agentType: task?.agentType ?? '',
        description: task?.description ?? '',
        transcript,
        ...recipients,
      },
    };
  },
  mapToolResultToToolResultBlockParam: (output, toolUseId) => {
    const { recipients = [], woken = [], status } = output;
    if (recipients.length === 0) return sendMessageTool.mapToolResultToToolResultBlockParam(output, toolUseId);
    const how =
      status === 'async_launched'
        ? ' It had ended and resumes with the message.'
        : woken.length === 0
          ? ''
          : ` Woken by it: ${woken.join(', ')}.`;
    return { type: 'tool_result', tool_use_id: toolUseId, content: `Sent to ${recipients.join(', ')}.${how}` };
  },
  view: (_output, { message }) => ({ kind: 'json', text: plainText(message) }),
  detail: (output) =>
    output.recipients === undefined ? sendMessageTool.detail(output) : (output.woken ?? []).length > 0 ? 'woken' : '',
});

function mailOf(to: string, message: Input['message'], summary: string | undefined): TeamMail {
  if (typeof message === 'string') return { to, text: message, summary, kind: 'message' };
  const { type, approve } = message;
  return {
    to,
    text: plainText(message),
    summary,
    kind: type,
    ...(type === 'shutdown_response' ? { approve: approve === true } : {}),
  };
}

/** As the receiver reads it. */
function plainText(message: Input['message']): string {
  if (typeof message === 'string') return message;
  const { type, reason, approve } = message;
  const said = type === 'shutdown_request' ? 'Please end.' : approve === true ? 'Agreed.' : 'I am not done yet.';
  return reason === undefined || reason === '' ? said : `${said} ${reason}`;
}
