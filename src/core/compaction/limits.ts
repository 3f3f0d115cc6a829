// When a conversation is long enough to be compacted, and what a refusal says about the room that is left.
import { contextTokens } from '../model/models';
import { type SessionRecord } from '../sessions/record';
import { textTokens } from './estimate-tokens';

/**
 * Left free below the window and the reply: the results of one more round usually fit in it, and so does the question for the
 * summary, so that neither is refused.
 */
export const autoCompactMargin = 13_000;

/** Replies between two automatic compactions: where one does not help, the next one would not either. */
const repliesBetween = 2;
/** A reply of fewer tokens is cut at once. */
const leastReply = 3_000;

/** The tokens that the next request will have; undefined where no reply has said how many since the last compaction. */
export function tokensOf(records: readonly SessionRecord[]): { tokens: number; replies: number } | undefined {
  const start = records.findLastIndex((record) => record.type === 'system' && (record.subtype === 'compact_boundary' || record.subtype === 'compact_undone'));
  const recent = records.slice(start + 1);
  const ends = recent.flatMap((record) => (record.type === 'system' && record.subtype === 'reply_end' && contextTokens(record.usage) > 0 ? [record] : []));
  const last = ends.at(-1);
  if (last === undefined) return undefined;
  const reply = recent.findIndex((record) => record.type === 'assistant' && record.message.id === last.messageId);
  // What the reply called for has come since.
  const added = recent.slice(reply + 1).reduce((sum, record) => (record.type === 'user' ? sum + textTokens(JSON.stringify(record.message.content)) : sum), 0);
  return { tokens: contextTokens(last.usage) + last.usage.output_tokens + added, replies: start === -1 ? Infinity : ends.length };
}

export function isNearLimit(records: readonly SessionRecord[], window: number, reply: number): boolean {
  const now = tokensOf(records);
  return now !== undefined && now.replies >= repliesBetween && now.tokens >= window - Math.min(reply, window / 4) - autoCompactMargin;
}

/** The output limit with which the refused request would fit, where that limit was the reason. */
export function fittingOutput(refusal: string): number | undefined {
  const found = /(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)/.exec(refusal);
  if (found === null || !/max_tokens/.test(refusal)) return undefined;
  const room = Number(found[3]) - Number(found[1]);
  return room >= leastReply ? room : undefined;
}
