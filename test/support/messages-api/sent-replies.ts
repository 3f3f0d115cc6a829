// Remembers what the server sent, and checks that later requests echo thinking blocks byte for byte.
import type { FinishedBlock as SentBlock } from './stream-events';
import { bindsThinking, isSameModel, prefixOf, type ThinkingOrigin } from './thinking-binding';
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

/** One sent reply: the blocks of it that went out whole, in order. Grows while the reply streams. */
export interface SentReply {
  /** Of the request that it answered. */
  readonly origin?: ThinkingOrigin;
  readonly blocks: SentBlock[];
}

type FinishedBlock = Exclude<SentBlock, { type: 'server' }>;
type EchoedReply = Pick<SentReply, 'origin'> & { readonly blocks: readonly FinishedBlock[] };

/** A request, and what it may echo. */
interface EchoOf {
  readonly body: JsonObject;
  readonly sent: readonly EchoedReply[];
  readonly acceptUnknown: boolean;
}

/**
 * Checks every assistant message against the replies that were sent:
 * - a thinking block must be one that was sent, unchanged;
 * - thinking and tool uses of one message must be those of one reply (or of several in a row, after pause_turn),
 *   in its order and without gaps; a reply may be echoed up to any block, since the client may not have got the rest;
 * - the assistant message whose tool results come last must keep its reply's thinking, where the same model continues to think;
 * - thinking is that of the model that is asked: what another one thought is left out;
 * - a model that binds its thinking gets it after exactly what preceded it then, or a request to drop it.
 * Blocks of replies that this server never sent pass where `acceptUnknown` is set (a resumed session).
 */
export function validateEcho(body: JsonObject, all: readonly SentReply[], acceptUnknown: boolean): Violation[] {
  const messages = messagesOf(body);
  const sent = all.map(({ blocks, ...of }): EchoedReply => ({
    ...of,
    blocks: blocks.filter((block) => block.type !== 'server'),
  }));
  const open = messages.findLastIndex((message) => isObject(message) && message['role'] === 'assistant');
  return messages.flatMap((message, index) => {
    if (!isObject(message) || message['role'] !== 'assistant') return [];
    const blocks = blocksOf(message);
    return [
      ...validateAssistant(blocks, index, index === open, { body, sent, acceptUnknown }),
      ...validateServerBlocks(blocks, index, all),
    ];
  });
}

/** What the API's own tools did comes back as it was sent, byte for byte. */
function validateServerBlocks(blocks: readonly JsonObject[], index: number, sent: readonly SentReply[]): Violation[] {
  const known = new Map(
    sent.flatMap((reply) =>
      reply.blocks.flatMap((block) => (block.type === 'server' ? [[block.id, block.wire] as const] : [])),
    ),
  );
  return blocks.flatMap((block, position) => {
    const isCall = block['type'] === 'server_tool_use';
    if (!isCall && !String(block['type']).endsWith('_tool_result')) return [];
    const wire = known.get(isCall ? String(block['id']) : `result of ${String(block['tool_use_id'])}`);
    const { cache_control: _mark, ...echoed } = block;
    if (wire === undefined || wire === JSON.stringify(echoed)) return [];
    return [
      {
        rule: 'server-block-changed',
        message: `messages.${index}.content.${position}: \`${String(block['type'])}\` blocks must remain as they were in the original response`,
      },
    ];
  });
}

function validateAssistant(
  blocks: readonly JsonObject[],
  index: number,
  isLast: boolean,
  { body, sent, acceptUnknown }: EchoOf,
): Violation[] {
  const echoed = blocks.filter((block) => isThinking(block['type']) || block['type'] === 'tool_use');
  const thoughts = echoed.filter((block) => isThinking(block['type']));
  if (thoughts.length === 0) return isLast ? requireThinking(echoed, index, sent, body) : [];
  const everything = sent.flatMap((reply) => reply.blocks);
  for (const block of thoughts) {
    if (everything.some((known) => matches(block, known))) continue;
    const changed = everything.some((known) => resembles(block, known));
    if (!changed && acceptUnknown) return [];
    const at = `messages.${index}.content.${blocks.indexOf(block)}`;
    return [
      changed
        ? {
            rule: 'thinking-changed',
            message: `${at}: \`thinking\` or \`redacted_thinking\` blocks cannot be modified. They must remain as they were in the original response.`,
          }
        : { rule: 'thinking-unknown', message: `${at}: Invalid \`signature\` in \`thinking\` block` },
    ];
  }
  const origins = sent.flatMap((reply) =>
    reply.origin !== undefined && reply.blocks.some((known) => thoughts.some((block) => matches(block, known)))
      ? [reply.origin]
      : [],
  );
  const model = String(body['model']);
  if (origins.length > 0 && !origins.some((origin) => isSameModel(origin.model, model))) {
    return [
      {
        rule: 'thinking-external',
        message: `messages.${index}: Invalid \`signature\` in \`thinking\` block: it was created by another model`,
      },
    ];
  }
  const thinking = body['thinking'];
  const drops = isObject(thinking) && thinking['block_binding'] !== undefined;
  if (
    bindsThinking(model) &&
    !drops &&
    origins.length > 0 &&
    !origins.some(({ prefix }) => prefix === prefixOf(body, index))
  ) {
    return [
      {
        rule: 'thinking-bound',
        message: `messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`,
      },
    ];
  }
  if (echoes(echoed, sent)) return [];
  return [
    {
      rule: 'thinking-order',
      message: `messages.${index}: \`thinking\` and \`tool_use\` blocks must stand in the order of the original response, without gaps`,
    },
  ];
}

function requireThinking(
  echoed: readonly JsonObject[],
  index: number,
  sent: readonly EchoedReply[],
  body: JsonObject,
): Violation[] {
  const ids = new Set(echoed.map((block) => block['id']));
  const origin = sent.find((reply) => reply.blocks.some((known) => known.type === 'tool_use' && ids.has(known.id)));
  if (!origin?.blocks.some((known) => known.type !== 'tool_use' && known.type !== 'compaction')) return [];
  const thinking = body['thinking'];
  const model = String(body['model']);
  // Nothing is said: models before 5 do not think then.
  const thinks = isObject(thinking)
    ? thinking['type'] === 'enabled' || thinking['type'] === 'adaptive'
    : !/-4-\d/.test(model);
  if (!thinks || (origin.origin !== undefined && !isSameModel(origin.origin.model, model))) return [];
  return [
    {
      rule: 'thinking-missing',
      message: `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. The assistant message must keep the thinking blocks of its reply.`,
    },
  ];
}

function echoes(echoed: readonly JsonObject[], sent: readonly EchoedReply[]): boolean {
  if (echoed.length === 0) return true;
  let longest = 0;
  for (const { blocks } of sent) {
    let same = 0;
    while (same < blocks.length && same < echoed.length && matches(echoed[same]!, blocks[same]!)) same += 1;
    longest = Math.max(longest, same);
  }
  if (longest > 0) return echoes(echoed.slice(longest), sent);
  const [first, ...rest] = echoed;
  const known = sent.some(({ blocks }) => blocks.some((block) => matches(first!, block)));
  return !known && first!['type'] === 'tool_use' && echoes(rest, sent);
}

function isThinking(type: unknown): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function matches(block: JsonObject, known: FinishedBlock): boolean {
  if (block['type'] !== known.type) return false;
  switch (known.type) {
    case 'thinking':
      return block['thinking'] === known.thinking && block['signature'] === known.signature;
    case 'redacted_thinking':
      return block['data'] === known.data;
    case 'tool_use':
      return block['id'] === known.id;
    case 'compaction':
      return block['content'] === known.content && block['encrypted_content'] === known.encrypted;
  }
}

/** True where only a part of a sent thinking block was kept: text or signature were changed. */
function resembles(block: JsonObject, known: FinishedBlock): boolean {
  if (known.type !== 'thinking' || block['type'] !== 'thinking') return false;
  return block['signature'] === known.signature || (known.thinking !== '' && block['thinking'] === known.thinking);
}
