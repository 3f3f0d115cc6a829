// What the history's messages do: list, search, open, rename, fork, export and delete sessions.
import { type WebviewMessageType } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';
import { type Handler, type HandlerServices } from '../panel/handler';

type Handlers<Type extends WebviewMessageType> = { [Each in Type]: Handler<Each> };

/** What each chat's history shows now: shown again after a change. */
const shown = new WeakMap<Chat, { query: string; rows: number }>();
/** The one search of each chat. */
const searches = new WeakMap<Chat, AbortController>();

export const sessionHandlers: Handlers<
  | 'listSessions'
  | 'searchSessions'
  | 'openSession'
  | 'deleteSession'
  | 'deleteAllSessions'
  | 'renameSession'
  | 'forkSession'
  | 'exportSession'
> = {
  listSessions: async ({ query, from }, chat, { post, history }) => {
    const page = await (await history()).page(query, from, undefined, chat.poster.state.sessionId);
    shown.set(chat, { query, rows: from + page.sessions.length });
    post({ type: 'sessions', query, from, ...page });
  },
  searchSessions: async ({ requestId, query }, chat, { post, history }) => {
    searches.get(chat)?.abort();
    const abort = new AbortController();
    searches.set(chat, abort);
    await (
      await history()
    ).search(query, chat.poster.state.sessionId, abort.signal, (sessions) => {
      if (!abort.signal.aborted) post({ type: 'sessionMatches', requestId, sessions, done: false });
    });
    if (!abort.signal.aborted) post({ type: 'sessionMatches', requestId, sessions: [], done: true });
  },
  openSession: ({ sessionId }, chat) => chat.open(sessionId),
  deleteSession: async ({ sessionId }, chat, services) => {
    if (sessionId === chat.poster.state.sessionId) await chat.open(undefined);
    await (await services.history()).remove(sessionId);
    await showAgain(chat, services);
  },
  deleteAllSessions: async (_message, chat, services) => {
    if (await (await services.history()).removeAll()) await showAgain(chat, services);
  },
  renameSession: async ({ sessionId, title }, chat, services) => {
    await (await services.history()).rename(sessionId, title);
    await showAgain(chat, services);
  },
  forkSession: async ({ sessionId }, chat, { history }) => (await history()).fork(sessionId, chat),
  exportSession: async ({ sessionId }, _chat, { history }) => (await history()).export(sessionId),
};

async function showAgain(chat: Chat, { post, history }: HandlerServices): Promise<void> {
  const { query, rows } = shown.get(chat) ?? { query: '', rows: 0 };
  post({
    type: 'sessions',
    query,
    from: 0,
    ...(await (await history()).page(query, 0, rows, chat.poster.state.sessionId)),
  });
}
