// What the chat shows of each record: while it is written, and when a log is read again.
import { type ChatEvent, type ChatState, type ToolItem } from '../../shared/chat';
import { contextTokens, modelFacts } from '../model/models';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { backgroundEndEvents } from './background-end-events';
import { type AssistantRecord, type SessionRecord, type UserRecord } from '../ports/record';
import { newToolItem, plainText, shownDecision, viewOf } from './shown-parts';
import { sessionTitle } from '../sessions/session-title';
import { fallbackNotice, imagesNotice } from './event-notices';
import { goalEvents } from './goal-events';
import { hookNotice } from './hook-notice';
import { mailNotice } from './mail-notice';
import { withColor } from './with-color';
import { withCost } from './usage-with-cost';
import { turnEndNotice } from '../sessions/turn-end-notice';
import { type Projector } from './projector';

/** What the chat shows of one more record; `live` where it is written now. */
export function projectRecord(record: SessionRecord, projector: Projector, live: boolean): ChatEvent[] {
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
      return [
        ...projector.serverCalls.over(),
        ...(notice === undefined ? [] : [{ type: 'item' as const, item: notice }]),
      ];
    }
    case 'setting':
      if (record.name === 'model') return [{ type: 'model', model: record.value }];
      return record.name === 'mode' ? [{ type: 'mode', mode: record.value as ChatState['mode'] }] : [];
    case 'background_end':
      return [
        ...backgroundEndEvents(record, (toolUseId) => projector.calls.get(toolUseId)?.input),
        ...projector.background.ended(record),
      ];
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
      return [
        {
          type: 'item',
          item: {
            kind: 'notice',
            id: record.uuid,
            level: 'info',
            title: 'Agents have left worktrees with changes.',
            detail: record.message,
          },
        },
      ];
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
  const events: ChatEvent[] = [
    { type: 'item', item: { kind: 'user', id: record.uuid, steering: record.steering === true, ...display } },
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
  } else if (record.toolUseResult === undefined) {
    change.view = { kind: 'json', text: plainText(block) };
  }
  const todos = change.view?.kind === 'todo' ? projector.tasks.result(record.toolUseResult, change.view.items) : [];
  return [
    { type: 'tool', id: block.tool_use_id, change },
    ...todos,
    ...projector.background.result(record, block.tool_use_id, call?.input),
  ];
}
