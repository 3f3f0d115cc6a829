// What the find bar's message does: looks for its words in the whole session and answers which items hold them.
import { setImmediate } from 'node:timers/promises';
import { type ChatItem } from '../../shared/chat';
import { type Chat } from './chat';
import { type Handler } from './handler';
import { findItems } from './find-items';

/** The one search of each chat, and what it has counted for its words. */
const searches = new WeakMap<Chat, { abort: AbortController; words: string; counts: WeakMap<ChatItem, number> }>();

export const findHandlers: { find: Handler<'find'> } = {
  find: async ({ requestId, words }, chat, { post }) => {
    const before = searches.get(chat);
    before?.abort.abort();
    // No words: the bar is closed.
    if (words === '') return void searches.delete(chat);
    const search = { abort: new AbortController(), words, counts: before?.words === words ? before.counts : new WeakMap<ChatItem, number>() };
    searches.set(chat, search);
    const found = await findItems(chat.poster.state.items, words, { signal: search.abort.signal, counts: search.counts, pause: () => setImmediate(), now: () => performance.now() });
    if (found !== undefined && !search.abort.signal.aborted) post({ type: 'found', requestId, words, found });
  },
};
