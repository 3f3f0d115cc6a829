// Which records hold a call and its result: an index that grows with its log, since commands and results are looked up all the time.
import { type AssistantRecord, type SessionRecord, type UserRecord } from '../ports/record';

interface CallIndex {
  /** Where they are, by the id of the call: what they hold may be let go. */
  calls: Map<string, number>;
  results: Map<string, number>;
  /** How many records of the log were read. */
  read: number;
}

/** By the log's array, which its session only appends to. */
const indexes = new WeakMap<readonly SessionRecord[], CallIndex>();

/** The record with this call, the last one where ids repeat. */
export function callRecord(log: readonly SessionRecord[], toolUseId: string): AssistantRecord | undefined {
  const record = log[indexOf(log).calls.get(toolUseId) ?? -1];
  return record?.type === 'assistant' ? record : undefined;
}

/** The record with the result of this call, the last one where ids repeat. */
export function resultRecord(log: readonly SessionRecord[], toolUseId: string): UserRecord | undefined {
  const record = log[indexOf(log).results.get(toolUseId) ?? -1];
  return record?.type === 'user' ? record : undefined;
}

function indexOf(log: readonly SessionRecord[]): CallIndex {
  const index = indexes.get(log) ?? { calls: new Map<string, number>(), results: new Map<string, number>(), read: 0 };
  indexes.set(log, index);
  for (; index.read < log.length; index.read++) {
    const record = log[index.read];
    if (record?.type === 'assistant') {
      for (const block of record.message.content) if (block.type === 'tool_use') index.calls.set(block.id, index.read);
    } else if (record?.type === 'user' && typeof record.message.content !== 'string') {
      for (const block of record.message.content)
        if (block.type === 'tool_result') index.results.set(block.tool_use_id, index.read);
    }
  }
  return index;
}

/** The structured result of the call as the log has it, its long texts cut in the middle; the last one where ids repeat. */
export function loggedResult(log: readonly SessionRecord[], toolUseId: string): unknown {
  return resultRecord(log, toolUseId)?.toolUseResult;
}
