// Turns what a session tells into what the chat shows: the only place that knows both.
import { type ApprovalCard, type ChatEvent, type ChatState, emptyUsage } from '../../shared/chat';
import { reduceEvents } from '../../shared/reduce-chat';
import { type SessionEvent } from '../events/session-event';
import { createBackgroundItems } from './background-items';
import { createClearedResults } from './cleared-results';
import { createCompactionEvents, runningId } from './compaction-events';
import { callsWithoutResult, missingResultText, type OpenCall } from '../sessions/messages-from-records';
import { type SessionRecord } from '../ports/record';
import { approvalCard, changedCard, newToolItem, type ProjectionOptions, shorten, shortenView } from './shown-parts';
import {
  budgetNotice,
  commandNotice,
  effortNotice,
  fastNotice,
  logNotice,
  notSavedNotice,
  offlineNotice,
  retryId,
  retryNotice,
  sandboxNotice,
} from './event-notices';
import { createDisplayedTexts } from './displayed-texts';
import { createCitedTexts } from './cited-texts';
import { createGrowingInputs } from './growing-inputs';
import { createServerCallItems } from './server-call-items';
import { slimView } from '../sessions/slim-view';
import { describeCall } from './describe-call';
import { createTaskEvents } from './task-events';
import { withColor } from './with-color';
import { projectRecord } from './projected-records';
import { type Projector } from './projector';

export interface ChatProjection {
  /** Live: every event of the session, in order. */
  project(event: SessionEvent): ChatEvent[];
  /** A whole log at once. */
  replay(state: ChatState, records: readonly SessionRecord[]): ChatState;
  /** Behind the last record of a log that nobody writes any more: what is open there will not end by itself. */
  replayed(open: readonly OpenCall[]): ChatEvent[];
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
    ...open.map(({ toolUseId, cause }): ChatEvent => ({
      type: 'tool',
      id: toolUseId,
      change: { state: 'stopped', message: missingResultText[cause] },
    })),
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
      return [
        { type: 'written', id: event.request.toolUseId },
        ...approvalsChanged(projector, [...projector.approvals, approvalCard(event.request, projector)]),
      ];
    case 'approval_changed':
      projector.approvals = projector.approvals.map((card) =>
        card.id === event.requestId ? changedCard(card, event, projector) : card,
      );
      return [{ type: 'approvals', approvals: projector.approvals }];
    case 'approval_settled':
      return approvalsChanged(
        projector,
        projector.approvals.filter(({ id }) => id !== event.requestId),
      );
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
      return [
        { type: 'remove', id: retryId },
        { type: 'status', status: 'working' },
      ];
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
      if (event.status === 'started')
        projector.hooks.set(event.id, event.statusMessage ?? `Running a ${event.event} hook…`);
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

/** What an agent in the background does: its last call, in words. */
function agentEvents(
  { agentId, record }: Extract<SessionEvent, { type: 'subagent_record' }>,
  projector: Projector,
): ChatEvent[] {
  if (record.type !== 'assistant') return [];
  const call = record.message.content.findLast((block) => block.type === 'tool_use');
  if (call === undefined) return [];
  const tool = projector.registry.find(call.name);
  return projector.background.doing(
    agentId,
    shorten(describeCall(tool, call.input)?.sentence.now ?? tool?.name ?? call.name, projector),
  );
}

function progressEvents(event: Extract<SessionEvent, { type: 'tool_progress' }>, projector: Projector): ChatEvent[] {
  const { progress, toolUseId: id } = event;
  if (progress.kind === 'text') return [{ type: 'tool', id, change: { detail: progress.text } }];
  if (progress.kind === 'view')
    return [
      {
        type: 'tool',
        id,
        change: {
          detail: shorten(progress.text, projector),
          view: shortenView(slimView(progress.view), projector),
          ...withColor(progress),
        },
      },
    ];
  const input = projector.calls.get(id)?.input;
  const command = typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '';
  const { tail, bytes } = progress.progress;
  return [
    { type: 'tool', id, change: { view: slimView({ kind: 'terminal', command, state: 'running', tail, bytes }) } },
  ];
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
