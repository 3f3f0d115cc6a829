// Takes images and PDF files out of a log that the API refused: one that it cannot read would fail every later request too.
import { type DocumentBlock, type ImageBlock, type TextBlock, type ToolResultBlock } from '../wire/wire';
import { type SessionRecord } from '../ports/record';

const imageLeftOut: TextBlock = { type: 'text', text: '[image omitted: the API could not read it]' };
const documentLeftOut: TextBlock = {
  type: 'text',
  text: '[PDF omitted: the API could not read it, or the request was too large]',
};

/** The same array where nothing was refused; otherwise text stands for every image and PDF before the last refusal. */
export function withoutRefusedImages(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const last = records.findLastIndex((record) => record.type === 'system' && record.subtype === 'images_dropped');
  return last === -1 ? records : records.map((record, index) => (index < last ? withoutImages(record) : record));
}

function withoutImages(record: SessionRecord): SessionRecord {
  if (record.type === 'system' && record.subtype === 'result_stored')
    return { ...record, block: withoutResultFiles(record.block) };
  if (record.type !== 'user' || typeof record.message.content === 'string') return record;
  const content = record.message.content.map((block) => {
    return block.type === 'tool_result' ? withoutResultFiles(block) : withoutFile(block);
  });
  return { ...record, message: { ...record.message, content } };
}

function withoutResultFiles(block: ToolResultBlock): ToolResultBlock {
  return typeof block.content === 'string' ? block : { ...block, content: block.content.map(withoutFile) };
}

function withoutFile<Block extends { type: string }>(
  block: Block,
): Exclude<Block, ImageBlock | DocumentBlock> | TextBlock {
  if (block.type === 'image') return imageLeftOut;
  return block.type === 'document' ? documentLeftOut : (block as Exclude<Block, ImageBlock | DocumentBlock>);
}
