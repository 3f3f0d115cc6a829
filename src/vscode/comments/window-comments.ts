// The comments of a window, as far as they are needed at its start: their code and VS Code's controller come with the first of them.
import * as vscode from 'vscode';
import { type AgentSession } from '../../core/feature/agent-session';
import { type SessionEvent } from '../../core/events/session-event';
import { importedOnce } from '../host/imported-once';
import { type StoredDraft } from './comment-thread';
import { type BoxKind, type CommentChat, type CommentDrafts, type CommentThreads } from './comment-threads';

export interface WindowComments extends vscode.Disposable {
  readonly commands: Record<string, (...args: never[]) => unknown>;
  drafts(): CommentDrafts;
  readonly onDidChange: vscode.Event<void>;
  /** The drafts that a reload left. */
  restore(): void;
  /** Something is reviewed: the margins offer comments. */
  offer(): void;
  send(): Promise<void>;
  /** Opens a box at the cursor. */
  box(kind: BoxKind): Promise<void>;
  opened(session: Pick<AgentSession, 'id' | 'surroundings'>): void;
  heard(event: SessionEvent): void;
}

export interface WindowCommentOptions {
  state: vscode.Memento;
  chat(): Promise<CommentChat>;
  warn(message: string): void;
}

const draftsKey = 'deft.commentDrafts';
const noDrafts: CommentDrafts = { comments: 0, files: 0 };

export function createWindowComments({ state, chat, warn }: WindowCommentOptions): WindowComments {
  const changed = new vscode.EventEmitter<void>();
  let loaded: CommentThreads | undefined;
  let disposed = false;
  const left = (): readonly StoredDraft[] => state.get<readonly StoredDraft[]>(draftsKey) ?? [];
  const threads = importedOnce(async () => {
    const { createCommentThreads } = await import('./comment-threads');
    const made = createCommentThreads({ chat, keep: (drafts) => void state.update(draftsKey, drafts) });
    made.onDidChange(() => {
      changed.fire();
      void vscode.commands.executeCommand('setContext', 'deft.hasComments', made.drafts().comments > 0);
    });
    if (disposed) made.dispose();
    loaded = made;
    made.restore(left());
    return made;
  });
  const later = (use: (made: CommentThreads) => void): void =>
    void threads().then(use, (error: unknown) => warn(`Comments could not be shown: ${String(error)}`));
  return {
    onDidChange: changed.event,
    drafts: () => loaded?.drafts() ?? noDrafts,
    restore() {
      if (left().length > 0) later(() => undefined);
    },
    offer: () => later(() => undefined),
    send: async () => (await threads()).send(),
    box: async (kind) => (await threads()).add(kind),
    opened({ id, surroundings }) {
      const comments = surroundings.comments?.();
      if (comments !== undefined && [...comments.values()].some((one) => one.state !== 'resolved'))
        later((made) => made.opened(id, comments));
    },
    heard: (event) => loaded?.heard(event),
    commands: {
      'deft.addComment': async () => (await threads()).add(),
      'deft.writeComment': async (reply: vscode.CommentReply) => (await threads()).write(reply),
      'deft.writeAndSendComments': async (reply: vscode.CommentReply) => {
        const made = await threads();
        made.write(reply);
        await made.send();
      },
      'deft.sendComments': async () => (await threads()).send(),
      'deft.discardComments': async () => (await threads()).removeDrafts(),
      'deft.removeComment': async (thread: vscode.CommentThread) => (await threads()).remove(thread),
    },
    dispose() {
      disposed = true;
      loaded?.dispose();
      changed.dispose();
    },
  };
}
