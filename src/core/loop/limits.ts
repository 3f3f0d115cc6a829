// When a conversation is long enough to be compacted, and what a refusal says about the room that is left.
import { contextTokens } from '../model/models';
import { followLog } from '../sessions/follow-log';
import { type SessionRecord } from '../ports/record';
import { textTokens } from '../model/estimate-tokens';

/**
 * Left free below the window and the reply: the results of one more round usually fit in it, and so does the question for the
 * summary, so that neither is refused.
 */
const autoCompactMargin = 13_000;

/** Replies between two automatic compactions: where one does not help, the next one would not either. */
const repliesBetween = 2;
/** A reply of fewer tokens is cut at once. */
const leastReply = 3_000;

/** The tokens that the next request will have; undefined where no reply has said how many since the last compaction. */
export function tokensOf(records: readonly SessionRecord[]): number | undefined {
  let last: Extract<SessionRecord, { subtype: 'reply_end' }> | undefined;
  let sum = 0;
  /** What the newest reply called for and has come since its beginning. */
  let added: number | undefined;
  // From the end, since a long conversation is asked about before each request.
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type === 'system') {
      if (isCompaction(record)) break;
      if (record.subtype === 'reply_end' && contextTokens(record.usage) > 0) last ??= record;
    } else if (record?.type === 'assistant' && last !== undefined) {
      // What is before the newest reply is in its own count.
      if (record.message.id !== last.messageId) break;
      added = sum;
    } else if (record?.type === 'user') sum += textTokens(JSON.stringify(record.message.content));
  }
  return last && contextTokens(last.usage) + last.usage.output_tokens + (added ?? sum);
}

/** The tokens at which a conversation is compacted. */
export function compactionPoint(window: number, reply: number): number {
  return window - Math.min(reply, window / 4) - autoCompactMargin;
}

/** Since the last compaction the API has cleared results of calls. */
export const isPastClearing = followLog(false, (past, record) => {
  if (isCompaction(record)) return false;
  return record.type === 'system' && record.subtype === 'reply_end' && record.cleared !== undefined
    ? record.cleared.toolUses > 0
    : past;
});

/** `point`: the tokens at which the conversation is compacted. */
export function isPastPoint(records: readonly SessionRecord[], point: number): boolean {
  const tokens = tokensOf(records);
  if (tokens === undefined || tokens < point) return false;
  const start = records.findLastIndex(isCompaction);
  const replies = records
    .slice(start + 1)
    .filter(
      (record) => record.type === 'system' && record.subtype === 'reply_end' && contextTokens(record.usage) > 0,
    ).length;
  return start === -1 || replies >= repliesBetween;
}

function isCompaction(record: SessionRecord): boolean {
  return record.type === 'system' && (record.subtype === 'compact_boundary' || record.subtype === 'compact_undone');
}

/** The output limit with which the refused request would fit, where that limit was the reason. */
export function fittingOutput(refusal: string): number | undefined {
  const found = /(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)/.exec(refusal);
  if (found === null || !/max_tokens/.test(refusal)) return undefined;
  const room = Number(found[3]) - Number(found[1]);
  return room >= leastReply ? room : undefined;
}
