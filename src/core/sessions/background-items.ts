// What runs in the background now, from the records of its beginning and its end: the strip above the composer lists it.
import { type BackgroundItem, type ChatEvent } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { visibleText } from '../../shared/visible-text';
import { type SessionRecord, type UserRecord } from './record';
import { withColor } from './with-color';

export interface BackgroundItems {
  result(record: UserRecord, toolUseId: string, input: unknown): ChatEvent[];
  ended(record: Extract<SessionRecord, { subtype: 'background_end' }>): ChatEvent[];
}

const maxTitle = 200;

export function createBackgroundItems(): BackgroundItems {
  /** By the call that began it. */
  const items = new Map<string, BackgroundItem>();
  const told = (): ChatEvent[] => [{ type: 'background', background: [...items.values()] }];
  return {
    result({ toolUseResult, timestamp }, toolUseId, input) {
      const begun = beginning(toolUseResult, input);
      if (begun === undefined) return [];
      items.set(toolUseId, { ...begun, title: shortened(visibleText(begun.title.replace(/\s+/g, ' ').trim()), maxTitle), startedAt: Date.parse(timestamp) || 0 });
      return told();
    },
    ended({ toolUseId, taskId }) {
      const gone = [...items].filter(([call, { id }]) => (toolUseId === undefined ? id === taskId : call === toolUseId));
      for (const [call] of gone) items.delete(call);
      return gone.length === 0 ? [] : told();
    },
  };
}

function beginning(output: unknown, input: unknown): Omit<BackgroundItem, 'startedAt'> | undefined {
  if (!isRecord(output)) return undefined;
  const { status, agentId, agentType, description, state, backgroundTaskId } = output;
  if (status === 'async_launched' && typeof agentId === 'string') return { id: agentId, kind: 'agent', title: `${String(agentType)}: ${String(description)}`, ...withColor(output) };
  if (state !== 'background' || typeof backgroundTaskId !== 'string') return undefined;
  return { id: backgroundTaskId, kind: 'command', title: isRecord(input) && typeof input['command'] === 'string' ? input['command'] : backgroundTaskId };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
