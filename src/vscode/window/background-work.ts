// What of the window the list of all background work asks: its chats, its terminal, and the names of sessions that no chat shows.
import * as vscode from 'vscode';
import { openSessionInChat } from './open-session-in-chat';
import { type WindowParts } from './window-parts';

export async function showAllWork(window: WindowParts): Promise<void> {
  const { terminal, store } = window.options;
  const [{ workOfAll }, { showSessionWork }] = await Promise.all([
    import('../agents/session-work'),
    import('../agents/show-session-work'),
  ]);
  await showSessionWork({
    async work() {
      const listed = store.list();
      return workOfAll(
        window.chats().map(({ poster: { state } }) => ({
          session: state.sessionId,
          title: state.title,
          background: state.background,
        })),
        terminal.background(),
        async (session) => (await listed).find(({ id }) => id === session)?.title,
      );
    },
    onDidChange: (listener) =>
      vscode.Disposable.from(
        new vscode.Disposable(terminal.onBackgroundEnd(listener)),
        window.board.onDidChange(listener),
      ),
    async stop({ session, item }) {
      if (await terminal.stop(item.id, 'user')) return;
      const chat = window.chats().find(({ poster }) => poster.state.sessionId === session);
      await (await chat?.session())?.controls.end(item.id);
    },
    openSession: (session) => openSessionInChat(window.places, session),
  });
}
