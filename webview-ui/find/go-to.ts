// Leads to a hit or an item: loads and draws what is above, opens what is folded over it, and scrolls until it stands still.
import { chat } from '../state/chat';
import { askOlder } from '../state/ask-older';
import { hitRanges } from './hit-ranges';
import { openItem } from './openers';
import { wantedItem } from './wanted-item';

/** Frames that an opened card or a long text may need to show its words. */
const SHOWN_WITHIN = 40;
/** Frames for which the place is put right: heights above are guesses until they are drawn. */
const SETTLED_WITHIN = 30;
/** The part of the view above a hit. */
const ABOVE = 1 / 3;

export interface Way {
  id: string;
  index: number;
  /** Left out where the item itself is meant. */
  pattern?: RegExp;
  /** There; `shown` is how many of the item's hits can be seen. */
  arrived: (shown: number) => void;
}

/** Returns a function that ends the way. */
export function goTo({ id, index, pattern, arrived }: Way): () => void {
  let frame = 0;
  let looks = 0;
  let steady = 0;
  let settling = 0;
  let over = false;
  const scroller = document.querySelector('.transcript');
  const end = (): void => {
    over = true;
    cancelAnimationFrame(frame);
    if (wantedItem.peek() === id) wantedItem.value = undefined;
    for (const type of ['wheel', 'pointerdown', 'touchstart']) scroller?.removeEventListener(type, end);
  };
  const step = (): void => {
    if (over || !scroller) return;
    frame = requestAnimationFrame(step);
    if (!chat.item(id)) {
      if (chat.facts.peek().olderItems > 0) askOlder();
      // It is gone meanwhile: the next answer says so.
      else end();
      return;
    }
    const row = document.getElementById(`row-${id}`);
    if (!row) {
      wantedItem.value = id;
      openItem(id);
      return;
    }
    wantedItem.value = undefined;
    const ranges = pattern === undefined ? [] : hitRanges(row, pattern);
    if (pattern !== undefined && ranges.length <= index && looks < SHOWN_WITHIN) {
      looks++;
      openItem(id);
      return;
    }
    if (settling === 0) arrived(ranges.length);
    if (over) return;
    const moved = importIn(scroller, row, ranges[index] ?? ranges.at(-1), settling === 0);
    steady = moved ? 0 : steady + 1;
    if (++settling >= SETTLED_WITHIN || steady >= 3) end();
  };
  for (const type of ['wheel', 'pointerdown', 'touchstart']) scroller?.addEventListener(type, end, { passive: true });
  frame = requestAnimationFrame(step);
  return end;
}

/** What is clearly visible stays where it is. */
function importIn(scroller: Element, row: Element, range: Range | undefined, first: boolean): boolean {
  let box = (range ?? row).getBoundingClientRect();
  // A long output scrolls by itself.
  for (let parent = range?.startContainer.parentElement; parent && parent !== scroller; parent = parent.parentElement) {
    const view = parent.getBoundingClientRect();
    if (parent.scrollHeight > parent.clientHeight + 1 && (box.top < view.top || box.bottom > view.bottom))
      parent.scrollTop += box.top - view.top - view.height * ABOVE;
    if (parent.scrollWidth > parent.clientWidth + 1 && (box.left < view.left || box.right > view.right))
      parent.scrollLeft += box.left - view.left - view.width * ABOVE;
    box = (range ?? row).getBoundingClientRect();
  }
  const view = scroller.getBoundingClientRect();
  const top = box.top - view.top;
  // Below the bar, which floats over the beginning.
  const inSight = top >= 48 && (range ? box.bottom : box.top + 24) <= view.bottom - 8;
  if (inSight && first) return false;
  const before = scroller.scrollTop;
  if (!inSight) scroller.scrollTop += top - view.height * ABOVE;
  return Math.abs(scroller.scrollTop - before) > 1;
}
