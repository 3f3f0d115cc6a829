// About how many tokens a request takes, where no reply has said it yet.
import { type AssistantBlock, type ModelRequest, type ToolResultBlock, type UserBlock } from '../wire/wire';

/** Code and JSON are denser than prose: newer tokenizers make a token of fewer than four characters. */
const charsPerToken = 3.5;
/** An image or a page of a PDF, whatever its bytes. */
const fileTokens = 1_600;

export function textTokens(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}

export function charsOf(tokens: number): number {
  return Math.floor(tokens * charsPerToken);
}

export function estimateTokens(content: Partial<Pick<ModelRequest, 'system' | 'tools' | 'messages'>>): number {
  let files = 0;
  const { tools } = content;
  // What is deferred is not before the model.
  const read =
    tools === undefined ? content : { ...content, tools: tools.filter((tool) => !('defer_loading' in tool)) };
  const text = JSON.stringify(read, (key, value: unknown) => {
    if (key !== 'source') return value;
    files++;
    return undefined;
  });
  return textTokens(text) + files * fileTokens;
}

/** The tokens of one block, without writing it out: long logs hold many. */
export function blockTokens(block: AssistantBlock | UserBlock): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'thinking':
      return textTokens(block.thinking);
    case 'image':
    case 'document':
      return fileTokens;
    case 'tool_result':
      return resultTokens(block.content);
    default:
      return textTokens(JSON.stringify(block));
  }
}

export function resultTokens(content: ToolResultBlock['content']): number {
  if (typeof content === 'string') return textTokens(content);
  return content.reduce(
    (sum, part) =>
      sum +
      (part.type === 'text'
        ? textTokens(part.text)
        : part.type === 'tool_reference'
          ? textTokens(part.tool_name)
          : fileTokens),
    0,
  );
}
