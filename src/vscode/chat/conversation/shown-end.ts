// What a chat shows of a long session while the rest of it is still being read: its last page.
import { isGoOn } from '../../../core/loop/go-on';
import { lastSetting, resumedMode } from '../../../core/calls/permission-state';
import { type ChatProjection } from '../../../core/projection/chat-projection';
import { type SessionRecord } from '../../../core/ports/record';
import { type ChatState, emptyChat } from '../../../shared/chat';
import { type PermissionMode } from '../../../shared/permission';

export interface SessionEnd {
  title: string;
  records: SessionRecord[];
}

/** `projection` is used for nothing else. What the whole log costs is not known yet. */
export function shownEnd(
  id: string,
  { title, records }: SessionEnd,
  projection: ChatProjection,
  initial: { mode: PermissionMode; model: string },
): ChatState {
  const mode = resumedMode(records) ?? initial.mode;
  const model = lastSetting(records, 'model') ?? modelOf(records) ?? initial.model;
  const shown = projection.replay(emptyChat(id, mode, model), records);
  return { ...shown, title, mode, model, usage: { ...shown.usage, costUsd: 0, costKnown: false, byModel: [] } };
}

function modelOf(records: readonly SessionRecord[]): string | undefined {
  const record = records.findLast((one) => one.type === 'assistant');
  return record?.message.model === '' ? undefined : record?.message.model;
}

/** A reload or a crash cut the turn: no end follows its start, its last reply or result. Deft's other notes come in and after turns. */
export function endsInTurn(records: readonly SessionRecord[]): boolean {
  const last = records.findLast(
    (record) =>
      record.type === 'assistant' ||
      (record.type === 'user' && (record.isMeta !== true || isGoOn(record))) ||
      (record.type === 'system' && record.subtype === 'turn_end'),
  );
  return last !== undefined && last.type !== 'system';
}
