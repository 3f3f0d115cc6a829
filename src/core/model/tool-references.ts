// References to deferred tools, and how they read where none are sent.
import { type Message, type TextBlock, type ToolReferenceBlock, type ToolResultContent, type UserBlock } from './wire';

export function referenceInWords({ tool_name: name }: ToolReferenceBlock): TextBlock {
  return { type: 'text', text: `The tool ${name} can be called now.` };
}

/** The same object each time: what was derived from it still holds. */
const plainMessages = new WeakMap<Message, Message>();

/** For a session that does without them, whatever the model takes: as the guard (fit-messages.ts) would make them. */
export function withoutReferences(message: Message): Message {
  if (message.role !== 'user' || !message.content.some(hasReference)) return message;
  const known = plainMessages.get(message);
  if (known !== undefined) return known;
  const plain: Message = { role: 'user', content: message.content.map(inWords) };
  plainMessages.set(message, plain);
  return plain;
}

function hasReference(block: UserBlock): boolean {
  return block.type === 'tool_result' && typeof block.content !== 'string' && block.content.some(({ type }) => type === 'tool_reference');
}

function inWords(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  return { ...block, content: block.content.map((part): ToolResultContent => (part.type === 'tool_reference' ? referenceInWords(part) : part)) };
}
