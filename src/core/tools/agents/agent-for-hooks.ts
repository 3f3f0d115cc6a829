// An agent's report as hooks see it, and as they may replace it.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { type AgentOutput } from './agent-output';

const given = z.object({
  /** One that runs in the background has none yet. */
  content: z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]).nullish(),
  description: z.string().nullish(),
  totalTokens: z.number().nullish(),
  totalToolUseCount: z.number().nullish(),
  totalDurationMs: z.number().nullish(),
});

export const agentForHooks = hookOutput<{ prompt: string }, AgentOutput, z.infer<typeof given>>({
  shape: given,
  show({ data }, { input: { prompt } }) {
    const { steps: _, color: __, transcript, content, status, agentId, agentType, description, team, ...totals } = data;
    if (status === 'async_launched')
      return {
        status,
        isAsync: true,
        agentId,
        description,
        prompt,
        outputFile: transcript ?? '',
        ...defined({ team }),
        ...named(data),
      };
    return { status, agentId, agentType, prompt, content: [{ type: 'text', text: content }], ...totals };
  },
  read({ content, description, totalTokens, totalToolUseCount, totalDurationMs }, { data }) {
    if (data.status !== 'async_launched' && content == null) return '`content` is missing.';
    const text = typeof content === 'string' ? content : (content ?? []).map((block) => block.text).join('\n');
    return {
      data: {
        ...data,
        content: text,
        // They tell what it did, call by call, which the hook has not seen.
        steps: text === data.content ? data.steps : [],
        description: description ?? data.description,
        totalTokens: totalTokens ?? data.totalTokens,
        totalToolUseCount: totalToolUseCount ?? data.totalToolUseCount,
        totalDurationMs: totalDurationMs ?? data.totalDurationMs,
      },
    };
  },
});

/** A teammate: the tool that starts them adds these. */
function named(data: object): Record<string, unknown> {
  const { team_name, name } = data as { team_name?: string; name?: string };
  return defined({ team_name, name });
}
