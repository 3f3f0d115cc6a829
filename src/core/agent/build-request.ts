// Builds the request of the next reply from the log and the session's settings.
import { fastModeBeta } from '../model/fast-mode';
import { type ModelCapabilities } from '../model/capabilities';
import { type Effort, type Message, type ModelRequest, type RequestTool } from '../model/wire';
import { foldLog } from '../sessions/fold-log';
import { type SessionRecord } from '../sessions/record';
import { withCacheBreakpoints } from './cache-breakpoints';

export interface RequestSettings {
  model: string;
  /** Of that model. */
  can: ModelCapabilities;
  effort?: Effort;
  /** Asked for where the model has it. */
  fast?: boolean;
  system: string[];
  tools: RequestTool[];
  /** The last touch on the messages: what not every API takes. */
  messages?: (messages: Message[]) => Message[];
  maxOutputTokens: number;
  /** At most so many; 0 for none, where the model lets one choose. */
  maxThinkingTokens?: number;
  sessionId: string;
}

/** Enough for long edits, small enough not to reserve a whole rate limit. */
export const defaultMaxOutputTokens = 32_000;

export function buildRequest(records: readonly SessionRecord[], settings: RequestSettings): ModelRequest {
  const { can } = settings;
  const maxTokens = Math.min(settings.maxOutputTokens, can.maxOutputTokens);
  return withCacheBreakpoints({
    model: settings.model,
    max_tokens: maxTokens,
    system: settings.system.map((text) => ({ type: 'text', text })),
    tools: settings.tools,
    messages: settings.messages?.(foldLog(records)) ?? foldLog(records),
    ...thinking(can.thinking, maxTokens, settings.maxThinkingTokens),
    ...(settings.effort !== undefined && can.efforts.includes(settings.effort) ? { output_config: { effort: settings.effort } } : {}),
    ...(can.fast && settings.fast === true ? { speed: 'fast' as const, betas: [fastModeBeta] } : {}),
    metadata: { user_id: settings.sessionId },
  });
}

/** Summaries are asked for because newer models send no thinking text otherwise. */
function thinking(kind: ModelCapabilities['thinking'], maxTokens: number, limit = 10_000): Pick<ModelRequest, 'thinking'> {
  switch (kind) {
    case 'adaptive':
    case 'always':
      return kind === 'adaptive' && limit === 0 ? {} : { thinking: { type: 'adaptive', display: 'summarized' } };
    case 'budget': {
      const budget = Math.min(limit, maxTokens - leastAnswer);
      return budget >= leastBudget ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
    }
    case 'none':
      return {};
  }
}

const leastAnswer = 1_024;
/** The API accepts no smaller one. */
const leastBudget = 1_024;
