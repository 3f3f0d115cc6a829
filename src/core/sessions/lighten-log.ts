// Lets go of the contents of what stands before a log's last compaction, once its file has shown that it holds them.
import { type SessionRecord, type SystemRecord, type UserRecord } from '../ports/record';
import { type LogPosition, type RecordPlace, type SessionLog } from '../ports/session-store';
import { isApiSummary, presentCompaction } from './compacted-log';
import { isLight, lightRecord, wholeRecord } from './light-records';
import { systemRecords } from './log-index';
import { encodeRecord } from './session-codec';

/** A message of the user that is no longer than this is held: many a command looks through what they wrote. */
const heldMessageBytes = 2_000;

/** Of Deft's own facts those that every call and reply has. The others are few, and looked for in all of a log. */
const many: readonly SystemRecord['subtype'][] = [
  'reply_end',
  'side_usage',
  'api_retry',
  'turn_end',
  'tool_started',
  'user_asked',
  'decision',
  'background_end',
  'result_stored',
  'hook_notice',
  'message_display',
];

export interface LogLightener {
  /** Returns how many contents were let go. Rejects where the file cannot be read: nothing more is let go then. */
  run(): Promise<number>;
}

/** For the array that the session appends to: a record that was let go is replaced there by one with the same fields. */
export function createLogLightener(records: SessionRecord[], log: SessionLog): LogLightener {
  let from: LogPosition = { at: 0, format: 1 };
  let known = '';
  return {
    async run() {
      const { stored } = log;
      const state = stateOf(records);
      if (stored === undefined || state === known) return 0;
      const end = startOfPresent(records);
      const wanted = candidates(records, end);
      const later = new Set(records.slice(end).map(uuidOf));
      let begins: LogPosition | undefined;
      let reached = from;
      let count = 0;
      if (wanted.size > 0)
        for await (const part of stored.scan(from)) {
          // A compaction was undone meanwhile: what stood before it is sent again.
          if (stateOf(records) !== state) return count;
          for (const { record, place } of part.found) {
            const uuid = uuidOf(record);
            if (uuid !== undefined && later.has(uuid)) begins ??= place;
            const index = uuid === undefined ? undefined : wanted.get(uuid);
            const own = index === undefined ? undefined : records[index];
            if (uuid === undefined || index === undefined || own === undefined || !mayGo(own, record, place)) continue;
            wanted.delete(uuid);
            records[index] = lightRecord(own, stored, place);
            count++;
          }
          reached = part.end;
          if (wanted.size === 0) break;
        }
      from = begins ?? reached;
      known = state;
      return count;
    },
  };
}

/** Puts back the contents of records that are sent to the model again. Throws before anything is changed where one cannot be read. */
export function restoreRecords(records: SessionRecord[], again: readonly SessionRecord[]): void {
  const whole = new Map(again.filter(isLight).map((record) => [record, wholeRecord(record)]));
  if (whole.size === 0) return;
  for (const [index, record] of records.entries()) records[index] = whole.get(record) ?? record;
}

function stateOf(records: readonly SessionRecord[]): string {
  return `${systemRecords(records, 'compact_boundary').length} ${systemRecords(records, 'compact_undone').length}`;
}

/** Before it nothing is sent to the model any more. */
function startOfPresent(records: readonly SessionRecord[]): number {
  const present = presentCompaction(records);
  return present === undefined ? 0 : present.from;
}

/** By the uuid that a line of the file has as well. */
function candidates(records: readonly SessionRecord[], end: number): Map<string, number> {
  const wanted = new Map<string, number>();
  for (let index = 0; index < end; index++) {
    const record = records[index];
    if (record === undefined || isLight(record) || !isMany(record)) continue;
    const uuid = uuidOf(record);
    if (uuid !== undefined) wanted.set(uuid, index);
  }
  return wanted;
}

function isMany(record: SessionRecord): boolean {
  switch (record.type) {
    case 'user':
    case 'queue-operation':
    case 'progress':
      return true;
    case 'assistant':
      return !isApiSummary(record);
    case 'system':
      return many.includes(record.subtype);
    default:
      return false;
  }
}

/** What the file has there reads as this record, to the letter. */
function mayGo(own: SessionRecord, read: SessionRecord, { length }: RecordPlace): boolean {
  if (own.type === 'user' && length <= heldMessageBytes && !holdsResult(own)) return false;
  return encodeRecord(read) === encodeRecord(own);
}

function holdsResult({ message: { content } }: UserRecord): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
}

function uuidOf(record: SessionRecord): string | undefined {
  const uuid: unknown = 'raw' in record ? record.raw['uuid'] : record.uuid;
  return typeof uuid === 'string' && uuid !== '' ? uuid : undefined;
}
