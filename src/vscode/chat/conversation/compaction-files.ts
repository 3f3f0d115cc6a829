// The buttons of a compaction's card: reads and edits its summary as a Markdown file of the session, and undoes it.
import * as vscode from 'vscode';
import { compactions, replacingText, summaryText } from '../../../core/sessions/compacted-log';
import { uriOf } from '../../host/uri-path';
import { type Chat } from './chat';
import { compaction } from '../../../core/features/compaction/compaction-key';

/** Edited summaries that are saved into their session, by file. */
const watched = new Map<string, vscode.Disposable>();

export async function actOnCompaction(chat: Chat, id: string, action: 'read' | 'edit' | 'undo'): Promise<void> {
  const session = await chat.session();
  const found = compactions(session.records).findIndex(({ boundary }) => boundary.uuid === id);
  const wanted = compactions(session.records)[found];
  if (wanted === undefined) return;
  if (action === 'undo') {
    if (chat.running) chat.notice('info', 'Deft is working.', 'Undo the compaction after the turn.');
    else session.feature(compaction)?.undo(id);
    return;
  }
  const edits = action === 'edit';
  const name = `compaction-${found + 1}${edits ? '-summary' : ''}.md`;
  const path = `${session.surroundings.resultsDirectory}/${name}`;
  const { fsPath } = uriOf(path);
  // What the user is writing there is not overwritten.
  const isDirty = vscode.workspace.textDocuments.some((open) => open.uri.fsPath === fsPath && open.isDirty);
  if (!isDirty)
    await session.ports.files.writeOwnFile(path, edits ? summaryText(wanted.summary) : replacingText(wanted.summary));
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  if (edits) watch(document, chat, session.id, id);
  await vscode.window.showTextDocument(document, { preview: !edits });
  if (edits) vscode.window.setStatusBarMessage('Deft: save the file to use your summary.', 10_000);
}

/** What the user saves counts from the next request on, as long as the chat shows the session. */
function watch(document: vscode.TextDocument, chat: Chat, sessionId: string, id: string): void {
  const { fsPath } = document.uri;
  watched.get(fsPath)?.dispose();
  const subscriptions = [
    vscode.workspace.onDidSaveTextDocument(async (saved) => {
      if (saved.uri.fsPath !== fsPath) return;
      // A chat that is closed has none any more.
      const session =
        chat.poster.state.sessionId === sessionId ? await chat.session().catch(() => undefined) : undefined;
      if (session?.id === sessionId && session.feature(compaction)?.edit(id, saved.getText()) === true) return;
      void vscode.window.showWarningMessage(
        'Deft: the summary was not used, since its conversation is no longer open. Open it and edit the summary there.',
      );
    }),
    vscode.workspace.onDidCloseTextDocument((closed) => {
      if (closed.uri.fsPath !== fsPath) return;
      watched.get(fsPath)?.dispose();
      watched.delete(fsPath);
    }),
  ];
  watched.set(fsPath, vscode.Disposable.from(...subscriptions));
}
