// The find bar's state: its words, what the host found, the current hit, and the way there.
import { batch, effect, signal } from '@preact/signals';
import { type FoundItem } from '../../src/shared/answers';
import { findPattern } from '../../src/shared/find-words';
import { focusComposer } from '../state/draft';
import { request } from '../host/vscode-api';
import { chat } from '../state/chat';
import { idsOf } from '../state/turn-rows';
import { nearest, numberOf, type Place, skipItem, stepFrom, total } from './find-place';
import { goTo } from './go-to';
import { clearMarks, mark } from './marks';

export const isOpen = signal(false);
export const words = signal('');
/** Undefined until the host has answered for these words. */
export const found = signal<readonly FoundItem[] | undefined>(undefined);
export const place = signal<Place | undefined>(undefined);
/** The search for a hit continues: older pages are loaded. */
export const underWay = signal(false);

/** The number of the last search: answers to earlier ones are void. */
let asked = 0;
let cancelWay = (): void => undefined;
/** The words that led to a hit already. */
let ledFor = '';
let focusedBefore: Element | null = null;
let field: HTMLInputElement | null = null;

export function setField(element: HTMLInputElement | null): void {
  field = element;
}

/** With what is selected in the conversation, where that is a word or a few. */
export function openFind(): void {
  if (!isOpen.peek()) focusedBefore = document.activeElement;
  const selection = document.getSelection();
  const selected = selection?.anchorNode?.parentElement?.closest('.transcript') ? selection.toString().trim() : '';
  isOpen.value = true;
  if (selected !== '' && selected.length < 200 && !selected.includes('\n')) setWords(selected);
  field?.focus();
  field?.select();
}

export function closeFind(): void {
  const hadFocus = document.activeElement?.closest('.find') != null;
  end();
  if (!hadFocus) return;
  if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected && focusedBefore !== document.body)
    focusedBefore.focus({ preventScroll: true });
  else focusComposer();
}

function end(): void {
  cancelWay();
  batch(() => {
    isOpen.value = false;
    underWay.value = false;
    found.value = undefined;
    place.value = undefined;
  });
  ledFor = '';
  clearMarks();
  void ask('');
}

export function setWords(next: string): void {
  cancelWay();
  batch(() => {
    words.value = next;
    underWay.value = false;
    if (next.trim() === '') found.value = undefined;
  });
  if (next.trim() === '') clearMarks();
}

/** Asks the host: for new words, or since the conversation has changed. */
export function search(): void {
  if (!isOpen.peek()) return;
  void ask(words.peek().trim() === '' ? '' : words.peek().slice(0, 1_000));
}

async function ask(wanted: string): Promise<void> {
  const number = ++asked;
  const hits = await request('find', { words: wanted });
  if (hits !== null && number === asked && isOpen.peek()) takeFound(wanted, hits);
}

function takeFound(wanted: string, hits: readonly FoundItem[]): void {
  const isNew = ledFor !== wanted;
  ledFor = wanted;
  const before = place.peek();
  const stays = before !== undefined && hits.some(({ id }) => id === before.id);
  batch(() => {
    found.value = hits;
    if (!stays) place.value = undefined;
  });
  // The view moves for new words only, not because the conversation continues.
  if (!isNew) markSeen();
  else lead(stays ? { id: before.id, index: 0 } : nearest(hits, idsFromHere()), 1);
}

export function toHit(by: 1 | -1): void {
  const hits = found.peek();
  if (hits === undefined || hits.length === 0) return;
  lead(stepFrom(hits, place.peek(), by), by);
}

/** What is counted may not be drawn, such as a mark within a word: then the next item follows. */
function lead(to: Place | undefined, by: 1 | -1, skipped = 0): void {
  cancelWay();
  place.value = to;
  const pattern = findPattern(words.peek());
  if (to === undefined || !pattern) {
    underWay.value = false;
    return markSeen();
  }
  underWay.value = document.getElementById(`row-${to.id}`) === null;
  const cancel = goTo({
    ...to,
    pattern,
    arrived: (shown) => {
      underWay.value = false;
      const hits = found.peek() ?? [];
      if (by === 1 && shown > 0 && to.index >= shown && skipped < hits.length) {
        cancel();
        return lead(skipItem(hits, to.id, by), by, skipped + 1);
      }
      if (to.index >= shown && shown > 0) place.value = { id: to.id, index: shown - 1 };
      markSeen();
    },
  });
  cancelWay = cancel;
}

/** The visible hits; again after each scroll and change. */
export function markSeen(): void {
  const scroller = document.querySelector('.transcript');
  const pattern = findPattern(words.peek());
  if (!isOpen.peek() || !scroller || !pattern) return;
  mark(scroller, pattern, new Set(found.peek()?.map(({ id }) => id)), place.peek());
}

/** "3 of 12", or that there is none; empty while nothing is known. */
export function countText(): string {
  const hits = found.value;
  if (hits === undefined || words.value.trim() === '') return '';
  return hits.length === 0 ? 'No results' : `${numberOf(hits, place.value) || '?'} of ${total(hits)}`;
}

/** What is in the visible part and below it. */
function idsFromHere(): Set<string> {
  const scroller = document.querySelector('.transcript');
  const top = scroller?.getBoundingClientRect().top ?? 0;
  const below = (row: Element): boolean => row.getBoundingClientRect().bottom > top;
  const first = [...(scroller?.querySelectorAll('[data-key]') ?? [])].find(below)?.getAttribute('data-key');
  const from = chat.rows.findIndex(({ row }) => row.key === first);
  return new Set(from < 0 ? [] : chat.rows.slice(from).flatMap(({ row }) => idsOf(row)));
}

let shownSession = '';

// Another session: what was found is not of it.
effect(() => {
  const { sessionId } = chat.facts.value;
  if (shownSession !== '' && sessionId !== shownSession && isOpen.peek()) end();
  shownSession = sessionId;
});
