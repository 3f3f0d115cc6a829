// Turns what a session reports into what the chat shows: the only place that knows both.
import { type ApprovalCard, type ChatEvent, type ChatItem, type ChatState, emptyUsage } from '../../shared/chat';
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
import { slimView } from '../../shared/view-kinds';
import { describeCall } from './describe-call';
import { createTaskEvents } from './task-events';
import { createLedgerEvents } from './ledger-events';
import { withColor } from './with-color';
import { projectRecord } from './projected-records';
import { type Projector } from './projector';

export interface ChatProjection {
  /** Live: every event of the session, in order. */
  project(event: SessionEvent): ChatEvent[];
  /** A whole log at once. */
  replay(state: ChatState, records: readonly SessionRecord[]): ChatState;
  /** After the last record of a log that nobody writes any more: what is open there will not end by itself. */
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
    waits: {},
    background: createBackgroundItems(),
    displayed: createDisplayedTexts(),
    cited: createCitedTexts(),
    growing: createGrowingInputs((path) => shorten(path, options)),
    serverCalls: createServerCallItems(),
    ofTurn: { tasks: createTaskEvents(), ledger: createLedgerEvents(options, (text) => shorten(text, options)) },
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

type Shown = {
  [Type in SessionEvent['type']]: (event: Extract<SessionEvent, { type: Type }>, projector: Projector) => ChatEvent[];
};

function projectEvent(event: SessionEvent, projector: Projector): ChatEvent[] {
  const show = shown[event.type] as (event: SessionEvent, projector: Projector) => ChatEvent[];
  return show(event, projector);
}

const item = (notice: ChatItem): ChatEvent[] => [{ type: 'item', item: notice }];

/** What the chat shows of each event. */
const shown: Shown = {
  record: ({ record }, projector) => projectRecord(record, projector, true),
  block_started: blockStarted,
  block_delta: ({ id, text }, projector) => {
    projector.empty.delete(id);
    projector.cited.said(id, text);
    return [{ type: 'delta', id: projector.cited.itemOf(id), text }];
  },
  input_delta: ({ id, json }, { growing }) => growing.piece(id, json),
  block_ended: ({ id, durationMs }, { empty, cited }) =>
    empty.delete(id) ? [{ type: 'remove', id }] : cited.ends(id, durationMs),
  block_dropped: ({ id }, { toolOfBlock, growing, cited }) => {
    const tool = toolOfBlock.get(id);
    if (tool !== undefined) growing.over(tool);
    return cited.dropped(id) ?? [{ type: 'remove', id: tool ?? id }];
  },
  tool_state: ({ toolUseId: id, state, startedAt }) => [{ type: 'tool', id, change: { state, startedAt } }],
  tool_progress: progressEvents,
  approval_asked: ({ request }, projector) => [
    // The approval shows the real diff.
    { type: 'written', id: request.toolUseId },
    ...approvalsChanged(projector, [...projector.approvals, approvalCard(request, projector)]),
  ],
  approval_changed: (event, projector) => {
    projector.approvals = projector.approvals.map((card) =>
      card.id === event.requestId ? changedCard(card, event, projector) : card,
    );
    return [{ type: 'approvals', approvals: projector.approvals }];
  },
  approval_settled: ({ requestId }, projector) =>
    approvalsChanged(
      projector,
      projector.approvals.filter(({ id }) => id !== requestId),
    ),
  retry_waiting: (event, projector) => waitingFor(retryNotice(event), projector),
  offline_waiting: (event, projector) => waitingFor(offlineNotice(event), projector),
  trying_again: (_event, { waiting }) => (waiting === undefined ? [] : item({ ...waiting, retryAt: 0 })),
  retry_over: (_event, projector) => {
    delete projector.waiting;
    return [
      { type: 'remove', id: retryId },
      { type: 'status', status: 'working' },
    ];
  },
  log_failed: ({ message }) => item(logNotice(message)),
  fast_refused: ({ message }) => item(fastNotice(message)),
  effort_lowered: (event) => item(effortNotice(event)),
  budget_unknown: ({ message }) => item(budgetNotice(message)),
  sandbox_missing: ({ reason }) => item(sandboxNotice(reason)),
  hook_step: (event, projector) => {
    if (event.status === 'started')
      projector.hooks.set(event.id, event.statusMessage ?? `Running a ${event.event} hook…`);
    else projector.hooks.delete(event.id);
    return activityChanged(projector);
  },
  reply_silent: ({ ms }, projector) => {
    projector.waits.silence = `No data for ${Math.round(ms / 1_000)} s…`;
    return activityChanged(projector);
  },
  reply_heard: (_event, projector) => {
    delete projector.waits.silence;
    return activityChanged(projector);
  },
  servers_awaited: ({ names }, projector) => {
    projector.waits.servers = `Waiting for MCP ${names.length === 1 ? 'server' : 'servers'} ${names.join(', ')}…`;
    return activityChanged(projector);
  },
  servers_settled: (_event, projector) => {
    delete projector.waits.servers;
    return activityChanged(projector);
  },
  not_saved: ({ message }) => item(notSavedNotice(message)),
  prompt_unsent: () => [],
  team_calls: () => [],
  subagent_record: agentEvents,
  teammate: ({ agentId, idle }, { background }) => background.idle(agentId, idle),
  command_refused: ({ message }) => item(commandNotice(message)),
  compaction: ({ state, message }, { compactions }) => compactions.live(state, message),
  turn_idle: (_event, { cited }) => [...cited.over(), { type: 'status', status: 'idle' }],
};

function blockStarted(
  { id, block }: Extract<SessionEvent, { type: 'block_started' }>,
  projector: Projector,
): ChatEvent[] {
  projector.streamed.add(id.slice(0, id.lastIndexOf(':')));
  const { goesOn, events: before } = projector.cited.begins(id, block);
  if (goesOn) return before;
  if (block.type === 'text' || block.type === 'thinking') {
    if (block.type === 'text') projector.empty.add(id);
    const text = block.type === 'text' ? block.text : block.thinking;
    return [...before, { type: 'item', item: { kind: block.type, id, text, streaming: true } }];
  }
  if (block.type === 'compaction') {
    projector.toolOfBlock.set(id, runningId);
    return [...before, ...projector.compactions.live('running')];
  }
  if (block.type !== 'tool_use') {
    // A result counts once it is in the log: a stream that breaks loses it.
    const call = block.type === 'server_tool_use' ? projector.serverCalls.block(block) : [];
    const [first] = call;
    if (first?.type === 'item') projector.toolOfBlock.set(id, first.item.id);
    return [...before, ...call];
  }
  projector.toolOfBlock.set(id, block.id);
  projector.growing.started(id, block.id, projector.registry.find(block.name));
  return [...before, { type: 'item', item: newToolItem(block.id, block.name, undefined, projector) }];
}

function waitingFor(notice: NonNullable<Projector['waiting']>, projector: Projector): ChatEvent[] {
  projector.waiting = notice;
  return [{ type: 'status', status: 'retrying' }, ...item(notice)];
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

function activityChanged({ hooks, waits: { servers, silence = '' } }: Projector): ChatEvent[] {
  return [{ type: 'activity', text: [...hooks.values()].at(-1) ?? servers ?? silence }];
}

function approvalsChanged(projector: Projector, approvals: ApprovalCard[]): ChatEvent[] {
  projector.approvals = approvals;
  return [
    { type: 'approvals', approvals },
    { type: 'status', status: approvals.length > 0 ? 'waiting' : 'working' },
  ];
}
