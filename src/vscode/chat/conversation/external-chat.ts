// A chat while it shows a session that it cannot write: of another program, another window or a newer Deft. Its own session stays open underneath.
import { setImmediate as nextTask } from 'node:timers/promises';
import { type DeftError, messageOf } from '../../../core/text/errors';
import { continuedRecords } from '../../../core/external-sessions/continue-session';
import { type ExternalSession, sourceNames } from '../../../core/external-sessions/external-session';
import { type FollowedSession, type SessionFollower } from '../../../core/ports/session-store';
import { createChatProjection } from '../../../core/projection/chat-projection';
import { forkRecords } from '../../../core/sessions/fork-records';
import { type SessionRecord } from '../../../core/ports/record';
import { replayInSlices } from '../../../core/projection/replay-slices';
import { type ChatEvent, type ChatState, emptyChat } from '../../../shared/chat';
import { type PermissionMode } from '../../../shared/permission';
import { type EventPoster } from './event-poster';
import { createFollowedChat } from './followed-chat';

export interface ExternalServices {
  /** By the id of its row in the history. */
  readExternal(id: string): Promise<ExternalSession | undefined>;
  /** What is on disk of a session of Deft's own. */
  readOwn(id: string): Promise<SessionRecord[]>;
  /** The same of one that another window writes, and what that one does from then on. */
  followOwn(id: string, follower: SessionFollower): Promise<FollowedSession>;
  projection(): Parameters<typeof createChatProjection>[0];
  initialMode(): PermissionMode;
  initialModel(): string;
  titleChanged(title: string): void;
}

export interface ExternalView {
  readonly shown: ExternalSession | undefined;
  /** The id of the session of Deft's own that is withheld from this chat and shown. */
  readonly withheld: string | undefined;
  show(session: ExternalSession, id?: string): Promise<void>;
  /** By the id of its row in the history. */
  open(id: string): Promise<void>;
  /** A session of Deft's own that is withheld from this chat, as it stands on the disk. False where nothing of it can be shown. */
  showWithheld(id: string, why: DeftError): Promise<boolean>;
  /** What a session that goes on with the shown one begins with, given its id; undefined where none is shown. */
  continuing(): ((id: string) => SessionRecord[]) | undefined;
  leave(): void;
}

/** Such rows name their program first. */
export function isExternalId(id: string): boolean {
  return id.includes(':');
}

export function createExternalView(
  services: ExternalServices,
  poster: EventPoster,
  fail: (detail: string) => void,
): ExternalView {
  let shown: ExternalSession | undefined;
  let own: SessionRecord[] | undefined;
  let stopFollowing = (): void => undefined;
  const leave = (): void => {
    stopFollowing();
    stopFollowing = () => undefined;
    shown = undefined;
    own = undefined;
  };
  const emptyOf = (id: string): ChatState => emptyChat(id, services.initialMode(), services.initialModel());
  /** What is there is shown as `state`. */
  const stand = (session: ExternalSession, state: ChatState, facts: NonNullable<ChatState['external']>): void => {
    leave();
    shown = session;
    poster.reset({ ...state, title: session.title || state.title || 'Untitled session', external: facts });
    services.titleChanged(poster.state.title);
  };
  const show = async (
    session: ExternalSession,
    id = `${session.source}:${session.id || 'file'}`,
    facts = factsOf(session),
  ): Promise<void> => {
    const empty = emptyOf(id);
    const { items, todos, title } = await replayInSlices(
      createChatProjection(services.projection()),
      empty,
      session.records,
      { pause: nextTask, now: () => performance.now() },
    );
    stand(session, { ...empty, items, todos, title }, facts);
  };
  const hasPrompt = (records: readonly SessionRecord[]): boolean => records.some(({ type }) => type === 'user');
  const withheld = (id: string, records: SessionRecord[]): ExternalSession => ({
    source: 'deft',
    id,
    title: '',
    cwd: '',
    records,
    from: 0,
    incomplete: [],
    agents: [],
    unreadable: 0,
  });
  /** Its writer goes on: so does what is shown. */
  const follow = async (id: string, facts: NonNullable<ChatState['external']>): Promise<boolean> => {
    const chat = createFollowedChat(createChatProjection(services.projection()));
    let begun = (): void => undefined;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    let records: SessionRecord[] = [];
    const isShown = (): boolean => own === records;
    const push = (events: ChatEvent[]): void => {
      if (!isShown()) return;
      poster.push(events);
      for (const event of events) if (event.type === 'title') services.titleChanged(event.title);
    };
    const followed = await services
      .followOwn(id, {
        async added(more) {
          await whenBegun;
          // What is copied is what is shown.
          if (isShown()) for (const record of more) records.push(record);
          await chat.add(more, push);
        },
        held: (isHeld) => void whenBegun.then(() => push(chat.held(isHeld))),
      })
      .catch(() => undefined);
    if (followed === undefined) return false;
    records = followed.records;
    if (!hasPrompt(records)) {
      followed.stop();
      return false;
    }
    const empty = emptyOf(`withheld:${id}`);
    const { items, todos, title, status } = await chat.begin(empty, records);
    stand(withheld(id, records), { ...empty, items, todos, title, status }, facts);
    own = records;
    stopFollowing = followed.stop;
    begun();
    return true;
  };
  return {
    get shown() {
      return shown;
    },
    get withheld() {
      return own === undefined ? undefined : shown?.id;
    },
    show,
    async open(id) {
      try {
        const session = await services.readExternal(id);
        if (session === undefined) fail('Its file is gone.');
        else await show(session, id);
      } catch (error) {
        fail(messageOf(error));
      }
    },
    async showWithheld(id, why) {
      const facts = withheldFacts[why.code] ?? { name: 'Deft', note: why.message };
      if (why.code === 'session-locked') return follow(id, facts);
      const records = await services.readOwn(id).catch(() => []);
      if (!hasPrompt(records)) return false;
      await show(withheld(id, records), `withheld:${id}`, facts);
      own = records;
      return true;
    },
    continuing() {
      const [records, session] = [own, shown];
      if (records !== undefined) return (id) => forkRecords(records, id);
      return session && ((id) => continuedRecords(session, id));
    },
    leave,
  };
}

function factsOf({ source, incomplete, unreadable }: ExternalSession): NonNullable<ChatState['external']> {
  const notes = [
    ...(incomplete.length > 0
      ? [`${counted(incomplete.length, 'call')} in it ${incomplete.length === 1 ? 'has' : 'have'} no result.`]
      : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'line')} of it cannot be read.`] : []),
  ];
  return { name: sourceNames[source], note: notes.join(' ') };
}

/** By the code of what keeps it from being opened here. */
const withheldFacts: Readonly<Record<string, NonNullable<ChatState['external']>>> = {
  'session-locked': { name: 'another window', note: 'It goes on there, and what is said there appears here.' },
  'session-newer': { name: 'a newer version of Deft', note: 'Update Deft to go on with it.' },
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
