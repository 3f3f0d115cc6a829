// /cost and /context: what the session has used, and what fills the model's window.
import { estimateTokens } from '../../../core/compaction/estimate-tokens';
import { tokensOf } from '../../../core/compaction/limits';
import { modelLabel } from '../../../core/model/models';
import { costOf } from '../../../core/model/prices';
import { type Usage } from '../../../core/model/wire';
import { messagesFromRecords } from '../../../core/sessions/messages-from-records';
import { presentRecords } from '../../../core/sessions/compacted-log';
import { type SessionRecord } from '../../../core/sessions/record';

const none: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

/** A line a model, and one for all. */
export function costText(records: readonly SessionRecord[]): string {
  const byModel = new Map<string, Usage>();
  for (const record of records) {
    if (record.type !== 'system' || (record.subtype !== 'reply_end' && record.subtype !== 'side_usage')) continue;
    byModel.set(record.model, sum(byModel.get(record.model) ?? none, record.usage));
  }
  if (byModel.size === 0) return 'Nothing was asked of a model in this session yet.';
  const lines = [...byModel].map(([model, usage]) => `${modelLabel(model)}: ${usageText(usage)}${dollars(costOf(model, usage))}`);
  const costs = [...byModel].map(([model, usage]) => costOf(model, usage));
  const total = costs.reduce<number>((all, one) => all + (one ?? 0), 0);
  return [...lines, `All: ${costs.includes(undefined) ? 'at least ' : ''}$${total.toFixed(4)}`].join('\n');
}

/** What the next request holds, about. */
export function contextText(records: readonly SessionRecord[], contextWindow: number): string {
  const present = presentRecords(records);
  const messages = messagesFromRecords(present);
  const kinds = { 'what you wrote, with attachments and reminders': 0, 'what Deft wrote': 0, 'calls of tools': 0, 'results of tools': 0 };
  for (const { role, content } of messages) {
    for (const block of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
      const tokens = estimateTokens({ messages: [{ role: 'user', content: [block] as never }] });
      if (block.type === 'tool_use') kinds['calls of tools'] += tokens;
      else if (block.type === 'tool_result') kinds['results of tools'] += tokens;
      else kinds[role === 'assistant' ? 'what Deft wrote' : 'what you wrote, with attachments and reminders'] += tokens;
    }
  }
  const all = Object.values(kinds).reduce((total, one) => total + one, 0);
  // What the last request really took, less what the conversation was then, is what stands in front of it.
  const counted = tokensOf(records);
  const beside = counted === undefined || counted < all ? undefined : counted - all;
  const line = (name: string, tokens: number): string => `${name}: ${tokens.toLocaleString('en')} (${((tokens / contextWindow) * 100).toFixed(1)} %)`;
  return [
    ...(beside === undefined ? [] : [line('instructions and tools', beside)]),
    ...Object.entries(kinds).map(([name, tokens]) => line(name, tokens)),
    `About ${Math.max(all, counted ?? 0).toLocaleString('en')} of ${contextWindow.toLocaleString('en')} tokens. /compact makes room.`,
  ].join('\n');
}

function usageText(usage: Usage): string {
  const read = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  const share = read === 0 ? 0 : Math.round((usage.cache_read_input_tokens / read) * 100);
  return `${read.toLocaleString('en')} tokens read (${share} % from the cache), ${usage.output_tokens.toLocaleString('en')} written`;
}

function dollars(cost: number | undefined): string {
  return cost === undefined ? ', price not known' : `, $${cost.toFixed(4)}`;
}

function sum(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
  };
}
