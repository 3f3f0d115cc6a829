// A chat while it shows a session of another program: read-only, in place of its own session, which stays open underneath.
import { setImmediate as nextTask } from 'node:timers/promises';
import { messageOf } from '../../core/errors';
import { type ForeignSession, sourceNames } from '../../core/interchange/foreign-session';
import { createChatProjection } from '../../core/sessions/chat-projection';
import { replayInSlices } from '../../core/sessions/replay-slices';
import { type ChatState, emptyChat } from '../../shared/chat';
import { type PermissionMode } from '../../shared/permission';
import { type EventPoster } from './event-poster';

export interface ForeignServices {
  /** By the id of its row in the history. */
  readForeign(id: string): Promise<ForeignSession | undefined>;
  projection(): Parameters<typeof createChatProjection>[0];
  initialMode(): PermissionMode;
  initialModel(): string;
  titleChanged(title: string): void;
}

export interface ForeignView {
  readonly shown: ForeignSession | undefined;
  show(session: ForeignSession, id?: string): Promise<void>;
  /** By the id of its row in the history. */
  open(id: string): Promise<void>;
  leave(): void;
}

/** Such rows name their program first. */
export function isForeignId(id: string): boolean {
  return id.includes(':');
}

export function createForeignView(services: ForeignServices, poster: EventPoster, fail: (detail: string) => void): ForeignView {
  let shown: ForeignSession | undefined;
  const show = async (session: ForeignSession, id = `${session.source}:${session.id || 'file'}`): Promise<void> => {
    const empty = emptyChat(id, services.initialMode(), services.initialModel());
    const { items, todos } = await replayInSlices(createChatProjection(services.projection()), empty, session.records, { pause: nextTask, now: () => performance.now() });
    shown = session;
    poster.reset({ ...empty, items, todos, title: session.title === '' ? 'Untitled session' : session.title, foreign: factsOf(session) });
    services.titleChanged(poster.state.title);
  };
  return {
    get shown() {
      return shown;
    },
    show,
    async open(id) {
      try {
        const session = await services.readForeign(id);
        if (session === undefined) fail('Its file is gone.');
        else await show(session, id);
      } catch (error) {
        fail(messageOf(error));
      }
    },
    leave: () => (shown = undefined),
  };
}

function factsOf({ source, incomplete, unreadable }: ForeignSession): NonNullable<ChatState['foreign']> {
  const notes = [
    ...(incomplete.length > 0 ? [`${counted(incomplete.length, 'call')} in it ${incomplete.length === 1 ? 'has' : 'have'} no result.`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'line')} of it cannot be read.`] : []),
  ];
  return { name: sourceNames[source], note: notes.join(' ') };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
