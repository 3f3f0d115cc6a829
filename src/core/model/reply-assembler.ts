// Puts a reply together from its stream: pure accumulation, tool input parsed when its block stops.
import { defined } from '../../shared/defined';
import { acceptedToolName, takeToolUseId } from './unique-tool-ids';
import { addUsage, noUsage } from './usage';
import {
  type AssistantBlock,
  type ContentDelta,
  type OpaqueBlock,
  type StopReason,
  type StreamEvent,
  type UnknownDelta,
  type Usage,
} from '../wire/wire';

export type ReplyStep =
  | { type: 'started'; messageId: string; model: string }
  | { type: 'block_started'; index: number; block: AssistantBlock }
  | { type: 'text'; index: number; text: string }
  /** A piece of a call's input as it is written: not whole, and perhaps never valid. */
  | { type: 'input'; index: number; json: string }
  /** `inputError` is set on a tool_use whose input is not JSON object; its input is then `{}`. */
  | { type: 'block_ended'; index: number; block: AssistantBlock; inputError?: string }
  | { type: 'ended'; stopReason: StopReason | null; stopDetails?: unknown };

export interface ReplyAssembler {
  readonly messageId: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason | null;
  /** What `context_management` has cleared, as the API says it. */
  readonly contextManagement: unknown;
  /** `usage.iterations`, as the API says them. */
  readonly iterations: unknown;
  /** message_stop arrived: the reply is whole. */
  readonly complete: boolean;
  /** The blocks that have started and not stopped. */
  open(): { index: number; block: AssistantBlock }[];
  accept(event: StreamEvent): ReplyStep[];
}

interface OpenBlock {
  block: AssistantBlock;
  json: string;
}

/** For a server that does not say them in `message_start`; its id also for one that says the id of an earlier reply. */
export interface UnsaidFacts {
  messageId: string;
  /** The model that was asked. */
  model: string;
}

/** `takenIds` are those of earlier calls; a call that repeats one, as some gateways do, gets a fresh id, which is added. `takenReplies`: the same for replies; none is added. */
export function createReplyAssembler(
  takenIds = new Set<string>(),
  unsaid: UnsaidFacts = { messageId: 'msg', model: '' },
  takenReplies: ReadonlySet<string> = new Set(),
): ReplyAssembler {
  const blocks = new Map<number, OpenBlock>();
  const usage = noUsage();
  const state = {
    messageId: '',
    model: '',
    stopReason: null as StopReason | null,
    stopDetails: undefined as unknown,
    contextManagement: undefined as unknown,
    iterations: undefined as unknown,
    complete: false,
  };

  const accept = (event: StreamEvent): ReplyStep[] => {
    switch (event.type) {
      case 'message_start':
        state.messageId = freeReplyId(said(event.message.id), unsaid.messageId, takenReplies);
        state.model = said(event.message.model) ?? unsaid.model;
        addUsage(usage, event.message.usage);
        return [{ type: 'started', messageId: state.messageId, model: state.model }];
      case 'content_block_start': {
        const block = begun({ ...event.content_block });
        if (block.type === 'tool_use') {
          block.id = takeToolUseId(block.id, takenIds);
          block.name = acceptedToolName(block.name);
        }
        // From here on another model answers.
        if (block.type === 'fallback') state.model = fallbackModel(block) ?? state.model;
        blocks.set(event.index, { block, json: '' });
        return [{ type: 'block_started', index: event.index, block }];
      }
      case 'content_block_delta': {
        const open = blocks.get(event.index);
        if (open === undefined) return [];
        const text = applyDelta(open, event.delta);
        if (text !== '') return [{ type: 'text', index: event.index, text }];
        const { delta } = event;
        const json = delta.type === 'input_json_delta' ? joined(delta.partial_json) : '';
        return json !== '' && open.block.type === 'tool_use' ? [{ type: 'input', index: event.index, json }] : [];
      }
      case 'content_block_stop': {
        const open = blocks.get(event.index);
        if (open === undefined) return [];
        blocks.delete(event.index);
        return [{ type: 'block_ended', index: event.index, ...finish(open) }];
      }
      case 'message_delta':
        state.stopReason = event.delta.stop_reason ?? state.stopReason;
        state.stopDetails = event.delta.stop_details;
        addUsage(usage, event.usage);
        state.contextManagement = event.context_management ?? state.contextManagement;
        state.iterations = 'iterations' in event.usage ? event.usage.iterations : state.iterations;
        return [];
      case 'message_stop':
        state.complete = true;
        return [
          {
            type: 'ended',
            stopReason: state.stopReason,
            ...defined({ stopDetails: state.stopDetails }),
          },
        ];
    }
  };

  return {
    get messageId() {
      return state.messageId;
    },
    get model() {
      return state.model;
    },
    get stopReason() {
      return state.stopReason;
    },
    get contextManagement() {
      return state.contextManagement;
    },
    get iterations() {
      return state.iterations;
    },
    get complete() {
      return state.complete;
    },
    usage,
    open: () => [...blocks].map(([index, { block }]) => ({ index, block })),
    accept,
  };
}

/** Everything of a reply is known by its id: two of them under one would be one reply in the chat and in the history. */
function freeReplyId(id: string | undefined, own: string, taken: ReadonlySet<string>): string {
  if (id !== undefined && !taken.has(id)) return id;
  let free = own;
  for (let count = 2; taken.has(free); count++) free = `${own}_${count}`;
  return free;
}

/** The text that a server sent, whatever its types promise. */
function said(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function begun(block: AssistantBlock): AssistantBlock {
  if (block.type === 'text') block.text = joined(block.text);
  if (block.type !== 'thinking') return block;
  return { ...block, thinking: joined(block.thinking), signature: joined(block.signature) };
}

/** A gateway may leave out what is empty. */
function joined(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string').join('');
}

/** Returns the text to show, if any. */
function applyDelta(open: OpenBlock, delta: ContentDelta): string {
  const { block } = open;
  switch (delta.type) {
    case 'text_delta':
      if (block.type !== 'text') return continueUnknown(block, delta);
      block.text = joined(block.text, delta.text);
      return joined(delta.text);
    case 'thinking_delta':
      if (block.type !== 'thinking') return continueUnknown(block, delta);
      block.thinking = joined(block.thinking, delta.thinking);
      return joined(delta.thinking);
    case 'signature_delta':
      if (block.type !== 'thinking') return continueUnknown(block, delta);
      // Whole in one event today; appended in case that it ever comes in parts.
      block.signature = joined(block.signature, delta.signature);
      return '';
    case 'input_json_delta':
      open.json = joined(open.json, delta.partial_json);
      return '';
    case 'compaction_delta':
      // The whole of it in one event; null where the compaction failed.
      if (block.type === 'compaction') {
        block['content'] = delta.content;
        if ('encrypted_content' in delta) block['encrypted_content'] = delta.encrypted_content;
      }
      return '';
    case 'citations_delta':
      if (block.type === 'text') block.citations = [...(block.citations ?? []), delta.citation];
      return '';
    default:
      return continueUnknown(block, delta);
  }
}

const knownKinds: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction']);

/**
 * A block of a kind that Deft does not know goes back to the API whole: texts and lists continue those of the block, other fields are
 * set. Shows nothing.
 */
function continueUnknown(block: AssistantBlock, delta: ContentDelta | UnknownDelta): '' {
  if (knownKinds.has(block.type)) return '';
  const fields = block as Record<string, unknown>;
  for (const [name, more] of Object.entries(delta)) {
    if (name === 'type') continue;
    const begun = fields[name];
    if (typeof begun === 'string' && typeof more === 'string') fields[name] = begun + more;
    else if (Array.isArray(begun) && Array.isArray(more))
      fields[name] = [...(begun as unknown[]), ...(more as unknown[])];
    else fields[name] = more;
  }
  return '';
}

function finish({ block, json }: OpenBlock): { block: AssistantBlock; inputError?: string } {
  const takesInput = block.type === 'tool_use' || block.type === 'server_tool_use' || 'input' in block;
  // A field that a block does not have would be sent with every later request.
  if (!takesInput) return { block };
  // Without deltas the input is what the block started with, which is `{}` for a tool without arguments.
  if (json === '') return withObjectInput(block, (block as { input?: unknown }).input);
  try {
    const input: unknown = JSON.parse(json);
    // Encoded twice, as some gateways and models do.
    return withObjectInput(
      block,
      typeof input === 'string' && input.trimStart().startsWith('{') ? JSON.parse(input) : input,
    );
  } catch (error) {
    return {
      block: { ...block, input: {} } as AssistantBlock,
      inputError: `the input is not valid JSON (${(error as Error).message})`,
    };
  }
}

function withObjectInput(block: AssistantBlock, input: unknown): { block: AssistantBlock; inputError?: string } {
  if (isDeeperThan(input, maxDepth))
    return {
      block: { ...block, input: {} } as AssistantBlock,
      inputError: `the input is nested deeper than ${maxDepth} levels`,
    };
  if (typeof input === 'object' && input !== null && !Array.isArray(input))
    return { block: { ...block, input } as AssistantBlock };
  return { block: { ...block, input: {} } as AssistantBlock, inputError: 'the input is not a JSON object' };
}

/** Deeper input would overflow the stack of whatever walks through it. */
const maxDepth = 1_000;

/** Level by level: a walk that calls itself would overflow. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level = [value].filter(isParent);
  for (let deep = 0; level.length > 0; deep++) {
    if (deep >= depth) return true;
    level = level.flatMap((parent) => Object.values(parent).filter(isParent));
  }
  return false;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fallbackModel(block: OpaqueBlock): string | undefined {
  const { to } = block as { to?: { model?: unknown } | null };
  return typeof to?.model === 'string' ? to.model : undefined;
}
