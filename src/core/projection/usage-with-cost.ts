// Adds what a reply cost to what the chat shows of the session's costs.
import { type ChatUsage } from '../../shared/chat';
import { contextTokens } from '../model/models';
import { costOfReply, type PricedReply } from '../model/prices';

export function withCost(usage: ChatUsage, reply: PricedReply): ChatUsage {
  const { model, usage: used } = reply;
  const cost = costOfReply(reply);
  const before = usage.byModel.find((one) => one.model === model);
  const own = { model, costUsd: (before?.costUsd ?? 0) + (cost ?? 0), costKnown: cost !== undefined };
  return {
    ...usage,
    input: {
      all: (usage.input?.all ?? 0) + contextTokens(used),
      cached: (usage.input?.cached ?? 0) + used.cache_read_input_tokens,
    },
    costUsd: usage.costUsd + (cost ?? 0),
    costKnown: usage.costKnown && cost !== undefined,
    byModel: before === undefined ? [...usage.byModel, own] : usage.byModel.map((one) => (one === before ? own : one)),
  };
}
