// Builds the request of the next reply from the log and the session's settings.
import { modelFacts } from '../model/models';
import { type Effort, type ModelRequest, type ToolDefinition } from '../model/wire';
import { foldLog } from '../sessions/fold-log';
import { type SessionRecord } from '../sessions/record';
import { withCacheBreakpoints } from './cache-breakpoints';

export interface RequestSettings {
  model: string;
  effort?: Effort;
  system: string[];
  tools: ToolDefinition[];
  maxOutputTokens: number;
  sessionId: string;
}

/** Enough for long edits, small enough not to reserve a whole rate limit. */
export const defaultMaxOutputTokens = 32_000;

export function buildRequest(records: readonly SessionRecord[], settings: RequestSettings): ModelRequest {
  const facts = modelFacts(settings.model);
  const maxTokens = Math.min(settings.maxOutputTokens, facts.maxOutputTokens);
  return withCacheBreakpoints({
    model: settings.model,
    max_tokens: maxTokens,
    system: settings.system.map((text) => ({ type: 'text', text })),
    tools: settings.tools,
    messages: foldLog(records),
    ...thinking(facts.thinking, maxTokens),
    ...(facts.effort && settings.effort !== undefined ? { output_config: { effort: settings.effort } } : {}),
    metadata: { user_id: settings.sessionId },
  });
}

/** Summaries are asked for because newer models send no thinking text otherwise. */
function thinking(kind: ReturnType<typeof modelFacts>['thinking'], maxTokens: number): Pick<ModelRequest, 'thinking'> {
  switch (kind) {
    case 'always':
    case 'adaptive':
      return { thinking: { type: 'adaptive', display: 'summarized' } };
    case 'budget':
      return maxTokens > 2_048 ? { thinking: { type: 'enabled', budget_tokens: Math.min(10_000, maxTokens - 1_024) } } : {};
    case 'none':
      return {};
  }
}
