// What runs in the background now, from the records of its beginning and its end: the strip above the composer lists it.
import { type BackgroundItem, type ChatEvent } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { visibleText } from '../../shared/visible-text';
import { type SessionRecord, type UserRecord } from '../ports/record';
import { withColor } from './with-color';
import { isObject } from '../../shared/plain-object';

export interface BackgroundItems {
  result(record: UserRecord, toolUseId: string, input: unknown): ChatEvent[];
  ended(record: Extract<SessionRecord, { subtype: 'background_end' }>): ChatEvent[];
  /** What an agent does now, in words. */
  doing(agentId: string, now: string): ChatEvent[];
  /** A teammate waits for messages, or works again. */
  idle(agentId: string, idle: boolean): ChatEvent[];
}

const maxTitle = 200;

export function createBackgroundItems(): BackgroundItems {
  /** By the call that began it. */
  const items = new Map<string, BackgroundItem>();
  /** Teammates that wait, also before the result of the call that started them is there. */
  const resting = new Set<string>();
  const snapshot = (): ChatEvent[] => [{ type: 'background', background: [...items.values()] }];
  const change = (id: string, changed: (item: BackgroundItem) => BackgroundItem): ChatEvent[] => {
    const found = [...items].find(([, item]) => item.id === id);
    if (found === undefined) return [];
    const [call, item] = found;
    const next = changed(item);
    if (next.now === item.now && next.idle === item.idle) return [];
    items.set(call, next);
    return snapshot();
  };
  return {
    doing: (agentId, now) =>
      change(agentId, (item) => ({ ...item, now: shortened(visibleText(now.replace(/\s+/g, ' ').trim()), maxTitle) })),
    idle(agentId, idle) {
      resting[idle ? 'add' : 'delete'](agentId);
      return change(agentId, ({ now: _, ...item }) => ({ ...item, idle }));
    },
    result({ toolUseResult, timestamp }, toolUseId, input) {
      const begun = beginning(toolUseResult, input);
      if (begun === undefined) return [];
      items.set(toolUseId, {
        ...begun,
        title: shortened(visibleText(begun.title.replace(/\s+/g, ' ').trim()), maxTitle),
        startedAt: Date.parse(timestamp) || 0,
        ...(resting.has(begun.id) ? { idle: true } : {}),
      });
      return snapshot();
    },
    ended({ toolUseId, taskId }) {
      const gone = [...items].filter(([call, { id }]) =>
        toolUseId === undefined ? id === taskId : call === toolUseId,
      );
      for (const [call, { id }] of gone) {
        items.delete(call);
        resting.delete(id);
      }
      return gone.length === 0 ? [] : snapshot();
    },
  };
}

function beginning(output: unknown, input: unknown): Omit<BackgroundItem, 'startedAt'> | undefined {
  if (!isObject(output)) return undefined;
  const { status, agentId, agentType, description, state, backgroundTaskId, transcript, outputPath, title } = output;
  if (status === 'async_launched' && typeof agentId === 'string') {
    const name = teammateName(output);
    const kind = name === undefined ? 'agent' : 'teammate';
    return {
      id: agentId,
      kind,
      title: `${name ?? String(agentType)}: ${String(description)}`,
      ...place(transcript),
      ...withColor(output),
    };
  }
  if (state !== 'background' || typeof backgroundTaskId !== 'string') return undefined;
  if (typeof title === 'string') return { id: backgroundTaskId, kind: 'command', title, ...place(outputPath) };
  return {
    id: backgroundTaskId,
    kind: 'command',
    title: isObject(input) && typeof input['command'] === 'string' ? input['command'] : backgroundTaskId,
    ...place(outputPath),
  };
}

/** For one that joined a team, or continued in it. */
function teammateName({ team_name: team, name, recipients }: Record<string, unknown>): string | undefined {
  const found: unknown = typeof team === 'string' ? name : Array.isArray(recipients) ? recipients[0] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function place(path: unknown): { output?: string } {
  return typeof path === 'string' && path !== '' ? { output: path } : {};
}
