// Streams one reply: records each block as it finishes, starts its calls, and keeps what is whole when the stream breaks.
import { defined } from '../../shared/defined';
import { isAbort } from '../text/errors';
import { clearedBy, compactionUsage } from '../wire/context-edits';
import { priceFacts, replyFacts } from './reply-facts';
import { createReplyAssembler, type ReplyAssembler } from '../model/reply-assembler';
import { isSameModel } from '../model/thinking';
import { toolUseIdsOf } from '../model/unique-tool-ids';
import { type AssistantBlock, type ModelRequest, type StopReason, type ToolUseBlock } from '../wire/wire';
import { type Clock } from '../ports/clock';
import { type ModelClient } from '../ports/model';
import { type RecordWriter } from '../events/record-writer';
import { type Emit } from '../events/session-event';
import { watchSilence } from './silence';
import { type ToolCall } from '../calls/tool-call';

export interface StreamServices {
  model: ModelClient;
  clock: Clock;
  writer: RecordWriter;
  emit: Emit;
  /** Ids that earlier replies of the log have. */
  takenReplies: () => ReadonlySet<string>;
  /** Milliseconds without anything of a reply after which the user is notified; undefined for never. */
  silenceMs?: number;
  /** A call's block has stopped: it may start. */
  callReady: (call: ToolCall) => void;
}

export type ReplyOutcome =
  | {
      kind: 'complete';
      stopReason: StopReason | null;
      stopDetails?: unknown;
      calls: number;
      hasContent: boolean;
      brokenCall: boolean;
      messageId: string;
      /** A call of one of the API's own tools has no result yet. */ openServerCall: boolean;
    }
  /** The stream broke. `kept` says whether finished text or calls were recorded. */
  | { kind: 'broken'; error: unknown; kept: boolean; calls: number }
  | { kind: 'aborted' };

export async function streamReply(
  request: ModelRequest,
  services: StreamServices,
  signal: AbortSignal,
): Promise<ReplyOutcome> {
  const reply = createReplyAssembler(
    toolUseIdsOf(request.messages),
    { messageId: `msg_${services.clock.now()}_${request.messages.length}`, model: request.model },
    services.takenReplies(),
  );
  const state: ReplyProgress = {
    requested: request.model,
    thinking: [],
    suspect: undefined,
    recorded: 0,
    calls: 0,
    serverCalls: new Set(),
    blockStart: new Map(),
    request,
    began: services.clock.now(),
  };
  let stopDetails: unknown;
  const { silenceMs } = services;
  const silence = watchSilence(services.clock, silenceMs, (silent) =>
    services.emit(silent ? { type: 'reply_silent', ms: silenceMs ?? 0 } : { type: 'reply_heard' }),
  );
  try {
    for await (const event of services.model.stream(request, signal, silence.heard)) {
      silence.heard();
      for (const step of reply.accept(event)) {
        if (step.type === 'block_started') startBlock(step.index, step.block, reply, state, services);
        else if (step.type === 'text')
          services.emit({ type: 'block_delta', id: blockId(reply, step.index), text: step.text });
        else if (step.type === 'input')
          services.emit({ type: 'input_delta', id: blockId(reply, step.index), json: step.json });
        else if (step.type === 'block_ended') endBlock(step, reply, state, services);
        else if (step.type === 'ended') stopDetails = step.stopDetails;
      }
    }
  } catch (error) {
    if (signal.aborted || isAbort(error)) {
      endOpenBlocks(reply, state, services);
      dropBlocks(unrecorded(state), reply, services);
      writeReplyEnd(reply, state, services);
      return { kind: 'aborted' };
    }
    dropBlocks([...reply.open(), ...unrecorded(state)], reply, services);
    if (state.recorded > 0) writeReplyEnd(reply, state, services);
    else writeLoss(reply, state, services);
    return { kind: 'broken', error, kept: state.recorded > 0, calls: state.calls };
  } finally {
    silence.stop();
  }
  const cutCall = endOpenBlocks(reply, state, services);
  // A call that the output limit cut is requested again with more room; any other unreadable input is for the model to fix.
  const brokenCall = reply.stopReason === 'max_tokens' && (cutCall || state.suspect !== undefined);
  if (brokenCall && state.suspect !== undefined) dropBlocks([state.suspect], reply, services);
  else flushSuspect(reply, state, services);
  flushThinking(reply, state, services);
  writeReplyEnd(reply, state, services);
  return {
    kind: 'complete',
    stopReason: reply.stopReason,
    ...defined({ stopDetails }),
    calls: state.calls,
    hasContent: state.recorded > 0,
    brokenCall,
    messageId: reply.messageId,
    openServerCall: state.serverCalls.size > 0,
  };
}

interface ReplyProgress {
  /** The model that was asked. */
  requested: string;
  /** Finished thinking that waits for text or a call: on its own it is worth nothing to the next request. */
  thinking: { index: number; block: AssistantBlock; durationMs: number }[];
  /** Text and call blocks in the log. */
  recorded: number;
  calls: number;
  /** Calls of the API's own tools, until their result comes. */
  serverCalls: Set<string>;
  /** A call whose input could not be read; judged once the stop reason is known. */
  suspect: { index: number; block: ToolUseBlock; inputError: string; durationMs: number } | undefined;
  blockStart: Map<number, number>;
  request: ModelRequest;
  began: number;
}

function startBlock(
  index: number,
  block: AssistantBlock,
  reply: ReplyAssembler,
  state: ReplyProgress,
  services: StreamServices,
): void {
  state.blockStart.set(index, services.clock.now());
  services.emit({ type: 'block_started', id: blockId(reply, index), block });
}

interface EndedBlock {
  index: number;
  block: AssistantBlock;
  inputError?: string | undefined;
}

function endBlock(
  { index, block, inputError }: EndedBlock,
  reply: ReplyAssembler,
  state: ReplyProgress,
  services: StreamServices,
): void {
  // The API refuses empty text in a later request.
  if (block.type === 'text' && block.text.trim() === '') return dropBlocks([{ index }], reply, services);
  const durationMs = services.clock.now() - (state.blockStart.get(index) ?? services.clock.now());
  services.emit({ type: 'block_ended', id: blockId(reply, index), durationMs });
  if (block.type === 'thinking' || block.type === 'redacted_thinking') {
    state.thinking.push({ index, block, durationMs });
    return;
  }
  flushSuspect(reply, state, services);
  if (block.type === 'tool_use' && inputError !== undefined) {
    state.suspect = { index, block, inputError, durationMs };
    return;
  }
  recordBlock({ block, inputError, durationMs }, reply, state, services);
}

function recordBlock(
  { block, inputError, durationMs }: Omit<EndedBlock, 'index'> & { durationMs: number },
  reply: ReplyAssembler,
  state: ReplyProgress,
  services: StreamServices,
): void {
  flushThinking(reply, state, services);
  writeBlock(block, reply, state, services, durationMs);
  state.recorded++;
  if (block.type === 'server_tool_use') state.serverCalls.add(String(block['id']));
  else if ('tool_use_id' in block) state.serverCalls.delete(String(block['tool_use_id']));
  if (block.type !== 'tool_use') return;
  state.calls++;
  services.callReady({
    id: block.id,
    name: block.name,
    input: block.input,
    ...defined({ inputError }),
  });
}

function flushSuspect(reply: ReplyAssembler, state: ReplyProgress, services: StreamServices): void {
  const { suspect } = state;
  if (suspect === undefined) return;
  state.suspect = undefined;
  recordBlock(suspect, reply, state, services);
}

function unrecorded({ thinking, suspect }: ReplyProgress): { index: number }[] {
  return suspect === undefined ? thinking : [...thinking, suspect];
}

function flushThinking(reply: ReplyAssembler, state: ReplyProgress, services: StreamServices): void {
  for (const { block, durationMs } of state.thinking) writeBlock(block, reply, state, services, durationMs);
  state.thinking = [];
}

function writeBlock(
  block: AssistantBlock,
  reply: ReplyAssembler,
  { requested }: ReplyProgress,
  services: StreamServices,
  durationMs: number,
): void {
  services.writer.write({
    type: 'assistant',
    message: { id: reply.messageId, role: 'assistant', model: reply.model, content: [block], stop_reason: null },
    ...(isSameModel(requested, reply.model) ? {} : { requestedModel: requested }),
    durationMs,
  });
}

/** What the user has read stays in the conversation when they stop. True where a call was cut: what is left of it is dropped. */
function endOpenBlocks(reply: ReplyAssembler, state: ReplyProgress, services: StreamServices): boolean {
  let cutCall = false;
  for (const { index, block } of reply.open()) {
    if (block.type === 'text') endBlock({ index, block }, reply, state, services);
    else dropBlocks([{ index }], reply, services);
    cutCall ||= block.type === 'tool_use';
  }
  return cutCall;
}

function dropBlocks(blocks: readonly { index: number }[], reply: ReplyAssembler, services: StreamServices): void {
  for (const { index } of blocks) services.emit({ type: 'block_dropped', id: blockId(reply, index) });
}

function writeReplyEnd(reply: ReplyAssembler, { request, began }: ReplyProgress, services: StreamServices): void {
  if (reply.messageId === '') return;
  // Not in the reply's own counts.
  const compacting = compactionUsage(reply.iterations, reply.usage.speed);
  if (compacting !== undefined)
    services.writer.write({
      type: 'system',
      subtype: 'side_usage',
      model: reply.model,
      usage: compacting,
      whom: 'Compaction by the API',
      ...priceFacts(request.model, services.model),
    });
  const cleared = clearedBy(request, reply.contextManagement);
  services.writer.write({
    type: 'system',
    subtype: 'reply_end',
    messageId: reply.messageId,
    stopReason: reply.stopReason,
    usage: { ...reply.usage },
    model: reply.model,
    durationMs: services.clock.now() - began,
    ...defined({ cleared }),
    ...replyFacts(request.model, reply.model, services.model),
  });
}

/** Nothing of it is in the conversation, but what it took is paid for: with each try the whole input. */
function writeLoss(reply: ReplyAssembler, { request }: ReplyProgress, services: StreamServices): void {
  if (reply.messageId === '') return;
  services.writer.write({
    type: 'system',
    subtype: 'side_usage',
    model: reply.model,
    usage: { ...reply.usage },
    whom: 'Broken reply',
    ...priceFacts(request.model, services.model),
  });
}

function blockId(reply: ReplyAssembler, index: number): string {
  return `${reply.messageId}:${index}`;
}
