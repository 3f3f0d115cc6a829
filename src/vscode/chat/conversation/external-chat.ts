// A chat while it shows a session that it cannot write: of another program, another window or a newer Deft. Its own session stays open underneath.
import { setImmediate as nextTask } from 'node:timers/promises';
import { DeftError, messageOf } from '../../../core/text/errors';
import { continuedRecords } from '../../../core/external-sessions/continue-session';
import { type ExternalSession, missingOf, sourceNames } from '../../../core/external-sessions/external-session';
import { type FollowedSession, type SessionFollower } from '../../../core/ports/session-store';
import { createChatProjection } from '../../../core/projection/chat-projection';
import { leftWorktree } from '../../../core/worktrees/session-worktree';
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
  /** Of the workspace. */
  folders(): { path: string }[];
  initialMode(): PermissionMode;
  initialModel(): string;
  titleChanged(title: string): void;
}

/** Such rows name their program first. */
export function isExternalId(id: string): boolean {
  return id.includes(':');
}

/** It has a session of Deft's own that this chat can show, but not continue. */
export function isWithheld(error: unknown): error is DeftError {
  return error instanceof DeftError && Object.hasOwn(withheldFacts, error.code);
}

type ExternalFacts = NonNullable<ChatState['external']>;

export class ExternalView {
  readonly #services: ExternalServices;
  readonly #poster: EventPoster;
  readonly #fail: (detail: string) => void;
  #shown: ExternalSession | undefined;
  /** The records of the session of Deft's own that is shown. */
  #own: SessionRecord[] | undefined;
  /** Its worktree is gone: a copy of it works in the workspace. */
  #treeless = false;
  #stopFollowing = (): void => undefined;

  constructor(services: ExternalServices, poster: EventPoster, fail: (detail: string) => void) {
    this.#services = services;
    this.#poster = poster;
    this.#fail = fail;
  }

  get shown(): ExternalSession | undefined {
    return this.#shown;
  }

  /** The id of the session of Deft's own that is withheld from this chat and shown. */
  get withheld(): string | undefined {
    return this.#own === undefined || this.#treeless ? undefined : this.#shown?.id;
  }

  async show(
    session: ExternalSession,
    id = `${session.source}:${session.id || 'file'}`,
    facts = factsOf(session),
  ): Promise<void> {
    const empty = this.#emptyChat(id);
    const { items, todos, title } = await replayInSlices(
      createChatProjection(this.#services.projection()),
      empty,
      session.records,
      { pause: nextTask, now: () => performance.now() },
    );
    this.#put(session, { ...empty, items, todos, title }, facts);
  }

  /** By the id of its row in the history. */
  async open(id: string): Promise<void> {
    try {
      const session = await this.#services.readExternal(id);
      if (session === undefined) this.#fail('Its file no longer exists.');
      else await this.show(session, id);
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  /** A session of Deft's own that is withheld from this chat, as it is on the disk. False where nothing of it can be shown. */
  async showWithheld(id: string, why: DeftError): Promise<boolean> {
    const facts = withheldFacts[why.code]?.(why) ?? { name: 'Deft', note: why.message };
    if (why.code === 'session-locked') return this.#follow(id, facts);
    const records = await this.#services.readOwn(id).catch(() => []);
    if (!hasPrompt(records)) return false;
    await this.show(withheldSession(id, records), `withheld:${id}`, facts);
    this.#own = records;
    this.#treeless = why.code === 'worktree-gone';
    return true;
  }

  /** What a session that continues the shown one begins with, given its id; undefined where none is shown. */
  continuing(): ((id: string) => SessionRecord[]) | undefined {
    const [records, session] = [this.#own, this.#shown];
    const [folder] = this.#treeless ? this.#services.folders() : [];
    const left = folder && (() => leftWorktree(records ?? [], folder.path, () => crypto.randomUUID()));
    if (records !== undefined) return (id) => forkRecords([...records, ...(left?.() ?? [])], id);
    return session && ((id) => continuedRecords(session, id));
  }

  leave(): void {
    this.#stopFollowing();
    this.#stopFollowing = () => undefined;
    this.#shown = undefined;
    this.#own = undefined;
    this.#treeless = false;
  }

  /** Its writer continues: so does what is shown. */
  async #follow(id: string, facts: ExternalFacts): Promise<boolean> {
    const chat = createFollowedChat(createChatProjection(this.#services.projection()));
    let begun = (): void => undefined;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    let records: SessionRecord[] = [];
    const isShown = (): boolean => this.#own === records;
    const push = (events: ChatEvent[]): void => {
      if (!isShown()) return;
      this.#poster.push(events);
      for (const event of events) if (event.type === 'title') this.#services.titleChanged(event.title);
    };
    const followed = await this.#services
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
    const empty = this.#emptyChat(`withheld:${id}`);
    const { items, todos, title, status } = await chat.begin(empty, records);
    this.#put(withheldSession(id, records), { ...empty, items, todos, title, status }, facts);
    this.#own = records;
    this.#stopFollowing = followed.stop;
    begun();
    return true;
  }

  #emptyChat(id: string): ChatState {
    return emptyChat(id, this.#services.initialMode(), this.#services.initialModel());
  }

  /** In place of what the chat showed before. */
  #put(session: ExternalSession, state: ChatState, facts: ExternalFacts): void {
    this.leave();
    this.#shown = session;
    this.#poster.reset({ ...state, title: session.title || state.title || 'Untitled session', external: facts });
    this.#services.titleChanged(this.#poster.state.title);
  }
}

function hasPrompt(records: readonly SessionRecord[]): boolean {
  return records.some(({ type }) => type === 'user');
}

function withheldSession(id: string, records: SessionRecord[]): ExternalSession {
  return {
    source: 'deft',
    id,
    title: '',
    cwd: '',
    records,
    from: 0,
    incomplete: [],
    agents: [],
    unreadable: 0,
  };
}

function factsOf(session: ExternalSession): ExternalFacts {
  return { name: sourceNames[session.source], note: missingOf(session).join(' ') };
}

/** By the code of what keeps it from being opened here. */
const withheldFacts: Readonly<Record<string, (why: DeftError) => ExternalFacts>> = {
  'session-locked': () => ({
    name: 'another window',
    note: 'It continues there, and new messages appear here.',
    takeOver: true,
  }),
  'session-newer': () => ({ name: 'a newer version of Deft', note: 'Update Deft to continue it.' }),
  'worktree-gone': ({ message }) => ({
    name: 'a worktree',
    note: `${message} A copy of the session works in the workspace.`,
  }),
};
