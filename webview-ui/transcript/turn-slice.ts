// How many turns are drawn in one go: what they cost, not their number, makes a frame late.
import { type ChatItem } from '../../src/shared/chat';
import { firstStep } from '../markdown/step';
import { type Turn } from '../state/chat-store';

/** In characters of Markdown: more than a tall screen, and drawn in some 20 ms. */
export const FIRST_SLICE = 8_000;
/** Out of sight there is neither layout nor paint. */
export const NEXT_SLICE = 16_000;
/** What other things cost, counted in characters. */
const ITEM_LENGTH = 200;
const DIFF_LENGTH = 3_000;

/** The index of the first turn that is drawn together with its followers before `end`: at least one, then up to `limit` characters. */
export function slice(
  turns: readonly Turn[],
  end: number,
  limit: number,
  item: (id: string) => ChatItem | undefined,
): number {
  let from = Math.max(0, end - 1);
  let length = lengthOf(turns[from], item);
  while (from > 0) {
    length += lengthOf(turns[from - 1], item);
    if (length > limit) break;
    from--;
  }
  return from;
}

function lengthOf(turn: Turn | undefined, item: (id: string) => ChatItem | undefined): number {
  return (turn?.ids.peek() ?? []).reduce((sum, id) => sum + ITEM_LENGTH + ownLength(item(id)), 0);
}

function ownLength(item: ChatItem | undefined): number {
  if (item?.kind === 'text') return Math.min(item.text.length, firstStep(item.streaming));
  return item?.kind === 'tool' && item.view?.kind === 'diff' ? DIFF_LENGTH : 0;
}
