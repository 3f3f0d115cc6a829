// What the history's messages do: list, search, open, rename, fork, export and delete sessions.
import { type sessionMessages } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';
import { type Handlers } from '../panel/handler';

/** The one search of each chat. */
const searches = new WeakMap<Chat, AbortController>();

export const sessionHandlers: Handlers<typeof sessionMessages> = {
  newSession: (_input, chat) => chat.open(undefined),
  listSessions: async ({ query, from, rows }, chat, { history }) =>
    (await history()).page(query, from, rows, chat.poster.state.sessionId),
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
  openSession: ({ sessionId }, chat, { panel: { revealSession } }) => {
    // A session has one writer: where another chat is it, that one is meant.
    if (sessionId === chat.poster.state.sessionId || !revealSession(sessionId)) return chat.open(sessionId);
    return undefined;
  },
  deleteSession: async ({ sessionId }, chat, { history }) => {
    if (sessionId === chat.poster.state.sessionId) await chat.open(undefined, true);
    await (await history()).remove(sessionId);
  },
  deleteAllSessions: async (_input, _chat, { history }) => void (await (await history()).removeAll()),
  renameSession: async ({ sessionId, title }, _chat, { history }) => (await history()).rename(sessionId, title),
  forkSession: async ({ sessionId }, chat, { history }) => (await history()).fork(sessionId, chat),
  exportSession: async ({ sessionId }, _chat, { history }) => (await history()).export(sessionId),
  continueExternal: (_input, chat) => chat.continueExternal(),
  takeOver: (_input, chat) => chat.takeOver(),
};
