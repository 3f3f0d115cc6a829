// The blocks of a logged message that the API would take: each is checked by its kind, and a bad one is left out.
import { toolUseIdPattern } from '../model/unique-tool-ids';
import { isObject } from '../../shared/plain-object';

type Fields = Record<string, unknown>;

const unreadable = '[This result could not be read.]';
const imageTypes: unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Undefined for what is not a list of blocks, or one of which nothing can be read. */
export function readableAssistantBlocks(content: unknown): Fields[] | undefined {
  return readable(content, assistantBlock);
}

/** As for replies; results keep what can be read of them. */
export function readableUserBlocks(content: unknown): Fields[] | undefined {
  return readable(content, userBlock);
}

function readable(content: unknown, read: (block: Fields) => Fields | undefined): Fields[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const blocks = content.flatMap((block: unknown): Fields[] =>
    [isObject(block) ? read(block) : undefined].filter((one) => one !== undefined),
  );
  return blocks.length === 0 && content.length > 0 ? undefined : blocks;
}

function assistantBlock(block: Fields): Fields | undefined {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? block : undefined;
    case 'thinking':
      return typeof block['thinking'] === 'string' && typeof block['signature'] === 'string' ? block : undefined;
    case 'redacted_thinking':
      return typeof block['data'] === 'string' ? block : undefined;
    case 'tool_use':
      if (!isToolUseId(block['id']) || typeof block['name'] !== 'string' || block['name'] === '') return undefined;
      return isObject(block['input']) ? block : { ...block, input: {} };
    case 'tool_result':
    case 'image':
    case 'document':
      return undefined;
    default:
      // What only the API makes is echoed, never read.
      return typeof block['type'] === 'string' ? block : undefined;
  }
}

function userBlock(block: Fields): Fields | undefined {
  if (block['type'] !== 'tool_result') return shownBlock(block);
  return isToolUseId(block['tool_use_id']) ? toolResult(block) : undefined;
}

function toolResult(block: Fields): Fields {
  const { content } = block;
  if (typeof content === 'string') return withFlag(block);
  if (content === undefined || content === null) return withFlag({ ...block, content: '[no output]' });
  if (!Array.isArray(content)) return withFlag({ ...block, content: unreadable });
  const parts = content.flatMap((part: unknown): Fields[] =>
    [isObject(part) ? resultPart(part) : undefined].filter((one) => one !== undefined),
  );
  if (parts.length === content.length && parts.every((part, index) => part === content[index])) return withFlag(block);
  return withFlag({ ...block, content: parts.length === 0 ? unreadable : parts });
}

function withFlag(block: Fields): Fields {
  return block['is_error'] === undefined || typeof block['is_error'] === 'boolean'
    ? block
    : { ...block, is_error: false };
}

function resultPart(part: Fields): Fields | undefined {
  if (part['type'] === 'tool_reference') return typeof part['tool_name'] === 'string' ? part : undefined;
  // The API refuses empty text.
  return part['type'] === 'text' && part['text'] === '' ? undefined : shownBlock(part);
}

function shownBlock(block: Fields): Fields | undefined {
  const { type, source } = block;
  if (type === 'text') return typeof block['text'] === 'string' ? block : undefined;
  if ((type !== 'image' && type !== 'document') || !isObject(source)) return undefined;
  const mediaTypes = type === 'image' ? imageTypes : ['application/pdf'];
  const { data } = source;
  if (source['type'] === 'url')
    return typeof source['url'] === 'string' && source['url'].startsWith('https://') ? block : undefined;
  return source['type'] === 'base64' &&
    mediaTypes.includes(source['media_type']) &&
    typeof data === 'string' &&
    data !== ''
    ? block
    : undefined;
}

function isToolUseId(id: unknown): boolean {
  return typeof id === 'string' && toolUseIdPattern.test(id);
}
