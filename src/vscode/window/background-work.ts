// What of the window the list of all background work asks: its chats, its terminal, and the names of sessions that no chat shows.
import * as vscode from 'vscode';
import { openSessionInChat } from './open-session-in-chat';
import { type WindowParts } from './window-parts';

export async function showAllWork(window: WindowParts): Promise<void> {
  const { terminal, store, log } = window.options;
  const [{ endWork, titlesOf, workOfAll }, { showSessionWork }] = await Promise.all([
    import('../agents/session-work'),
    import('../agents/show-session-work'),
  ]);
  await showSessionWork({
    work: () =>
      workOfAll(
        window.chats().map(({ poster: { state } }) => ({
          session: state.sessionId,
          title: state.title,
          background: state.background,
        })),
        terminal.background(),
        titlesOf(store.list, (error) => log.warn('The names of sessions could not be read.', String(error))),
      ),
    onDidChange: (listener) =>
      vscode.Disposable.from(
        new vscode.Disposable(terminal.onBackgroundEnd(listener)),
        window.board.onDidChange(listener),
      ),
    async stop({ session, item }) {
      if (await terminal.stop(item.id, 'user')) return true;
      return endWork(
        window.chats().find(({ poster }) => poster.state.sessionId === session),
        item.id,
      );
    },
    openSession: (session) => openSessionInChat(window.places, session),
    failed: (what, error) => log.warn(what, String(error)),
  });
}
