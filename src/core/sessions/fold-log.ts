// Folds a log that grows: what was folded for one request is not folded again for the next.
import { type Message } from '../wire/wire';
import { followPresent } from './compacted-log';
import {
  addFacts,
  type CallFacts,
  foldRecords,
  type FoldStart,
  messagesFromRecords,
  newCallFacts,
} from './messages-from-records';
import { type SessionRecord } from '../ports/record';
import { withoutRefusedImages } from './without-refused-images';

interface FoldedLog {
  facts: CallFacts;
  callIds: Set<string>;
  /** Calls that were reported to the model as having no result. */
  missing: Set<string>;
  next: FoldStart;
  /** The API refused images of this log. */
  imagesRefused: boolean;
  /** How many records were read, and the last of them. */
  read: number;
  last: SessionRecord | undefined;
}

/** By the log's array, which its session appends to. */
const foldedLogs = new WeakMap<readonly SessionRecord[], FoldedLog>();

/**
 * What messagesFromRecords makes of the log, at the cost of what was appended since the call before. All messages but the
 * last few are the same objects as then, so that what was derived from them still holds.
 */
export function foldLog(whole: readonly SessionRecord[]): Message[] {
  const log = followPresent(whole);
  // Before the first compaction both were the same; what was folded then would keep all that is let go.
  if (log !== whole) foldedLogs.delete(whole);
  const known = foldedLogs.get(log);
  const folded = known !== undefined && readOn(known, log) ? known : newFold(log);
  if (!readOn(folded, log)) {
    foldedLogs.delete(log);
    return messagesFromRecords(log);
  }
  const { messages, next, missing } = foldRecords(sendable(log, folded), folded.facts, folded.next);
  for (const id of missing) folded.missing.add(id);
  folded.next = next;
  foldedLogs.set(log, folded);
  return messages;
}

function newFold(log: readonly SessionRecord[]): FoldedLog {
  return {
    facts: newCallFacts(),
    callIds: new Set(),
    missing: new Set(),
    next: { at: 0, messages: [] },
    imagesRefused: withoutRefusedImages(log) !== log,
    read: 0,
    last: undefined,
  };
}

function sendable(log: readonly SessionRecord[], { imagesRefused }: FoldedLog): readonly SessionRecord[] {
  return imagesRefused ? withoutRefusedImages(log) : log;
}

/** False where the log was not just appended to, what was appended changes messages from before it, or call ids repeat. */
function readOn(folded: FoldedLog, log: readonly SessionRecord[]): boolean {
  if (folded.read > log.length || log[folded.read - 1] !== folded.last) return false;
  for (const record of sendable(log, folded).slice(folded.read)) {
    if (changesThePast(record, folded) || repeatsCall(record, folded)) return false;
    addFacts(folded.facts, record);
  }
  folded.read = log.length;
  folded.last = log.at(-1);
  return true;
}

function changesThePast(record: SessionRecord, { missing, read }: FoldedLog): boolean {
  if (record.type === 'system') {
    if (record.subtype === 'images_dropped' || record.subtype === 'result_stored' || record.subtype === 'reply_refused')
      return read > 0;
    return record.subtype === 'tool_started' && missing.has(record.toolUseId);
  }
  if (record.type !== 'user' || typeof record.message.content === 'string') return false;
  return record.message.content.some((block) => block.type === 'tool_result' && missing.has(block.tool_use_id));
}

function repeatsCall(record: SessionRecord, { callIds }: FoldedLog): boolean {
  if (record.type !== 'assistant') return false;
  for (const block of record.message.content) {
    if (block.type !== 'tool_use') continue;
    if (callIds.has(block.id)) return true;
    callIds.add(block.id);
  }
  return false;
}
