// A copy of a session under a new id: all of it, or what stood before one of its prompts.
import { inSession } from './session-codec';
import { type SessionRecord, type UserRecord } from './record';

/**
 * The records of the copy. `before`: the uuid of the prompt that the copy ends ahead of; where no record has it, everything is
 * copied. Messages that still waited in the queue stay with the original.
 */
export function forkRecords(records: readonly SessionRecord[], id: string, before?: string): SessionRecord[] {
  const at = before === undefined ? -1 : records.findIndex((record) => uuidOf(record) === before);
  const kept = at < 0 ? records : records.slice(0, at);
  return kept.flatMap((record) => (record.type === 'queue-operation' ? [] : [inSession(record, id)]));
}

/** What the person wrote in the prompt with this uuid. */
export function promptText(records: readonly SessionRecord[], uuid: string): string | undefined {
  const record = records.find((one): one is UserRecord => one.type === 'user' && one.uuid === uuid);
  if (record === undefined) return undefined;
  if (record.display !== undefined) return record.display.text;
  const { content } = record.message;
  return typeof content === 'string' ? content : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function uuidOf(record: SessionRecord): unknown {
  return 'raw' in record ? record.raw['uuid'] : record.uuid;
}
