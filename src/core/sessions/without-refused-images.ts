// Takes images out of a log that the API refused: one that it cannot read would fail every later request too.
import { type TextBlock, type ToolResultBlock } from '../model/wire';
import { type SessionRecord } from './record';

const leftOut: TextBlock = { type: 'text', text: '[image left out: the API could not read it]' };

/** The same array where nothing was refused; otherwise text stands for every image before the last refusal. */
export function withoutRefusedImages(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const last = records.findLastIndex((record) => record.type === 'system' && record.subtype === 'images_dropped');
  return last === -1 ? records : records.map((record, index) => (index < last ? withoutImages(record) : record));
}

function withoutImages(record: SessionRecord): SessionRecord {
  if (record.type === 'system' && record.subtype === 'result_stored') return { ...record, block: withoutResultImages(record.block) };
  if (record.type !== 'user' || typeof record.message.content === 'string') return record;
  const content = record.message.content.map((block) => {
    if (block.type === 'tool_result') return withoutResultImages(block);
    return block.type === 'image' ? leftOut : block;
  });
  return { ...record, message: { ...record.message, content } };
}

function withoutResultImages(block: ToolResultBlock): ToolResultBlock {
  if (typeof block.content === 'string') return block;
  return { ...block, content: block.content.map((part) => (part.type === 'image' ? leftOut : part)) };
}
