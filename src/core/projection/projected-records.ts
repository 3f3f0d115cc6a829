// What the chat shows of each record: while it is written, and when a log is read again.
import { defined } from '../../shared/defined';
import { type ChatEvent, type ChatItem, type ChatState, type ToolItem } from '../../shared/chat';
import { contextTokens, modelFacts } from '../model/models';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { backgroundEndEvents } from './background-end-events';
import { type AssistantRecord, type SessionRecord, type SystemRecord, type UserRecord } from '../ports/record';
import { newToolItem, plainText, shownDecision, viewOf, shorten } from './shown-parts';
import { visibleText } from '../../shared/visible-text';
import { failureWords } from './failure-words';
import { sessionTitle } from '../sessions/session-title';
import { fallbackNotice, imagesNotice } from './event-notices';
import { hookNotice } from './hook-notice';
import { mailNotice } from './mail-notice';
import { featureRecords } from '../features/shown-features';
import { withColor } from './with-color';
import { withCost } from './usage-with-cost';
import { turnEndNotice } from '../sessions/turn-end-notice';
import { type Projector } from './projector';

/** What the chat shows of one more record; `live` where it is written now. */
export function projectRecord(record: SessionRecord, projector: Projector, live: boolean): ChatEvent[] {
  const marks = projector.ofTurn.ledger.add(record);
  const events = recordEvents(record, projector, live);
  return marks.length === 0 ? events : [...events, ...marks];
}

function recordEvents(record: SessionRecord, projector: Projector, live: boolean): ChatEvent[] {
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
      return (shown[record.subtype] as (record: SystemRecord, projector: Projector) => ChatEvent[])(record, projector);
    default:
      return [];
  }
}

type Shown = {
  [Subtype in SystemRecord['subtype']]: (
    record: Extract<SystemRecord, { subtype: Subtype }>,
    projector: Projector,
  ) => ChatEvent[];
};

const item = (shownItem: ChatItem): ChatEvent[] => [{ type: 'item', item: shownItem }];
const nothing = (): ChatEvent[] => [];

const compacted = (
  record: Extract<SystemRecord, { subtype: 'compact_boundary' | 'compact_edited' | 'compact_undone' }>,
  { cleared, compactions }: Projector,
): ChatEvent[] => {
  cleared.compacted();
  return compactions.record(record);
};

/** What the chat shows of each record that is not a message. */
const shown: Shown = {
  reply_end: (record, projector) => {
    projector.usage = {
      ...withCost(projector.usage, record),
      // A reply that only compacts has none of its own.
      contextTokens: contextTokens(record.usage) + record.usage.output_tokens || projector.usage.contextTokens,
      contextWindow: record.contextWindow ?? modelFacts(record.model).contextWindow,
    };
    return [...projector.cited.over(), { type: 'usage', usage: projector.usage }, ...projector.cleared.reply(record)];
  },
  side_usage: (record, projector) => {
    projector.usage = withCost(projector.usage, record);
    return [{ type: 'usage', usage: projector.usage }];
  },
  turn_end: (record, { serverCalls, ofTurn: { ledger } }) => {
    const notice = turnEndNotice(record);
    return [...serverCalls.over(), ...ledger.ended(record.uuid), ...(notice === undefined ? [] : item(notice))];
  },
  setting: ({ name, value }) => {
    if (name === 'model') return [{ type: 'model', model: value }];
    return name === 'mode' ? [{ type: 'mode', mode: value as ChatState['mode'] }] : [];
  },
  background_end: (record, { calls, background, ofTurn: { ledger } }) => [
    ...backgroundEndEvents(record, (toolUseId) => calls.get(toolUseId)?.input),
    ...background.ended(record),
    ...ledger.changed(),
  ],
  task_list: (record, { ofTurn: { tasks } }) => tasks.shared(record),
  team_mail: (record) => item(mailNotice(record)),
  images_dropped: ({ uuid, message }) => item(imagesNotice(uuid, message)),
  decision: (record, projector) => [
    { type: 'tool', id: record.toolUseId, change: { decision: shownDecision(record, projector) } },
  ],
  hook_notice: (record) => item(hookNotice(record)),
  message_display: (record, { displayed }) => displayed.shown(record),
  worktrees_left: ({ uuid, message }) =>
    item({
      kind: 'notice',
      id: uuid,
      level: 'info',
      title: 'Agents left changes.',
      detail: message,
    }),
  unreadable_lines: ({ uuid, lines }) =>
    item({
      kind: 'notice',
      id: uuid,
      level: 'warning',
      title: 'A part of this session cannot be read.',
      detail: `${lines === 1 ? 'One line' : `${lines} lines`} of its log ${lines === 1 ? 'is' : 'are'} damaged. The agent knows that something is missing here.`,
    }),
  prompt_blocked: ({ uuid, display }) => item({ kind: 'user', id: uuid, steering: false, ...display }),
  compact_boundary: compacted,
  compact_edited: compacted,
  compact_undone: compacted,
  model_fallback: (record) => item(fallbackNotice(record)),
  offline: nothing,
  reply_refused: nothing,
  api_retry: nothing,
  permission_update: nothing,
  tool_started: nothing,
  user_asked: nothing,
  worktree: nothing,
  session_worktree: nothing,
  result_stored: nothing,
  user_call: (_record, { ofTurn: { ledger } }) => ledger.changed(),
  ...featureRecords,
};

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
    const duration = defined({ durationMs: record.durationMs });
    return [
      {
        type: 'item',
        item: { kind: 'thinking', id: `${id}:${index}`, text: block.thinking, streaming: false, ...duration },
      },
    ];
  });
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
  const { text, attachments, images } = display;
  const events: ChatEvent[] = [
    {
      type: 'item',
      item: { kind: 'user', id: record.uuid, steering: record.steering === true, text, attachments, images },
    },
  ];
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
    if (change.state === 'failed') change.said = shorten(visibleText(failureWords(change.message)), projector);
  } else if (record.toolUseResult === undefined) {
    change.view = { kind: 'json', text: plainText(block) };
  }
  const todos =
    change.view?.kind === 'todo' ? projector.ofTurn.tasks.result(record.toolUseResult, change.view.items) : [];
  return [
    { type: 'tool', id: block.tool_use_id, change },
    ...editedEvents(change),
    ...todos,
    ...projector.background.result(record, block.tool_use_id, call?.input),
  ];
}

/** What an edit did to its files. A view of a difference that was not made is of another kind. */
function editedEvents({ state, view }: Partial<ToolItem>): ChatEvent[] {
  if (state !== 'done' || (view?.kind !== 'diff' && view?.kind !== 'changes')) return [];
  const files = view.kind === 'diff' ? [view] : view.files;
  return [{ type: 'edited', files: files.map(({ path, added, removed }) => ({ path, added, removed })) }];
}
