// A copy of a session under a new id: all of it, or what was before one of its prompts.
import { DeftError } from '../text/errors';
import { inSession } from './session-codec';
import { writtenText } from './prompt-text';
import { type SessionRecord, type UserRecord } from '../ports/record';

/**
 * The records of the copy. `before`: the uuid of the prompt that the copy ends ahead of. A compaction that is in the copy
 * is undone or edited there too, whenever that was done. Messages that still waited in the queue stay with the original.
 */
export function forkRecords(records: readonly SessionRecord[], id: string, before?: string): SessionRecord[] {
  const end = before === undefined ? records.length : forkEnd(records, before);
  const kept = records.slice(0, end);
  const compacted = new Set(
    kept.flatMap((record) => (record.type === 'system' && record.subtype === 'compact_boundary' ? [record.uuid] : [])),
  );
  const later = records
    .slice(end)
    .filter(
      (record) =>
        record.type === 'system' &&
        (record.subtype === 'compact_undone' || record.subtype === 'compact_edited') &&
        compacted.has(record.boundary),
    );
  return [...kept, ...later].flatMap((record) => (record.type === 'queue-operation' ? [] : [inSession(record, id)]));
}

/** How many records are before this prompt. Throws where there is none: a copy of everything is not what was asked for. */
export function forkEnd(records: readonly SessionRecord[], before: string): number {
  const at = records.findIndex((record) => uuidOf(record) === before);
  if (at < 0)
    throw new DeftError('fork-missing', 'This message is not in the session; nothing was copied.', {
      audience: 'user',
    });
  return at;
}

/** What the user wrote in the prompt with this uuid, and the images that went with it. */
export function writtenPrompt(
  records: readonly SessionRecord[],
  uuid: string,
): { text: string; images: { mediaType: string; data: string }[] } | undefined {
  const record = records.find((one): one is UserRecord => one.type === 'user' && one.uuid === uuid);
  if (record === undefined) return undefined;
  const { content } = record.message;
  const images =
    typeof content === 'string'
      ? []
      : content.flatMap((block) =>
          block.type === 'image' && block.source.type === 'base64'
            ? [{ mediaType: block.source.media_type, data: block.source.data }]
            : [],
        );
  return { text: writtenText(record), images };
}

/** What the user wrote in the prompt with this uuid. */
export function promptText(records: readonly SessionRecord[], uuid: string): string | undefined {
  return writtenPrompt(records, uuid)?.text;
}

function uuidOf(record: SessionRecord): unknown {
  return 'raw' in record ? record.raw['uuid'] : record.uuid;
}
