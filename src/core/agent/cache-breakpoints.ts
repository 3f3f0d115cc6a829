// Marks what the API should cache: the system prompt with the tools before it, and the end of the conversation.
import { type CacheControl, type Message, type ModelRequest, type TextBlock, type UserBlock, type AssistantBlock } from '../model/wire';

const ephemeral: CacheControl = { type: 'ephemeral' };

/** The API looks back this many blocks from a mark for an earlier one; a little less leaves room. */
const lookback = 18;
const messageMarks = 3;

/** One mark on the system prompt, up to three on the messages: at the end and at steps back from it. Nothing is changed in place. */
export function withCacheBreakpoints(request: ModelRequest): ModelRequest {
  return { ...request, system: markLast(request.system), messages: markMessages(request.messages) };
}

function markLast(blocks: TextBlock[]): TextBlock[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: ephemeral } : block));
}

function markMessages(messages: Message[]): Message[] {
  const marked = new Map<number, Set<number>>();
  let marks = 0;
  let sinceMark = lookback;
  for (let m = messages.length - 1; m >= 0 && marks < messageMarks; m--) {
    const content = messages[m]?.content ?? [];
    for (let b = content.length - 1; b >= 0 && marks < messageMarks; b--, sinceMark++) {
      const block = content[b];
      if (sinceMark < lookback || block === undefined || !canCarryMark(block)) continue;
      marked.set(m, (marked.get(m) ?? new Set()).add(b));
      marks++;
      sinceMark = 0;
    }
  }
  return messages.map((message, m) => {
    const blocks = marked.get(m);
    if (blocks === undefined) return message;
    const content = message.content.map((block, b) => (blocks.has(b) ? { ...block, cache_control: ephemeral } : block));
    return { ...message, content } as Message;
  });
}

function canCarryMark(block: UserBlock | AssistantBlock): boolean {
  return block.type === 'text' || block.type === 'tool_result' || block.type === 'tool_use' || block.type === 'image' || block.type === 'document';
}
