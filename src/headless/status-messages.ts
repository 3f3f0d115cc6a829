// What goes on beside the conversation, as messages of the public format: tasks in the background, a compaction, another permission mode.
import { randomUUID } from 'node:crypto';
import { type SessionEvent } from '../core/events/session-event';
import { type KnownRecord, type SessionRecord, type UserRecord } from '../core/ports/record';
import { createBackgroundItems } from '../core/projection/background-items';
import { type BackgroundItem } from '../shared/chat';
import { isObject } from '../shared/plain-object';
import { type JsonMessage } from './messages';
import { taskEnd } from './control/task-end';

/** Takes every event of a session. */
export function createStatusMessages(): (event: SessionEvent) => JsonMessage[] {
  let sessionId = '';
  const items = createBackgroundItems();
  const inputs = new Map<string, unknown>();
  const message = (subtype: string, facts: Record<string, unknown>): JsonMessage => ({
    type: 'system',
    subtype,
    ...facts,
    session_id: sessionId,
    uuid: randomUUID(),
  });

  const begun = (record: UserRecord): JsonMessage[] =>
    resultIds(record).flatMap((id) => {
      const [shown] = items.result(record, id, inputs.get(id));
      const item = shown?.type === 'background' ? shown.background.at(-1) : undefined;
      return item === undefined ? [] : [message('task_started', startOf(item, id, record, inputs.get(id)))];
    });
  const ofRecord = (record: SessionRecord): JsonMessage[] => {
    if (record.type === 'assistant')
      for (const block of record.message.content) if (block.type === 'tool_use') inputs.set(block.id, block.input);
    if (record.type === 'user') return begun(record);
    if (record.type !== 'system') return [];
    if (record.subtype === 'setting' && record.name === 'mode')
      return [message('status', { status: null, permissionMode: record.value })];
    if (record.subtype !== 'background_end' || items.ended(record).length === 0) return [];
    return [message('task_notification', endOf(record))];
  };

  return (event) => {
    if (event.type === 'record') {
      if ('sessionId' in event.record) ({ sessionId } = event.record);
      return ofRecord(event.record);
    }
    if (event.type !== 'compaction') return [];
    if (event.state === 'running') return [message('status', { status: 'compacting' })];
    const failed = event.message === undefined ? {} : { compact_error: event.message };
    return [
      message('status', {
        status: null,
        compact_result: event.message === undefined ? 'success' : 'failed',
        ...failed,
      }),
    ];
  };
}

function resultIds({ message: { content } }: UserRecord): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function startOf(
  { id, kind, title }: BackgroundItem,
  toolUseId: string,
  { toolUseResult }: UserRecord,
  input: unknown,
): Record<string, unknown> {
  const text = (from: unknown, name: string): unknown => (isObject(from) ? from[name] : undefined);
  const facts = { task_id: id, tool_use_id: toolUseId, description: title, is_backgrounded: true };
  if (kind === 'command') return { ...facts, task_type: 'local_bash' };
  return {
    ...facts,
    task_type: 'local_agent',
    subagent_type: text(toolUseResult, 'agentType'),
    prompt: text(input, 'prompt'),
  };
}

function endOf(record: Extract<KnownRecord, { subtype: 'background_end' }>): Record<string, unknown> {
  const { taskId, toolUseId, message, outputPath = '' } = record;
  return {
    task_id: taskId,
    tool_use_id: toolUseId,
    status: taskEnd(record),
    output_file: outputPath,
    summary: message,
  };
}
