// A chat whose workspace's folders change while it is open: its session continues among them, and its cards use the files' current names.
import { setImmediate as nextTask } from 'node:timers/promises';
import { type AgentSession } from '../../../core/feature/agent-session';
import { createChatProjection } from '../../../core/projection/chat-projection';
import { replayInSlices } from '../../../core/projection/replay-slices';
import { type ChatEvent, emptyChat, type ToolItem } from '../../../shared/chat';
import { type ChatServices } from './chat-needs';
import { type ChatSession } from './chat-session';
import { type EventPoster } from './event-poster';

export interface FollowingChat {
  current: Pick<ChatSession, 'opened' | 'isClosed' | 'inTurn'>;
  poster: Pick<EventPoster, 'state' | 'push'>;
  services: Pick<ChatServices, 'folders' | 'projection'>;
  /** A turn runs, or what is shown is not the chat's own. */
  busy: () => boolean;
  readOnly: () => boolean;
  /** Opens a new session in place of the present one. */
  renew: () => Promise<void>;
}

const sliceMs = 10;

export async function followFolders({
  current,
  poster,
  services,
  busy,
  readOnly,
  renew,
}: FollowingChat): Promise<void> {
  let kept: AgentSession | undefined;
  // In turn: a message that is sent meanwhile finds the session that is open behind it.
  await current.inTurn(async () => {
    const session = await current.opened?.catch(() => undefined);
    if (session === undefined || current.isClosed) return;
    // Nothing was said or chosen in it: nothing is lost with it, and a new one begins with all that the folders contain.
    if (!busy() && session.records.length + session.pending.waiting.length === 0) return renew();
    kept = session;
  });
  if (kept === undefined) return;
  const session = kept;
  // Its hooks may take their time: the cards do not wait for them.
  const changed = session.folders.changed(services.folders().map(({ path }) => path));
  const rename = async (): Promise<void> => {
    const renamed = await renamedCards(session, services.projection(), () =>
      poster.state.items.filter((item) => item.kind === 'tool'),
    );
    if (!readOnly() && !current.isClosed && poster.state.sessionId === session.id) poster.push(renamed);
  };
  await Promise.all([changed, rename()]);
}

/** A card that names its file otherwise than the list of changes would lose its Keep and Undo. */
async function renamedCards(
  { id, permission, choices, records }: AgentSession,
  projection: ReturnType<ChatServices['projection']>,
  shown: () => ToolItem[],
): Promise<ChatEvent[]> {
  const { items } = await replayInSlices(
    createChatProjection(projection),
    emptyChat(id, permission.mode, choices.model),
    [...records],
    {
      pause: nextTask,
      now: () => performance.now(),
    },
  );
  const anew = new Map(items.flatMap((item) => (item.kind === 'tool' ? [[item.id, item] as const] : [])));
  const events: ChatEvent[] = [];
  let started = performance.now();
  for (const card of shown()) {
    // Nothing else has to wait for the cards of a long session.
    if (performance.now() - started > sliceMs) {
      await nextTask();
      started = performance.now();
    }
    const found = anew.get(card.id);
    if (found === undefined) continue;
    // A running call's view is only of this moment: its result is shown later, with the folders of that time.
    const isOver = found.state === card.state && ['done', 'failed', 'denied'].includes(card.state);
    const change = isOver ? pick(found, ['sentence', 'detail', 'view', 'decision']) : pick(found, ['sentence']);
    if (JSON.stringify(pick(card, Object.keys(change) as (keyof ToolItem)[])) !== JSON.stringify(change))
      events.push({ type: 'tool', id: card.id, change });
  }
  return events;
}

function pick(item: ToolItem, keys: readonly (keyof ToolItem)[]): Partial<ToolItem> {
  return Object.fromEntries(keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));
}
