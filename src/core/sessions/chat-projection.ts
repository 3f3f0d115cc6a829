// Turns what a session tells into what the chat shows: the only place that knows both.
import { type ApprovalCard, type ChatEvent, type ChatState, emptyUsage, type NoticeItem, type QueuedMessage, type ToolItem } from '../../shared/chat';
import { reduceEvents } from '../../shared/reduce-chat';
import { type SessionEvent } from '../agent/session-event';
import { contextTokens, modelFacts } from '../model/models';
import { type ToolResultBlock, type UserBlock } from '../model/wire';
import { type BackgroundItems, createBackgroundItems } from './background-items';
import { backgroundEndEvents } from './background-end-events';
import { type ClearedResults, createClearedResults } from './cleared-results';
import { type CompactionEvents, createCompactionEvents, runningId } from './compaction-events';
import { callsWithoutResult, missingResultText, type OpenCall } from './messages-from-records';
import { type AssistantRecord, type SessionRecord, type UserRecord } from './record';
import { approvalCard, changedCard, newToolItem, plainText, type ProjectionOptions, shorten, shortenView, shownDecision, viewOf } from './shown-parts';
import { sessionTitle } from './session-title';
import { budgetNotice, commandNotice, effortNotice, fallbackNotice, fastNotice, imagesNotice, logNotice, notSavedNotice, offlineNotice, retryId, retryNotice, sandboxNotice } from './event-notices';
import { goalEvents } from '../goal/goal-events';
import { createDisplayedTexts, type DisplayedTexts } from './displayed-texts';
import { type CitedTexts, createCitedTexts } from './cited-texts';
import { createGrowingInputs, type GrowingInputs } from './growing-inputs';
import { createServerCallItems, type ServerCallItems } from './server-call-items';
import { hookNotice } from './hook-notice';
import { slimView } from './slim-view';
import { mailNotice } from './mail-notice';
import { describeCall } from './describe-call';
import { createTaskEvents, type TaskEvents } from './task-events';
import { withColor } from './with-color';
import { withCost } from './usage-with-cost';
import { turnEndNotice } from './turn-end-notice';

export interface ChatProjection {
  /** Live: every event of the session, in order. */
  project(event: SessionEvent): ChatEvent[];
  /** A whole log at once. */
  replay(state: ChatState, records: readonly SessionRecord[]): ChatState;
  /** Behind the last record of a log that nobody writes any more: what is open there will not end by itself. */
  replayed(open: readonly OpenCall[]): ChatEvent[];
}

interface Projector extends ProjectionOptions {
  /** Messages whose blocks were shown while they streamed. */
  streamed: Set<string>;
  /** Text blocks without any text so far. */
  empty: Set<string>;
  toolOfBlock: Map<string, string>;
  calls: Map<string, { name: string; input: unknown }>;
  /** Blocks seen of each replayed message. */
  blocks: Map<string, number>;
  approvals: ApprovalCard[];
  queue: QueuedMessage[];
  usage: ChatState['usage'];
  titled: boolean;
  /** The card of a request that waits to be sent again, or was and has no answer yet. */
  waiting?: NoticeItem;
  cleared: ClearedResults;
  /** What hooks that run now say of themselves, by the hook's step. */
  hooks: Map<string, string>;
  /** Nothing of a reply comes: a sentence. */
  silence?: string;
  compactions: CompactionEvents;
  displayed: DisplayedTexts;
  cited: CitedTexts;
  growing: GrowingInputs;
  serverCalls: ServerCallItems;
  background: BackgroundItems;
  tasks: TaskEvents;
}

export function createChatProjection(options: ProjectionOptions): ChatProjection {
  const projector: Projector = {
    ...options,
    // They may change while the chat is open.
    get folders() {
      return options.folders;
    },
    streamed: new Set(),
    empty: new Set(),
    toolOfBlock: new Map(),
    calls: new Map(),
    blocks: new Map(),
    approvals: [],
    queue: [],
    usage: emptyUsage,
    titled: false,
    cleared: createClearedResults(),
    hooks: new Map(),
    background: createBackgroundItems(),
    displayed: createDisplayedTexts(),
    cited: createCitedTexts(),
    growing: createGrowingInputs((path) => shorten(path, options)),
    serverCalls: createServerCallItems(),
    tasks: createTaskEvents(),
    compactions: createCompactionEvents((contextTokens) => (projector.usage = { ...projector.usage, contextTokens })),
  };
  const replayed = (open: readonly OpenCall[]): ChatEvent[] => [
    ...open.map(({ toolUseId, cause }): ChatEvent => ({ type: 'tool', id: toolUseId, change: { state: 'stopped', message: missingResultText[cause] } })),
    ...projector.serverCalls.over(),
    { type: 'status', status: 'idle' },
  ];
  return {
    project: (event) => projectEvent(event, projector),
    replay(state, records) {
      const events = records.flatMap((record) => projectRecord(record, projector, false));
      return reduceEvents(state, [...events, ...replayed(callsWithoutResult(records))]);
    },
    replayed,
  };
}

function projectEvent(event: SessionEvent, projector: Projector): ChatEvent[] {
  switch (event.type) {
    case 'record':
      return projectRecord(event.record, projector, true);
    case 'block_started': {
      const messageId = event.id.slice(0, event.id.lastIndexOf(':'));
      projector.streamed.add(messageId);
      const { block } = event;
      const { goesOn, events: before } = projector.cited.begins(event.id, block);
      if (goesOn) return before;
      if (block.type === 'text' || block.type === 'thinking') {
        if (block.type === 'text') projector.empty.add(event.id);
        const text = block.type === 'text' ? block.text : block.thinking;
        return [...before, { type: 'item', item: { kind: block.type, id: event.id, text, streaming: true } }];
      }
      if (block.type === 'compaction') {
        projector.toolOfBlock.set(event.id, runningId);
        return [...before, ...projector.compactions.live('running')];
      }
      if (block.type !== 'tool_use') {
        // A result counts once it is in the log: a stream that breaks loses it.
        const shown = block.type === 'server_tool_use' ? projector.serverCalls.block(block) : [];
        const [item] = shown;
        if (item?.type === 'item') projector.toolOfBlock.set(event.id, item.item.id);
        return [...before, ...shown];
      }
      projector.toolOfBlock.set(event.id, block.id);
      projector.growing.started(event.id, block.id, projector.registry.find(block.name));
      return [...before, { type: 'item', item: newToolItem(block.id, block.name, undefined, projector) }];
    }
    case 'block_delta':
      projector.empty.delete(event.id);
      projector.cited.said(event.id, event.text);
      return [{ type: 'delta', id: projector.cited.itemOf(event.id), text: event.text }];
    case 'input_delta':
      return projector.growing.piece(event.id, event.json);
    case 'block_ended':
      if (projector.empty.delete(event.id)) return [{ type: 'remove', id: event.id }];
      return projector.cited.ends(event.id, event.durationMs);
    case 'block_dropped': {
      const tool = projector.toolOfBlock.get(event.id);
      if (tool !== undefined) projector.growing.over(tool);
      return projector.cited.dropped(event.id) ?? [{ type: 'remove', id: tool ?? event.id }];
    }
    case 'tool_state':
      return [{ type: 'tool', id: event.toolUseId, change: { state: event.state, startedAt: event.startedAt } }];
    case 'tool_progress':
      return progressEvents(event, projector);
    case 'approval_asked':
      // The approval shows the real diff.
      return [{ type: 'written', id: event.request.toolUseId }, ...approvalsChanged(projector, [...projector.approvals, approvalCard(event.request, projector)])];
    case 'approval_changed':
      projector.approvals = projector.approvals.map((card) => (card.id === event.requestId ? changedCard(card, event, projector) : card));
      return [{ type: 'approvals', approvals: projector.approvals }];
    case 'approval_settled':
      return approvalsChanged(projector, projector.approvals.filter(({ id }) => id !== event.requestId));
    case 'retry_waiting':
    case 'offline_waiting':
      projector.waiting = event.type === 'retry_waiting' ? retryNotice(event) : offlineNotice(event);
      return [
        { type: 'status', status: 'retrying' },
        { type: 'item', item: projector.waiting },
      ];
    case 'trying_again':
      return projector.waiting === undefined ? [] : [{ type: 'item', item: { ...projector.waiting, retryAt: 0 } }];
    case 'retry_over':
      delete projector.waiting;
      return [{ type: 'remove', id: retryId }, { type: 'status', status: 'working' }];
    case 'log_failed':
      return [{ type: 'item', item: logNotice(event.message) }];
    case 'fast_refused':
      return [{ type: 'item', item: fastNotice(event.message) }];
    case 'effort_lowered':
      return [{ type: 'item', item: effortNotice(event) }];
    case 'budget_unknown':
      return [{ type: 'item', item: budgetNotice(event.message) }];
    case 'sandbox_missing':
      return [{ type: 'item', item: sandboxNotice(event.reason) }];
    case 'hook_step':
      if (event.status === 'started') projector.hooks.set(event.id, event.statusMessage ?? `Running a ${event.event} hook…`);
      else projector.hooks.delete(event.id);
      return activityChanged(projector);
    case 'reply_silent':
      projector.silence = `Nothing has come for ${Math.round(event.ms / 1_000)} s…`;
      return activityChanged(projector);
    case 'reply_heard':
      delete projector.silence;
      return activityChanged(projector);
    case 'not_saved':
      return [{ type: 'item', item: notSavedNotice(event.message) }];
    case 'prompt_unsent':
    case 'team_calls':
      return [];
    case 'subagent_record':
      return agentEvents(event, projector);
    case 'teammate':
      return projector.background.idle(event.agentId, event.idle);
    case 'command_refused':
      return [{ type: 'item', item: commandNotice(event.message) }];
    case 'compaction':
      return projector.compactions.live(event.state, event.message);
    case 'turn_idle':
      return [...projector.cited.over(), { type: 'status', status: 'idle' }];
  }
}

function projectRecord(record: SessionRecord, projector: Projector, live: boolean): ChatEvent[] {
  switch (record.type) {
    case 'assistant':
      return assistantEvents(record, projector);
    case 'user':
      return userEvents(record, projector, live);
    case 'queue-operation':
      projector.queue =
        record.operation === 'enqueue'
          ? [...projector.queue, { id: record.messageId, text: record.display?.text ?? '' }]
          : projector.queue.filter(({ id }) => id !== record.messageId);
      return [{ type: 'queue', queue: projector.queue }];
    case 'custom-title':
    case 'ai-title':
      projector.titled = true;
      return [{ type: 'title', title: record.title }];
    case 'system':
      break;
    default:
      return [];
  }
  switch (record.subtype) {
    case 'reply_end': {
      projector.usage = {
        ...withCost(projector.usage, record),
        // A reply that only compacts has none of its own.
        contextTokens: contextTokens(record.usage) + record.usage.output_tokens || projector.usage.contextTokens,
        contextWindow: record.contextWindow ?? modelFacts(record.model).contextWindow,
      };
      return [...projector.cited.over(), { type: 'usage', usage: projector.usage }, ...projector.cleared.reply(record)];
    }
    case 'side_usage':
      projector.usage = withCost(projector.usage, record);
      return [{ type: 'usage', usage: projector.usage }];
    case 'turn_end': {
      const notice = turnEndNotice(record);
      return [...projector.serverCalls.over(), ...(notice === undefined ? [] : [{ type: 'item' as const, item: notice }])];
    }
    case 'setting':
      if (record.name === 'model') return [{ type: 'model', model: record.value }];
      return record.name === 'mode' ? [{ type: 'mode', mode: record.value as ChatState['mode'] }] : [];
    case 'background_end':
      return [...backgroundEndEvents(record, (toolUseId) => projector.calls.get(toolUseId)?.input), ...projector.background.ended(record)];
    case 'task_list':
      return projector.tasks.shared(record);
    case 'team_mail':
      return [{ type: 'item', item: mailNotice(record) }];
    case 'images_dropped':
      return [{ type: 'item', item: imagesNotice(record.uuid, record.message) }];
    case 'decision':
      return [{ type: 'tool', id: record.toolUseId, change: { decision: shownDecision(record, projector) } }];
    case 'goal':
      return goalEvents(record);
    case 'hook_notice':
      return [{ type: 'item', item: hookNotice(record) }];
    case 'message_display':
      return projector.displayed.shown(record);
    case 'worktrees_left':
      return [{ type: 'item', item: { kind: 'notice', id: record.uuid, level: 'info', title: 'Agents have left worktrees with changes.', detail: record.message } }];
    case 'prompt_blocked':
      return [{ type: 'item', item: { kind: 'user', id: record.uuid, steering: false, ...record.display } }];
    case 'compact_boundary':
    case 'compact_edited':
    case 'compact_undone':
      projector.cleared.compacted();
      return projector.compactions.record(record);
    case 'model_fallback':
      return [{ type: 'item', item: fallbackNotice(record) }];
    case 'offline':
    case 'reply_refused':
    case 'api_retry':
    case 'permission_update':
    case 'tool_started':
    case 'worktree':
    case 'result_stored':
      return [];
  }
}

function assistantEvents(record: AssistantRecord, projector: Projector): ChatEvent[] {
  const { id, content } = record.message;
  return content.flatMap((block): ChatEvent[] => {
    const index = projector.blocks.get(id) ?? 0;
    projector.blocks.set(id, index + 1);
    if (block.type === 'tool_use') {
      projector.calls.set(block.id, { name: block.name, input: block.input });
      const writing = projector.growing.over(block.id);
      const item = newToolItem(block.id, block.name, block.input, projector);
      return [{ type: 'item', item: writing === undefined || item.kind !== 'tool' ? item : { ...item, writing } }];
    }
    const call = projector.serverCalls.block(block);
    if (call.length > 0) return call;
    if (projector.streamed.has(id)) return block.type === 'text' ? projector.cited.recorded(id, block) : [];
    if (block.type === 'text') projector.displayed.seen(id, `${id}:${index}`);
    const texts = projector.cited.replayed(id, `${id}:${index}`, block);
    if (texts.length > 0 || block.type !== 'thinking') return texts;
    const duration = record.durationMs === undefined ? {} : { durationMs: record.durationMs };
    return [{ type: 'item', item: { kind: 'thinking', id: `${id}:${index}`, text: block.thinking, streaming: false, ...duration } }];
  });
}

/** What an agent in the background does: its last call, in words. */
function agentEvents({ agentId, record }: Extract<SessionEvent, { type: 'subagent_record' }>, projector: Projector): ChatEvent[] {
  if (record.type !== 'assistant') return [];
  const call = record.message.content.findLast((block) => block.type === 'tool_use');
  if (call === undefined) return [];
  const tool = projector.registry.find(call.name);
  return projector.background.doing(agentId, shorten(describeCall(tool, call.input)?.sentence.now ?? tool?.name ?? call.name, projector));
}

function userEvents(record: UserRecord, projector: Projector, live: boolean): ChatEvent[] {
  const { content } = record.message;
  const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const results = blocks.filter((block) => block.type === 'tool_result');
  if (results.length > 0) return results.flatMap((block) => resultEvents(block, record, projector));
  if (record.isMeta === true) return [];
  const display = record.display ?? {
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    attachments: [],
    images: blocks.filter((block) => block.type === 'image').length,
  };
  const events: ChatEvent[] = [{ type: 'item', item: { kind: 'user', id: record.uuid, steering: record.steering === true, ...display } }];
  if (!projector.titled) {
    projector.titled = true;
    events.push({ type: 'title', title: sessionTitle(display.text) });
  }
  if (live) events.push({ type: 'status', status: 'working' });
  return events;
}

function resultEvents(block: ToolResultBlock, record: UserRecord, projector: Projector): ChatEvent[] {
  const call = projector.calls.get(block.tool_use_id);
  const failed = block.is_error === true;
  const change: Partial<ToolItem> = { state: record.toolState ?? (failed ? 'failed' : 'done') };
  if (record.durationMs !== undefined) change.durationMs = record.durationMs;
  if (typeof record.toolUseResult === 'object' && record.toolUseResult !== null && call !== undefined) {
    const seen = viewOf(call, record.toolUseResult, projector);
    if (seen !== undefined) Object.assign(change, seen, withColor(record.toolUseResult));
  } else if (failed) {
    change.message = plainText(block);
  } else if (record.toolUseResult === undefined) {
    change.view = { kind: 'json', text: plainText(block) };
  }
  const todos = change.view?.kind === 'todo' ? projector.tasks.result(record.toolUseResult, change.view.items) : [];
  return [{ type: 'tool', id: block.tool_use_id, change }, ...todos, ...projector.background.result(record, block.tool_use_id, call?.input)];
}

function progressEvents(event: Extract<SessionEvent, { type: 'tool_progress' }>, projector: Projector): ChatEvent[] {
  const { progress, toolUseId: id } = event;
  if (progress.kind === 'text') return [{ type: 'tool', id, change: { detail: progress.text } }];
  if (progress.kind === 'view') return [{ type: 'tool', id, change: { detail: shorten(progress.text, projector), view: shortenView(slimView(progress.view), projector), ...withColor(progress) } }];
  const input = projector.calls.get(id)?.input;
  const command = typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
  const { tail, bytes } = progress.progress;
  return [{ type: 'tool', id, change: { view: slimView({ kind: 'terminal', command, state: 'running', tail, bytes }) } }];
}

function activityChanged({ hooks, silence = '' }: Projector): ChatEvent[] {
  return [{ type: 'activity', text: [...hooks.values()].at(-1) ?? silence }];
}

function approvalsChanged(projector: Projector, approvals: ApprovalCard[]): ChatEvent[] {
  projector.approvals = approvals;
  return [
    { type: 'approvals', approvals },
    { type: 'status', status: approvals.length > 0 ? 'waiting' : 'working' },
  ];
}
