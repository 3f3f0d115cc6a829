// Gives calls that share an id with an earlier one an id of their own, and their results and starts with them.
import { takeToolUseId } from '../model/unique-tool-ids';
import { type SessionRecord } from '../ports/record';

interface Use {
  messageId: string;
  freshId: string;
  started: boolean;
  answered: boolean;
  stored: boolean;
}

/**
 * The same array where no id repeats. A result belongs to the first call of its id, in the newest reply that has one,
 * which is still without a result: an earlier reply's call has lost its own when a later reply uses the id again.
 */
export function withUniqueCalls(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const ids = records.flatMap((record) =>
    record.type === 'assistant'
      ? record.message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      : [],
  );
  const taken = new Set(ids);
  if (taken.size === ids.length) return records;
  const uses = new Map<string, Use[]>();

  const added = (id: string, messageId: string): string => {
    const earlier = uses.get(id);
    const use: Use = {
      messageId,
      freshId: earlier === undefined ? id : takeToolUseId(id, taken),
      started: false,
      answered: false,
      stored: false,
    };
    if (earlier?.[0]?.messageId === messageId) earlier.push(use);
    else uses.set(id, [use]);
    return use.freshId;
  };
  const found = (id: string, mark: 'started' | 'answered' | 'stored'): string => {
    const open = uses.get(id) ?? [];
    const use = open.find((one) => !one[mark]) ?? open[0];
    if (use !== undefined) use[mark] = true;
    return use?.freshId ?? id;
  };

  return records.map((record): SessionRecord => {
    if (record.type === 'assistant') {
      const { message } = record;
      const content = message.content.map((block) =>
        block.type === 'tool_use' ? { ...block, id: added(block.id, message.id) } : block,
      );
      return { ...record, message: { ...message, content } };
    }
    if (record.type === 'user' && typeof record.message.content !== 'string') {
      const content = record.message.content.map((block) =>
        block.type === 'tool_result' ? { ...block, tool_use_id: found(block.tool_use_id, 'answered') } : block,
      );
      return { ...record, message: { ...record.message, content } };
    }
    if (record.type !== 'system') return record;
    if (record.subtype === 'result_stored')
      return { ...record, block: { ...record.block, tool_use_id: found(record.block.tool_use_id, 'stored') } };
    return record.subtype === 'tool_started' ? { ...record, toolUseId: found(record.toolUseId, 'started') } : record;
  });
}
