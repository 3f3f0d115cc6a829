// The comments and findings of a window, as far as they are needed at its start: their code and VS Code's controllers come with the first of them.
import * as vscode from 'vscode';
import { type AgentSession } from '../../core/feature/agent-session';
import { type SessionEvent } from '../../core/events/session-event';
import { isObject } from '../../shared/plain-object';
import { importedOnce } from '../host/imported-once';
import { type StoredDraft } from './comment-thread';
import {
  type BoxKind,
  type CommentChat,
  type CommentDrafts,
  type CommentThreads,
  type PlanComments,
} from './comment-threads';
import { dismissedFindings, keepDismissed } from './dismissed-findings';
import { type FindingThreads } from './finding-threads';

export interface WindowComments extends vscode.Disposable {
  readonly commands: Record<string, (...args: never[]) => unknown>;
  /** What waits to be sent, and what reviews have found. */
  drafts(): CommentDrafts & { findings: CommentDrafts };
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
  plans: PlanComments;
  warn(message: string): void;
}

const draftsKey = 'deft.commentDrafts';
const noDrafts: CommentDrafts = { comments: 0, files: 0 };

export function createWindowComments({ state, chat, plans, warn }: WindowCommentOptions): WindowComments {
  const changed = new vscode.EventEmitter<void>();
  let loaded: CommentThreads | undefined;
  let found: FindingThreads | undefined;
  let disposed = false;
  const left = (): readonly StoredDraft[] => state.get<readonly StoredDraft[]>(draftsKey) ?? [];
  const threads = importedOnce(async () => {
    const { createCommentThreads } = await import('./comment-threads');
    const made = createCommentThreads({ chat, plans, keep: (drafts) => void state.update(draftsKey, drafts) });
    made.onDidChange(() => {
      changed.fire();
      void vscode.commands.executeCommand('setContext', 'deft.hasComments', made.drafts().comments > 0);
    });
    if (disposed) made.dispose();
    loaded = made;
    made.restore(left());
    return made;
  });
  const findings = importedOnce(async () => {
    const drafts = await threads();
    const { createFindingThreads } = await import('./finding-threads');
    const made = createFindingThreads({
      drafts,
      dismissed: () => dismissedFindings(state),
      dismiss: (all) => keepDismissed(state, all),
    });
    made.onDidChange(() => {
      changed.fire();
      void vscode.commands.executeCommand('setContext', 'deft.hasFindings', made.counts().comments > 0);
    });
    if (disposed) made.dispose();
    return (found = made);
  });
  const later = <Made>(what: () => Promise<Made>, use: (made: Made) => void): void =>
    void what().then(use, (error: unknown) => warn(`Comments could not be shown: ${String(error)}`));
  return {
    onDidChange: changed.event,
    drafts: () => ({ ...(loaded?.drafts() ?? noDrafts), findings: found?.counts() ?? noDrafts }),
    restore() {
      if (left().length > 0) later(threads, () => undefined);
    },
    offer: () => later(threads, () => undefined),
    send: async () => (await threads()).send(),
    box: async (kind) => (await threads()).add(kind),
    opened({ id, surroundings }) {
      const comments = surroundings.comments?.();
      if (comments !== undefined && [...comments.values()].some((one) => one.state !== 'resolved'))
        later(threads, (made) => made.opened(id, comments));
      const all = surroundings.findings?.all();
      if (all !== undefined && all.size > 0) later(findings, (made) => made.opened(id, all));
    },
    heard(event) {
      loaded?.heard(event);
      if (found !== undefined) found.heard(event);
      else if (hasFindings(event)) later(findings, (made) => made.heard(event));
    },
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
      'deft.fixFinding': async (thread: vscode.CommentThread) => (await findings()).fix(thread),
      'deft.fixAllFindings': async () => (await findings()).fix(),
      'deft.dismissFinding': async (thread: vscode.CommentThread) => (await findings()).dismiss(thread),
      'deft.forgetDismissedFindings': async () => (await findings()).forget(),
      'deft.nextFinding': async () => (await findings()).next(),
    },
    dispose() {
      disposed = true;
      found?.dispose();
      loaded?.dispose();
      changed.dispose();
    },
  };
}

function hasFindings(event: SessionEvent): boolean {
  return (
    event.type === 'record' &&
    event.record.type === 'user' &&
    isObject(event.record.toolUseResult) &&
    'reviewFindings' in event.record.toolUseResult
  );
}
