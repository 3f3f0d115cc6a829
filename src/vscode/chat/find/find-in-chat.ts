// Answers the find bar: which items of the whole session hold its words, of one search a chat.
import { setImmediate } from 'node:timers/promises';
import { type ChatItem } from '../../../shared/chat';
import { type FoundItem } from '../../../shared/answers';
import { type Chat } from '../conversation/chat';
import { findItems } from './find-items';

/** The one search of each chat, and what it has counted for its words. */
const searches = new WeakMap<Chat, { abort: AbortController; words: string; counts: WeakMap<ChatItem, number> }>();

/** Null where a newer search took its place. */
export async function findInChat(words: string, chat: Chat): Promise<FoundItem[] | null> {
  const before = searches.get(chat);
  before?.abort.abort();
  // No words: the bar is closed.
  if (words === '') {
    searches.delete(chat);
    return null;
  }
  const search = {
    abort: new AbortController(),
    words,
    counts: before?.words === words ? before.counts : new WeakMap<ChatItem, number>(),
  };
  searches.set(chat, search);
  const found = await findItems([...chat.poster.state.items], words, {
    signal: search.abort.signal,
    counts: search.counts,
    pause: () => setImmediate(),
    now: () => performance.now(),
  });
  return found === undefined || search.abort.signal.aborted ? null : found;
}
