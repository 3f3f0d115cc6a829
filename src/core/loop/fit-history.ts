// The history as one model takes it: thinking of other models is left out. Blocks of API tools that it lacks are the guard's business (fit-messages.ts).
import { type ModelCapabilities, type ProviderId } from '../wire/model-capabilities';
import { isSameModel } from '../model/thinking';
import { type AssistantBlock, type Message, type UserBlock } from '../wire/wire';
import { presentCompaction } from '../sessions/compacted-log';
import { type SessionRecord } from '../ports/record';
import { originOf } from '../sessions/reply-origin';

export interface HistoryFit {
  model: string;
  provider: ProviderId;
  /** Its own thinking is sent along. */
  echo: boolean;
  /** Replies whose thinking does not count any more. */
  stale: ReadonlySet<string>;
}

/** Messages that stay as they are stay the same objects, and a message that loses blocks becomes the same object each time. */
export function fitHistory(messages: Message[], fit: HistoryFit): Message[] {
  let changed = false;
  const fitted: Message[] = [];
  for (const message of messages) {
    const kept = message.role === 'assistant' ? fitReply(message, fit) : message;
    changed ||= kept !== message;
    const last = fitted.at(-1);
    // A reply that held nothing else is gone: what was around it is one message now.
    if (kept.role === 'user' && last?.role === 'user') fitted[fitted.length - 1] = merged(last, kept);
    else if (kept.content.length > 0) fitted.push(kept);
  }
  return changed ? fitted : messages;
}

/** What a model with a budget requires: the turn that continues began with thinking. */
export function turnBeganWithThinking(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  // A turn that is over: the next prompt begins another one. Where the API paused in its own tools, the turn continues.
  if (last?.role === 'assistant' && ['text', 'tool_use'].includes(last.content.at(-1)?.type ?? '')) return true;
  const opening = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const first = messages.slice(opening + 1).find(({ role }) => role === 'assistant')?.content[0];
  return first === undefined || isThinking(first);
}

const noReplies: ReadonlySet<string> = new Set();

/** Replies that were kept after a summary: what was before their thinking is another text now. */
export function staleReplies(
  records: readonly SessionRecord[],
  { thinkingBound }: Pick<ModelCapabilities, 'thinkingBound'>,
): ReadonlySet<string> {
  if (!thinkingBound) return noReplies;
  const last = presentCompaction(records);
  if (last === undefined) return noReplies;
  return new Set(
    records.slice(last.from, last.at).flatMap((record) => (record.type === 'assistant' ? [record.message.id] : [])),
  );
}

type Reply = Extract<Message, { role: 'assistant' }>;

/** By what is dropped from it. */
const fittedReplies = new WeakMap<Message, Map<string, Message>>();

function fitReply(message: Reply, { model, provider, echo, stale }: HistoryFit): Message {
  if (!message.content.some(isThinking)) return message;
  const origin = originOf(message);
  const external = origin !== undefined && !isSameModel(origin.model, model);
  const drops = {
    thinking: !echo || external || (origin !== undefined && stale.has(origin.id)),
    // A gateway may send thinking without one, and want it back.
    unsigned: provider !== 'gateway',
  };
  if (!message.content.some((block) => isDropped(block, drops))) return message;
  const known = fittedReplies.get(message) ?? new Map<string, Message>();
  fittedReplies.set(message, known);
  const key = JSON.stringify(drops);
  const fitted = known.get(key) ?? {
    role: 'assistant',
    content: message.content.filter((block) => !isDropped(block, drops)),
  };
  known.set(key, fitted);
  return fitted;
}

interface Drops {
  thinking: boolean;
  unsigned: boolean;
}

function isDropped(block: AssistantBlock, drops: Drops): boolean {
  switch (block.type) {
    case 'thinking':
      return drops.thinking || (drops.unsigned && block.signature === '');
    case 'redacted_thinking':
      return drops.thinking;
    default:
      return false;
  }
}

function isThinking({ type }: AssistantBlock | UserBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function merged(one: Extract<Message, { role: 'user' }>, other: Extract<Message, { role: 'user' }>): Message {
  return { role: 'user', content: [...one.content, ...other.content] };
}
