// The ids of the replies that a log holds: some gateways give every reply the same one.
import { followLog } from './follow-log';
import { type SessionRecord } from '../ports/record';

const none: ReadonlySet<string> = new Set();

const followed = followLog<Set<string> | undefined>(undefined, (ids, record) => {
  const id = replyIdOf(record);
  return id === undefined ? ids : (ids ?? new Set()).add(id);
});

/** At the cost of what was appended since the call before; grows with the log. */
export function replyIds(log: readonly SessionRecord[]): ReadonlySet<string> {
  return followed(log) ?? none;
}

function replyIdOf(record: SessionRecord): string | undefined {
  if (record.type === 'assistant') return record.message.id;
  return record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'reply_refused')
    ? record.messageId
    : undefined;
}
