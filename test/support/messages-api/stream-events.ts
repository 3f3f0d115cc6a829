// Cuts a scripted reply into the steps of its stream, and assembles its message for answers without a stream.
import { defined } from '../../../src/shared/defined';
import { type Gate, type Reply, type ReplyBlock } from './script';

export interface StreamDefaults {
  readonly model: string;
  readonly messageId: string;
  /** Gives the id of the block's tool use where the script names none. */
  readonly toolUseId: (block: number) => string;
  /** Characters per delta. */
  readonly deltaSize: number;
}

/** One step of a stream: an event with its exact bytes, or a wait. */
export type StreamStep =
  { readonly kind: 'event'; readonly type: string; readonly wire: string; readonly finishes?: FinishedBlock } | Gate;

/** A block that later requests must echo: known once its content_block_stop was sent. */
export type FinishedBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string }
  | { readonly type: 'compaction'; readonly content: string | null; readonly encrypted: string }
  /** A call that the API runs itself, or its result: `wire` is the whole block. */
  | { readonly type: 'server'; readonly id: string; readonly wire: string };

/** The steps of a streamed reply: message_start, ping, blocks, message_delta, message_stop. */
export function streamSteps(reply: Reply, defaults: StreamDefaults): StreamStep[] {
  if ('recorded' in reply.content) return recordedSteps(reply.content.recorded);
  const steps: StreamStep[] = [
    event('message_start', {
      message: { ...message(reply, defaults), content: [], stop_reason: null, stop_sequence: null },
    }),
    event('ping', {}),
  ];
  let index = 0;
  for (const element of reply.content) {
    if (element.kind === 'gate') steps.push(element);
    else steps.push(...blockSteps(element, index++, defaults));
  }
  const usage = fullUsage(reply);
  steps.push(
    event('message_delta', {
      delta: {
        stop_reason: stopReason(reply),
        stop_sequence: reply.stopSequence,
        ...defined({ stop_details: reply.stopDetails }),
      },
      usage,
      ...defined({ context_management: reply.contextManagement }),
    }),
    event('message_stop', {}),
  );
  return steps;
}

/** The whole message, as an answer without a stream carries it. */
export function wholeMessage(reply: Reply, defaults: StreamDefaults): Record<string, unknown> {
  if ('recorded' in reply.content) throw new Error('A recorded stream has no form without a stream.');
  return message(reply, defaults);
}

/** The blocks of a reply that later requests must echo, in order. */
export function finishedBlocks(reply: Reply, defaults: StreamDefaults): FinishedBlock[] {
  return streamSteps(reply, defaults).flatMap((step) =>
    step.kind === 'event' && step.finishes ? [step.finishes] : [],
  );
}

function message(reply: Reply, defaults: StreamDefaults): Record<string, unknown> {
  const blocks = 'recorded' in reply.content ? [] : reply.content.filter((element) => element.kind !== 'gate');
  return {
    id: reply.id ?? defaults.messageId,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? defaults.model,
    content: blocks.map((block, index) => wireBlock(block, index, defaults)),
    stop_reason: stopReason(reply),
    stop_sequence: reply.stopSequence,
    ...defined({ stop_details: reply.stopDetails }),
    usage: fullUsage(reply),
  };
}

function stopReason(reply: Reply): string {
  if (reply.stopReason !== undefined) return reply.stopReason;
  if ('recorded' in reply.content) return 'end_turn';
  if (reply.content.some((element) => element.kind === 'toolUse' && !element.complete)) return 'max_tokens';
  return reply.content.some((element) => element.kind === 'toolUse') ? 'tool_use' : 'end_turn';
}

function fullUsage(reply: Reply): Record<string, unknown> {
  return {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
    service_tier: 'standard',
    ...reply.usage,
  };
}

function wireBlock(block: ReplyBlock, index: number, defaults: StreamDefaults): Record<string, unknown> {
  switch (block.kind) {
    case 'text':
      return {
        type: 'text',
        text: block.parts.filter((part) => typeof part === 'string').join(''),
        ...defined({ citations: block.citations }),
      };
    case 'serverToolUse':
      return { type: 'server_tool_use', id: block.id, name: block.name, input: JSON.parse(block.json) as unknown };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted':
      return { type: 'redacted_thinking', data: block.data };
    case 'toolUse':
      return {
        type: 'tool_use',
        id: block.id ?? defaults.toolUseId(index),
        name: block.name,
        input: block.complete ? parsed(block.json) : {},
      };
    case 'compaction':
      return { type: 'compaction', content: block.summary, encrypted_content: block.encrypted };
    case 'raw':
      return block.block;
  }
}

/** What is cut has no form without a stream. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}

function blockSteps(block: ReplyBlock, index: number, defaults: StreamDefaults): StreamStep[] {
  const start = (contentBlock: unknown): StreamStep =>
    event('content_block_start', { index, content_block: contentBlock });
  const delta = (value: unknown): StreamStep => event('content_block_delta', { index, delta: value });
  const stop = (finishes?: FinishedBlock): StreamStep => ({
    ...event('content_block_stop', { index }),
    ...defined({ finishes }),
  });
  switch (block.kind) {
    case 'text':
      return [
        start({ type: 'text', text: '', ...(block.citations === undefined ? {} : { citations: [] }) }),
        ...(block.citations ?? []).map((citation) => delta({ type: 'citations_delta', citation })),
        ...block.parts.flatMap((part) =>
          typeof part === 'string'
            ? pieces(part, defaults.deltaSize).map((piece) => delta({ type: 'text_delta', text: piece }))
            : [part],
        ),
        stop(),
      ];
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...pieces(block.thinking, defaults.deltaSize).map((piece) =>
          delta({ type: 'thinking_delta', thinking: piece }),
        ),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop({ type: 'thinking', thinking: block.thinking, signature: block.signature }),
      ];
    case 'redacted':
      return [
        start({ type: 'redacted_thinking', data: block.data }),
        stop({ type: 'redacted_thinking', data: block.data }),
      ];
    case 'toolUse': {
      const id = block.id ?? defaults.toolUseId(index);
      // The real API opens with an empty delta, and sends only that for a tool without input.
      const at = block.held?.at ?? block.json.length;
      const inputs = block.json === '{}' ? [''] : ['', ...pieces(block.json.slice(0, at), defaults.deltaSize)];
      const later = pieces(block.json.slice(at), defaults.deltaSize);
      const input = (piece: string): StreamStep => delta({ type: 'input_json_delta', partial_json: piece });
      return [
        start({ type: 'tool_use', id, name: block.name, input: {} }),
        ...inputs.map(input),
        ...(block.held === undefined ? [] : [block.held.gate, ...later.map(input)]),
        ...(block.complete ? [stop({ type: 'tool_use', id })] : []),
      ];
    }
    case 'compaction':
      return [
        start({ type: 'compaction', content: null, encrypted_content: null }),
        delta({ type: 'compaction_delta', content: block.summary, encrypted_content: block.encrypted }),
        stop({ type: 'compaction', content: block.summary, encrypted: block.encrypted }),
      ];
    case 'serverToolUse':
      return [
        start({ type: 'server_tool_use', id: block.id, name: block.name, input: {} }),
        ...['', ...pieces(block.json, defaults.deltaSize)].map((piece) =>
          delta({ type: 'input_json_delta', partial_json: piece }),
        ),
        stop({ type: 'server', id: block.id, wire: JSON.stringify(wireBlock(block, index, defaults)) }),
      ];
    case 'raw': {
      const { type, tool_use_id: answered } = block.block;
      const isResult = type.endsWith('_tool_result') && typeof answered === 'string';
      return [
        start(block.block),
        stop(isResult ? { type: 'server', id: `result of ${answered}`, wire: JSON.stringify(block.block) } : undefined),
      ];
    }
  }
}

/** Splits by UTF-16 units, as the model's tokens do not: but never inside a surrogate pair, which JSON could not carry. */
function pieces(value: string, size: number): string[] {
  const result: string[] = [];
  let at = 0;
  while (at < value.length) {
    let end = Math.min(value.length, at + Math.max(1, size));
    const last = value.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < value.length) end += 1;
    result.push(value.slice(at, end));
    at = end;
  }
  return result;
}

function event(type: string, fields: Record<string, unknown>): StreamStep & { readonly kind: 'event' } {
  return { kind: 'event', type, wire: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n` };
}

function recordedSteps(recorded: string): StreamStep[] {
  const steps: StreamStep[] = [];
  // The separator stays with its event, so that the bytes are the recording's.
  for (const part of recorded.split(/(?<=\r\n\r\n|\n\n|\r\r)/)) {
    if (part === '') continue;
    steps.push({ kind: 'event', type: /^event: ?(.*?)\r?$/m.exec(part)?.[1] ?? '', wire: part });
  }
  return steps;
}
