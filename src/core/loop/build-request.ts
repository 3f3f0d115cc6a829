// Builds the request of the next reply from the log and the session's settings.
import { defined } from '../../shared/defined';
import { fastModeBeta } from '../model/betas';
import { type ModelCapabilities, type ProviderId } from '../wire/model-capabilities';
import { fittingEffort, planThinking, type ThinkingChoice, thinkingOff, type ThinkingPlan } from '../model/thinking';
import { type Effort, type Message, type ModelRequest, type RequestTool } from '../wire/wire';
import { foldLog } from '../sessions/fold-log';
import { type SessionRecord } from '../ports/record';
import { type CacheLifetime, withCacheBreakpoints } from './cache-breakpoints';
import { fitHistory, staleReplies, turnBeganWithThinking } from './fit-history';

export interface RequestSettings {
  model: string;
  /** The capabilities of that model. */
  can: ModelCapabilities;
  /** Whose API it is; default: one that little is known of. */
  provider?: ProviderId;
  effort?: Effort;
  /** Default: on, with summaries. */
  thinking?: ThinkingChoice;
  /** Default: five minutes. */
  cacheLifetime?: CacheLifetime;
  /** Asked for where the model has it. */
  fast?: boolean;
  system: string[];
  tools: RequestTool[];
  /** The last touch on the messages: what not every API takes. */
  messages?: (messages: Message[]) => Message[];
  maxOutputTokens: number;
  sessionId: string;
}

/** Enough for long edits, small enough not to reserve a whole rate limit. */
export const defaultMaxOutputTokens = 32_000;

const thinks: ThinkingChoice = { on: true, summaries: true };

export function buildRequest(records: readonly SessionRecord[], settings: RequestSettings): ModelRequest {
  const { can, model, provider = 'gateway' } = settings;
  const maxTokens = Math.min(settings.maxOutputTokens, can.maxOutputTokens);
  const { plan, messages } = fittedHistory(records, planThinking(can, maxTokens, settings.thinking ?? thinks), {
    model,
    can,
    provider,
  });
  const effort =
    settings.effort === undefined ? undefined : fittingEffort(settings.effort, can.efforts, plan.maxEffort);
  const fast = can.fast && settings.fast === true;
  const betas = [...plan.betas, ...(fast ? [fastModeBeta] : [])];
  return withCacheBreakpoints(
    {
      model,
      max_tokens: maxTokens,
      system: settings.system.map((text) => ({ type: 'text', text })),
      tools: settings.tools,
      messages: settings.messages?.(messages) ?? messages,
      ...defined({ thinking: plan.thinking }),
      ...defined({ output_config: effort && { effort } }),
      ...(fast ? { speed: 'fast' as const } : {}),
      ...(betas.length === 0 ? {} : { betas }),
      metadata: { user_id: settings.sessionId },
    },
    lifetimeFor(settings.cacheLifetime ?? '5m', can),
  );
}

/** A model with a budget continues without thinking in a turn that began without it: the API would refuse it there. */
function fittedHistory(
  records: readonly SessionRecord[],
  plan: ThinkingPlan,
  subject: { model: string; can: ModelCapabilities; provider: ProviderId },
): { plan: ThinkingPlan; messages: Message[] } {
  const folded = foldLog(records);
  const stale = staleReplies(records, subject.can);
  const { model, provider } = subject;
  const messages = fitHistory(folded, { model, provider, echo: plan.echo, stale });
  if (plan.thinking?.type !== 'enabled' || turnBeganWithThinking(messages)) return { plan, messages };
  const off = thinkingOff(subject.can);
  return { plan: off, messages: fitHistory(folded, { model, provider, echo: off.echo, stale }) };
}

function lifetimeFor(wanted: CacheLifetime, can: ModelCapabilities): CacheLifetime {
  if (!can.caching) return 'off';
  return wanted === '1h' && !can.longCaching ? '5m' : wanted;
}
