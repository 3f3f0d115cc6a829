// Marks what the API should cache: the system prompt with the tools before it, and the conversation where requests have ended.
import {
  type CacheControl,
  type Message,
  type ModelRequest,
  type TextBlock,
  type UserBlock,
  type AssistantBlock,
} from '../wire/wire';

/** How long the API keeps what is marked; `off`: nothing is marked. */
export type CacheLifetime = '5m' | '1h' | 'off';

const marks: Record<Exclude<CacheLifetime, 'off'>, CacheControl> = {
  '5m': { type: 'ephemeral' },
  '1h': { type: 'ephemeral', ttl: '1h' },
};
const messageMarks = 3;

/**
 * One mark on the system prompt, up to three on the messages: at the end, and where the requests before it ended. A cache is read where it was
 * written, so that those are found however many blocks a reply had; the API's own look back goes over 20 blocks only. Nothing is changed in place.
 */
export function withCacheBreakpoints(request: ModelRequest, lifetime: CacheLifetime = '5m'): ModelRequest {
  if (lifetime === 'off') return request;
  const mark = marks[lifetime];
  return { ...request, system: markLast(request.system, mark), messages: markMessages(request.messages, mark) };
}

function markLast(blocks: TextBlock[], mark: CacheControl): TextBlock[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: mark } : block));
}

function markMessages(messages: Message[], mark: CacheControl): Message[] {
  const marked = new Map<number, number>();
  for (let m = messages.length - 1; m >= 0 && marked.size < messageMarks; m--) {
    // Requests end with what the user or their tools say; only one that continues where the API paused ends with a reply.
    if (marked.size > 0 && messages[m]?.role !== 'user') continue;
    const block = messages[m]?.content.findLastIndex(canCarryMark) ?? -1;
    if (block !== -1) marked.set(m, block);
  }
  return messages.map((message, m) => {
    const at = marked.get(m);
    if (at === undefined) return message;
    const content = message.content.map((block, b) => (b === at ? { ...block, cache_control: mark } : block));
    return { ...message, content } as Message;
  });
}

function canCarryMark(block: UserBlock | AssistantBlock): boolean {
  if (block.type === 'text') return block.text !== '';
  return (
    block.type === 'tool_result' || block.type === 'tool_use' || block.type === 'image' || block.type === 'document'
  );
}
