// A chat while it shows a session that it cannot write: of another program, another window or a newer Deft. Its own session stays open underneath.
import { setImmediate as nextTask } from 'node:timers/promises';
import { type DeftError, messageOf } from '../../core/errors';
import { continuedRecords } from '../../core/interchange/continue-session';
import { type ForeignSession, sourceNames } from '../../core/interchange/foreign-session';
import { createChatProjection } from '../../core/sessions/chat-projection';
import { forkRecords } from '../../core/sessions/fork-records';
import { type SessionRecord } from '../../core/sessions/record';
import { replayInSlices } from '../../core/sessions/replay-slices';
import { type ChatState, emptyChat } from '../../shared/chat';
import { type PermissionMode } from '../../shared/permission';
import { type EventPoster } from './event-poster';

export interface ForeignServices {
  /** By the id of its row in the history. */
  readForeign(id: string): Promise<ForeignSession | undefined>;
  /** What is on disk of a session of Deft's own. */
  readOwn(id: string): Promise<SessionRecord[]>;
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
  /** A session of Deft's own that is withheld from this chat, as it stands on the disk. False where nothing of it can be shown. */
  showWithheld(id: string, why: DeftError): Promise<boolean>;
  /** What a session that goes on with the shown one begins with, given its id; undefined where none is shown. */
  continuing(): ((id: string) => SessionRecord[]) | undefined;
  leave(): void;
}

/** Such rows name their program first. */
export function isForeignId(id: string): boolean {
  return id.includes(':');
}

export function createForeignView(services: ForeignServices, poster: EventPoster, fail: (detail: string) => void): ForeignView {
  let shown: ForeignSession | undefined;
  let own: SessionRecord[] | undefined;
  const show = async (session: ForeignSession, id = `${session.source}:${session.id || 'file'}`, facts = factsOf(session)): Promise<void> => {
    const empty = emptyChat(id, services.initialMode(), services.initialModel());
    const { items, todos, title } = await replayInSlices(createChatProjection(services.projection()), empty, session.records, { pause: nextTask, now: () => performance.now() });
    shown = session;
    own = undefined;
    poster.reset({ ...empty, items, todos, title: session.title || title || 'Untitled session', foreign: facts });
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
    async showWithheld(id, why) {
      const records = await services.readOwn(id).catch(() => []);
      if (!records.some(({ type }) => type === 'user')) return false;
      await show({ source: 'deft', id, title: '', cwd: '', records, from: 0, incomplete: [], agents: [], unreadable: 0 }, `withheld:${id}`, withheldFacts[why.code] ?? { name: 'Deft', note: why.message });
      own = records;
      return true;
    },
    continuing() {
      const [records, session] = [own, shown];
      if (records !== undefined) return (id) => forkRecords(records, id);
      return session && ((id) => continuedRecords(session, id));
    },
    leave: () => {
      shown = undefined;
      own = undefined;
    },
  };
}

function factsOf({ source, incomplete, unreadable }: ForeignSession): NonNullable<ChatState['foreign']> {
  const notes = [
    ...(incomplete.length > 0 ? [`${counted(incomplete.length, 'call')} in it ${incomplete.length === 1 ? 'has' : 'have'} no result.`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'line')} of it cannot be read.`] : []),
  ];
  return { name: sourceNames[source], note: notes.join(' ') };
}

/** By the code of what keeps it from being opened here. */
const withheldFacts: Readonly<Record<string, NonNullable<ChatState['foreign']>>> = {
  'session-locked': { name: 'another window', note: 'It goes on there: what is said there from now on is not shown here.' },
  'session-newer': { name: 'a newer version of Deft', note: 'Update Deft to go on with it.' },
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
