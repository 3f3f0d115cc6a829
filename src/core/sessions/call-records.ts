// Which record holds a call: an index that grows with its log, since commands and results are looked up all the time.
import { type AssistantRecord, type SessionRecord } from '../ports/record';

interface CallIndex {
  records: Map<string, AssistantRecord>;
  /** How many records of the log were read. */
  read: number;
}

/** By the log's array, which its session only appends to. */
const indexes = new WeakMap<readonly SessionRecord[], CallIndex>();

/** The record with this call, the last one where ids repeat. */
export function callRecord(log: readonly SessionRecord[], toolUseId: string): AssistantRecord | undefined {
  const index = indexes.get(log) ?? { records: new Map<string, AssistantRecord>(), read: 0 };
  indexes.set(log, index);
  for (; index.read < log.length; index.read++) {
    const record = log[index.read];
    if (record?.type !== 'assistant') continue;
    for (const block of record.message.content) if (block.type === 'tool_use') index.records.set(block.id, record);
  }
  return index.records.get(toolUseId);
}

/** Whether this record holds the result of the call. */
export function isResultOf(record: SessionRecord, toolUseId: string): boolean {
  if (record.type !== 'user' || typeof record.message.content === 'string') return false;
  return record.message.content.some((block) => block.type === 'tool_result' && block.tool_use_id === toolUseId);
}

/** The structured result of the call as the log has it, its long texts cut in the middle; the last one where ids repeat. */
export function loggedResult(log: readonly SessionRecord[], toolUseId: string): unknown {
  const record = log.findLast((one) => isResultOf(one, toolUseId));
  return record?.type === 'user' ? record.toolUseResult : undefined;
}
