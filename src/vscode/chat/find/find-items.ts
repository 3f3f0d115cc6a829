// Finds words in all items of a session, a few milliseconds at a time.
import { type ChatItem } from '../../../shared/chat';
import { countHits, findPattern } from '../../../shared/find-words';
import { type FoundItem } from '../../../shared/answers';
import { findText } from './find-text';

/** The extension host is free again after that. */
const sliceMs = 8;

export interface FindOptions {
  signal: AbortSignal;
  /** Of the same words before: an item that is the same object needs no second look. */
  counts: WeakMap<ChatItem, number>;
  /** Lets the host do other things. */
  pause: () => Promise<void>;
  now: () => number;
}

/** Those that hold the words, the oldest first; undefined where a newer search took its place. */
export async function findItems(
  items: readonly ChatItem[],
  words: string,
  { signal, counts, pause, now }: FindOptions,
): Promise<FoundItem[] | undefined> {
  const pattern = findPattern(words);
  const found: FoundItem[] = [];
  if (pattern === undefined) return found;
  let until = now() + sliceMs;
  for (const item of items) {
    if (now() > until) {
      await pause();
      until = now() + sliceMs;
    }
    if (signal.aborted) return undefined;
    const hits = counts.get(item) ?? countHits(findText(item), pattern);
    counts.set(item, hits);
    if (hits > 0) found.push({ id: item.id, hits });
  }
  return found;
}
