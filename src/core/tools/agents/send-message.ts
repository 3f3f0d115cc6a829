// SendMessage: words to an agent of this session, whether it runs or has ended.
import { z } from 'zod/v3';
import { shortened } from '../../../shared/cut-text';
import { neutralText } from '../../text/system-reminder';
import { buildTool, promptOf } from '../../tool/build-tool';
import prompt from './send-message.md';

export const sendMessageInputSchema = z.strictObject({
  to: z.string().min(1).describe("The agent's ID or name"),
  message: z.string().min(1).describe('What it should know or do'),
  summary: z.string().max(200).optional().describe('The message in a few words, for the user'),
});
export type SendMessageInput = z.infer<typeof sendMessageInputSchema>;

export const sendMessageOutputSchema = z.object({
  /** As for the Agent tool when the agent continues in the background. */
  status: z.enum(['delivered', 'async_launched']),
  agentId: z.string(),
  agentType: z.string(),
  description: z.string(),
  transcript: z.string().optional(),
});
export type SendMessageOutput = z.infer<typeof sendMessageOutputSchema>;

export const sendMessageTool = buildTool<SendMessageInput, SendMessageOutput>({
  name: 'SendMessage',
  aliases: ['SendMessageTool'],
  seldom: 'writes to an agent that runs or has ended',
  prompt: promptOf(prompt),
  inputSchema: sendMessageInputSchema,
  outputSchema: sendMessageOutputSchema,
  // What the agent does then is judged call by call.
  access: 'ReadOnly',
  isReadOnly: () => true,
  standsAlone: true,
  describe: (input) => ({
    now: `Telling ${input.to}: ${summaryOf(input)}`,
    past: `Told ${input.to}: ${summaryOf(input)}`,
  }),
  async call({ to, message }, { session: { subagents }, toolUseId }) {
    if (subagents === undefined) return { failure: { code: 'no-agents', message: 'There are no agents here.' } };
    const outcome = await subagents.send(to, neutralText(message), toolUseId);
    if (outcome.kind === 'failed') return { failure: { code: outcome.code, message: outcome.message } };
    const { agentId } = outcome;
    const task = subagents.tasks().find(({ id }) => id === agentId);
    const { agentType = '', description = '' } = task ?? {};
    return outcome.kind === 'delivered'
      ? { data: { status: 'delivered', agentId, agentType, description } }
      : { data: { status: 'async_launched', agentId, agentType, description, transcript: outcome.transcript } };
  },
  content: ({ status, agentId, agentType }) =>
    status === 'delivered'
      ? `Agent ${agentId} (${agentType}) gets the message with its next results.`
      : `Agent ${agentId} (${agentType}) had ended and resumes with the message, in the background. You are notified when it is done.`,
  view: (_output, { message }) => ({ kind: 'json', text: message }),
  detail: ({ status }) => (status === 'delivered' ? '' : 'in the background'),
});

function summaryOf({ summary, message }: SendMessageInput): string {
  return shortened(summary ?? message.trim().split('\n')[0] ?? '', 200);
}
