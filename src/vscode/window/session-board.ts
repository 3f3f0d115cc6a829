// What all sessions of this folder do: those of this window told as they change, those of other windows read from the disk and watched.
import * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { type SessionStore } from '../../core/ports/session-store';
import { findRepository } from '../../node/repository';
import { type ExternalRow } from '../../node/sessions/external-sessions';
import { type SessionGlances } from '../../node/sessions/session-glances';
import { byUrgency, type SessionGlance, type SessionState } from '../../shared/session-glance';
import { type Chat } from '../chat/conversation/chat';
import { nativeFolders } from '../host/workspace-facts';
import { type BoardRow } from './board-row';
import { FollowedGlances } from './followed-glances';
import { glanceOf, isOther } from './glance-of';
import { OtherFolders } from './other-folders';

export interface SessionBoardOptions {
  glances: SessionGlances;
  store: Pick<SessionStore, 'list' | 'isHeld'>;
  /** Those of other programs. */
  external(): Promise<ExternalRow[]>;
  /** Of a worktree that the chat works in. */
  treeBranch(chat: Chat): string | undefined;
  log: Log;
}

/** What changes in this time is told at once. */
const gatherMs = 50;

export class SessionBoard implements vscode.Disposable {
  readonly #options: SessionBoardOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Of the sessions that chats of this window have open. */
  readonly #own = new Map<string, SessionGlance>();
  readonly #shown = new Map<Chat, string>();
  /** Of the others of this folder. */
  readonly #others: FollowedGlances;
  #telling: NodeJS.Timeout | undefined;
  #branch: string | undefined;
  #disposed = false;
  readonly onDidChange = this.#changed.event;
  readonly #folders: OtherFolders;
  /** Looked for once for each look: their files are many, and nobody tells of them. */
  #external: Promise<BoardRow[]> | undefined;

  constructor(options: SessionBoardOptions) {
    this.#options = options;
    const { glances, store, log } = options;
    this.#others = new FollowedGlances({
      glances,
      isHeld: async (id) => (await store.isHeld?.(id)) ?? false,
      isOwn: (id) => this.#own.has(id),
      changed: () => this.#tell(),
      failed: (error) => log.warn('The states of sessions in other windows are not followed.', String(error)),
    });
    this.#folders = new OtherFolders(log, () => this.#tell());
  }

  /** What the chat does has changed, or the session that it shows. */
  changed(chat: Chat, state: SessionState): void {
    const { state: shown } = chat.poster;
    const before = this.#shown.get(chat);
    // What another window writes is told by that one.
    const id = chat.readOnly || shown.items.length === 0 ? '' : shown.sessionId;
    if (before !== undefined && before !== id) this.#left(chat, before);
    if (id === '') return;
    this.#shown.set(chat, id);
    this.#publish(id, glanceOf(shown, state, Date.now(), this.#branchOf(chat)));
    void this.#readBranch(chat, state);
  }

  /** The chat is gone. */
  forget(chat: Chat): void {
    const id = this.#shown.get(chat);
    if (id !== undefined) this.#left(chat, id);
  }

  /** All that is known, from now on kept up to date. */
  async glances(): Promise<ReadonlyMap<string, SessionGlance>> {
    return new Map([...(await this.#others.read()), ...this.#own]);
  }

  /** All sessions: those that wait, those that work, then the newest first. */
  async rows(): Promise<BoardRow[]> {
    const [listed, glances, others, external] = await Promise.all([
      this.#options.store.list(),
      this.glances(),
      this.#folders.rows(),
      (this.#external ??= this.#readExternal()),
    ]);
    const own = listed.map(({ id, title, updatedAt, sizeBytes }): BoardRow => {
      const glance = glances.get(id);
      return { id, title, updatedAt, sizeBytes, glance, state: glance?.state ?? 'idle' };
    });
    return [...own, ...others, ...external].sort(byUrgency);
  }

  /** Looks anew at who works in other windows: one that crashed told nobody. */
  async lookAgain(): Promise<void> {
    this.#external = undefined;
    await Promise.all([this.#others.look(), this.#folders.lookAgain()]);
  }

  /** What the lists show of sessions is other than before, though no session does anything else. */
  changedElsewhere(): void {
    this.#tell();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#telling);
    this.#others.dispose();
    this.#folders.dispose();
    this.#changed.dispose();
  }

  async #readExternal(): Promise<BoardRow[]> {
    try {
      const rows = await this.#options.external();
      return rows.map((row): BoardRow => ({ ...row, glance: undefined, state: 'idle' }));
    } catch (error) {
      this.#options.log.warn('The sessions of other programs were not found.', String(error));
      return [];
    }
  }

  /** It rests from now on, but for what waits: that is asked again when it is opened. */
  #left(chat: Chat, id: string): void {
    this.#shown.delete(chat);
    const glance = this.#own.get(id);
    if (glance === undefined || [...this.#shown.values()].includes(id)) return;
    const rests: SessionGlance = glance.state === 'working' ? { ...glance, state: 'idle', since: Date.now() } : glance;
    this.#own.delete(id);
    this.#others.set(id, rests);
    this.#write(id, rests);
    this.#tell();
  }

  #publish(id: string, glance: SessionGlance): void {
    const before = this.#own.get(id);
    if (!isOther(before, glance)) return;
    const now = before?.state === glance.state ? { ...glance, since: before.since } : glance;
    this.#own.set(id, now);
    this.#write(id, now);
    this.#tell();
  }

  #write(id: string, glance: SessionGlance): void {
    this.#options.glances
      .write(id, glance)
      .catch((error: unknown) => this.#options.log.debug('The state of a session was not written.', String(error)));
  }

  async #readBranch(chat: Chat, state: SessionState): Promise<void> {
    const [folder] = nativeFolders();
    const branch = folder === undefined ? undefined : (await findRepository(folder))?.branch;
    if (branch === this.#branch || this.#disposed) return;
    this.#branch = branch;
    const id = this.#shown.get(chat);
    if (id !== undefined)
      this.#publish(
        id,
        glanceOf(chat.poster.state, this.#own.get(id)?.state ?? state, Date.now(), this.#branchOf(chat)),
      );
  }

  #branchOf(chat: Chat): string | undefined {
    return this.#options.treeBranch(chat) ?? this.#branch;
  }

  #tell(): void {
    if (this.#disposed) return;
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#changed.fire();
    }, gatherMs);
  }
}
