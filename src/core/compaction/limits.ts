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
  let last: Extract<SessionRecord, { subtype: 'reply_end' }> | undefined;
  let ends = 0;
  let sum = 0;
  /** What the newest reply called for and has come since its beginning. */
  let added: number | undefined;
  let beforeReply = false;
  let compacted = false;
  // From the end, since a long conversation is asked about before each request.
  for (let at = records.length - 1; at >= 0 && !compacted; at--) {
    const record = records[at];
    if (record?.type === 'system') {
      compacted = record.subtype === 'compact_boundary' || record.subtype === 'compact_undone';
      if (record.subtype !== 'reply_end' || contextTokens(record.usage) === 0) continue;
      last ??= record;
      ends++;
    } else if (record?.type === 'assistant' && last !== undefined) {
      if (record.message.id === last.messageId) added = sum;
      // What lies before the newest reply is in its own count.
      else beforeReply = true;
    } else if (record?.type === 'user' && !beforeReply) sum += textTokens(JSON.stringify(record.message.content));
  }
  if (last === undefined) return undefined;
  return { tokens: contextTokens(last.usage) + last.usage.output_tokens + (added ?? sum), replies: compacted ? ends : Infinity };
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
