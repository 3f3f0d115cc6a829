// What Agent returns as data.
import { z } from 'zod/v3';
import { agentColors } from '../../../shared/agent-color';

export const agentOutputSchema = z.object({
  status: z.enum(['completed', 'stopped', 'async_launched']),
  agentId: z.string(),
  agentType: z.string(),
  description: z.string(),
  /** Its report. */
  content: z.string(),
  steps: z.array(z.string()),
  totalTokens: z.number(),
  totalToolUseCount: z.number(),
  totalDurationMs: z.number(),
  /** For one in the background. */
  transcript: z.string().optional(),
  /** It is a teammate there. */
  team: z.string().optional(),
  /** The colour of its name in the chat. */
  color: z.enum(agentColors).optional(),
});
export type AgentOutput = z.infer<typeof agentOutputSchema>;
