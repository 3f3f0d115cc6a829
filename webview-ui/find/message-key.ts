// Alt+Page Up and Alt+Page Down: from one of the user's messages to the one before or after it.
import { askOlder } from '../state/ask-older';
import { chat, page } from '../state/chat';
import { goToItem } from './go-to-item';

/** True where the key was one. */
export function messageKey({ key, altKey, ctrlKey, metaKey, shiftKey, isComposing }: KeyboardEvent): boolean {
  if (!altKey || ctrlKey || metaKey || shiftKey || isComposing || page.peek() !== 'conversation') return false;
  if (key !== 'PageUp' && key !== 'PageDown') return false;
  const own = ownMessages();
  const here = rowInUse();
  const next = key === 'PageUp' ? own.findLast(({ index }) => index < here) : own.find(({ index }) => index > here);
  if (next !== undefined) goToItem(next.id);
  else if (key === 'PageUp' && chat.facts.peek().olderItems > 0) askOlder();
  return true;
}

/** Also of turns that are folded to a line. */
function ownMessages(): { index: number; id: string }[] {
  return chat.rows.flatMap(({ row }, index) => {
    const id = row.type === 'item' ? row.id : row.type === 'fold' && !row.open ? row.all[0] : undefined;
    return id !== undefined && chat.item(id)?.peek().kind === 'user' ? [{ index, id }] : [];
  });
}

/** The index of the row with the focus; outside of the conversation, one past the last row in sight. */
function rowInUse(): number {
  const focused = document.activeElement?.closest('.transcript [data-key]');
  if (focused) return rowIndex(focused);
  const scroller = document.querySelector('.transcript');
  const end = scroller?.getBoundingClientRect().bottom ?? 0;
  const rows = [...(scroller?.querySelectorAll('[data-key]') ?? [])];
  const last = rows.findLast((row) => row.getBoundingClientRect().top < end);
  return last === undefined ? chat.rows.length : rowIndex(last) + 1;
}

function rowIndex(element: Element): number {
  const key = element.getAttribute('data-key');
  return chat.rows.findIndex(({ row }) => row.key === key);
}
