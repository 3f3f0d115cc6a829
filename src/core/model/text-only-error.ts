// A result that failed holds text alone: the API refuses a whole conversation for an image in one.
import { type ToolResultBlock, type ToolResultContent } from '../wire/wire';

/** The block itself where it is not a failure, or holds nothing else. */
export function textOnlyError(block: ToolResultBlock): ToolResultBlock {
  const { content } = block;
  if (block.is_error !== true || typeof content === 'string' || content.every(({ type }) => type === 'text'))
    return block;
  return { ...block, content: content.map(inWords) };
}

function inWords(part: ToolResultContent): ToolResultContent {
  switch (part.type) {
    case 'text':
      return part;
    case 'tool_reference':
      return { type: 'text', text: `[tool ${part.tool_name}]` };
    case 'image':
    case 'document': {
      // In another program's log, the source may be an address or a file's id.
      return leftOut('media_type' in part.source ? part.source.media_type : part.type);
    }
    // Also for another program's log: an empty place where a part should be would make the API refuse every later request.
    default:
      return leftOut(String((part as { type: unknown }).type));
  }
}

function leftOut(what: string): ToolResultContent {
  return { type: 'text', text: `[${what} omitted: a failure is reported as text only]` };
}
