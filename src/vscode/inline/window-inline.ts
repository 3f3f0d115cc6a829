// Edits at the cursor, as far as a window needs them at its start: their code comes with the first of them.
import type * as vscode from 'vscode';
import { type SessionEvent } from '../../core/events/session-event';
import { importedOnce } from '../host/imported-once';
import { type InlineEdits, type InlineServices } from './inline-edits';

export interface WindowInline extends vscode.Disposable {
  readonly commands: Record<string, (...args: never[]) => unknown>;
  heard(session: string, event: SessionEvent): void;
  shows(requestId: string): boolean;
}

/** `prepare`: what an answer needs is loaded while the user writes. */
export function createWindowInline(services: InlineServices, prepare: () => void): WindowInline {
  let loaded: InlineEdits | undefined;
  let disposed = false;
  const edits = importedOnce(async () => {
    const made = (await import('./inline-edits')).createInlineEdits(services);
    if (disposed) made.dispose();
    return (loaded = made);
  });
  return {
    heard: (session, event) => loaded?.heard(session, event),
    shows: (requestId) => loaded?.shows(requestId) ?? false,
    commands: {
      'deft.inlineEdit': async () => {
        prepare();
        await (await edits()).open();
      },
      'deft.askInline': async (reply: vscode.CommentReply) => (await edits()).ask(reply),
      'deft.retryInline': async (reply: vscode.CommentReply) => (await edits()).retry(reply),
      'deft.acceptInline': async (which?: vscode.CommentThread | string) => (await edits()).accept(which),
      'deft.rejectInline': async (which?: vscode.CommentThread | string) => (await edits()).reject(which),
      'deft.diffInline': async (which?: vscode.CommentThread | string) => (await edits()).diff(which),
      'deft.discardInline': async (thread: vscode.CommentThread) => (await edits()).discard(thread),
    },
    dispose() {
      disposed = true;
      loaded?.dispose();
    },
  };
}
