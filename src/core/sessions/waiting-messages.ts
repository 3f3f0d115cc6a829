// The messages that a log's queue still holds: typed while the agent worked, not delivered, not taken back.
import { type UserBlock } from '../wire/wire';
import { queueRecords } from './log-index';
import { type PromptDisplay, type SessionRecord } from '../ports/record';

export interface WaitingMessage {
  id: string;
  content: UserBlock[];
  display: PromptDisplay;
}

export function waitingMessages(records: readonly SessionRecord[]): WaitingMessage[] {
  const waiting = new Map<string, WaitingMessage>();
  for (const { operation, messageId: id, content, display } of queueRecords(records)) {
    if (operation !== 'enqueue') waiting.delete(id);
    else if (content !== undefined && display !== undefined) waiting.set(id, { id, content, display });
  }
  return [...waiting.values()];
}
