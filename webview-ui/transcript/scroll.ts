// Keeps the conversation at its end while the reader is there, and what they look at in place where they are not.
import { type RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wantedItem } from '../find/wanted-item';
import { keepState, keptState } from '../host/vscode-api';
import { chat, received } from '../state/chat';
import { followWishes } from '../state/follow';
import { idsOf } from '../state/turn-rows';

/** Nearer than this counts as being at the end. */
const NEAR_END = 12;

export interface Scroll {
  atEnd: boolean;
  toEnd: () => void;
  /** Call before something is put above what the reader looks at. */
  holdPosition: () => void;
  /** Call after it was drawn: what was held is put back, or the end is gone to. */
  settle: () => void;
  /** The view is at the end, and stays there. */
  isSticking: () => boolean;
}

export function useScroll(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
): Scroll {
  const [atEnd, setAtEnd] = useState(true);
  const sticking = useRef(true);
  const held = useRef<{ element: Element; top: number } | undefined>(undefined);
  const aim = useRef<Aim | undefined>(undefined);
  const pinned = useRef({ top: 0, height: 0 });

  const pin = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    if (aim.current) aim.current = goOn(element, aim.current);
    else if (sticking.current && !hasLeft(element, pinned.current)) {
      element.scrollTop = element.scrollHeight;
      pinned.current = { top: element.scrollTop, height: element.scrollHeight };
    }
  }, []);

  const holdPosition = useCallback(() => {
    const element = scroller.current;
    if (!element || sticking.current || held.current) return;
    held.current = lookedAt(element);
  }, []);

  const settle = useCallback(() => {
    const element = scroller.current;
    const hold = held.current;
    held.current = undefined;
    if (!element || aim.current || sticking.current) return pin();
    if (!hold?.element.isConnected) return;
    const moved = hold.element.getBoundingClientRect().top - hold.top;
    // Where the browser itself has held it, setting the place would end the user's own scrolling.
    if (Math.abs(moved) > 0.5) element.scrollTop += moved;
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    let last = element.scrollTop;
    let saving: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END;
      if (aim.current && Math.abs(element.scrollTop - aim.current.reached) > 1) {
        aim.current = undefined;
        wantedItem.value = undefined;
      }
      // Content that grows moves the end away without anyone scrolling up.
      if (near && !aim.current) sticking.current = true;
      else if (element.scrollTop < last - 1) sticking.current = false;
      last = element.scrollTop;
      setAtEnd(sticking.current);
      clearTimeout(saving);
      saving = setTimeout(
        () => keepState({ sessionId: chat.facts.peek().sessionId, anchor: anchorOf(element, sticking.current) }),
        300,
      );
    };
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    observer.observe(content.current);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      clearTimeout(saving);
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  useOpenedPlace(scroller, (place) => {
    aim.current = place;
    sticking.current = aim.current === undefined;
    pinned.current = { top: 0, height: 0 };
    pin();
    setAtEnd(sticking.current);
  });

  const goToEnd = useCallback(() => {
    sticking.current = true;
    pinned.current = { top: 0, height: 0 };
    aim.current = undefined;
    setAtEnd(true);
    pin();
  }, []);
  const wishes = followWishes.value;
  useLayoutEffect(() => {
    if (wishes > 0) goToEnd();
  }, [wishes]);

  const toEnd = useCallback(() => {
    goToEnd();
    scroller.current?.focus({ preventScroll: true });
  }, []);

  return { atEnd, toEnd, holdPosition, settle, isSticking: useCallback(() => sticking.current, []) };
}

/** A conversation that was opened shows its end (undefined), or after a reload the place where the reader was. */
function useOpenedPlace(scroller: RefObject<HTMLDivElement | null>, show: (place: Aim | undefined) => void): void {
  const opened = received.opened.value;
  const shownSession = useRef('');
  useLayoutEffect(() => {
    const sessionId = chat.facts.peek().sessionId;
    if (!scroller.current || opened === 0 || shownSession.current === sessionId) return;
    shownSession.current = sessionId;
    const kept = keptState();
    const anchor = kept?.sessionId === sessionId ? kept.anchor : null;
    const target = anchor && idOfRow(anchor.id);
    if (target) wantedItem.value = target;
    show(anchor && target ? { ...anchor, reached: 0 } : undefined);
  }, [opened]);
}

/**
 * Something scrolled up since the view was put to the end, and the event of it has not come yet. What became shorter only ends elsewhere,
 * and a view that became higher, as when an approval goes, shows the same end from further up.
 */
function hasLeft(scroller: Element, pinned: { top: number; height: number }): boolean {
  const end = Math.min(pinned.top, pinned.height - scroller.clientHeight);
  return scroller.scrollTop < end - 1 && scroller.scrollHeight >= pinned.height;
}

/** A place to go to that may not be drawn yet: a long text grows into the page over some frames. */
interface Aim {
  /** Of the row's element. */
  id: string;
  offset: number;
  /** How far down the scroller came; anything else means that the user scrolled. */
  reached: number;
}

/** Undefined once it is there. */
function goOn(scroller: Element, aim: Aim): Aim | undefined {
  const row = document.getElementById(aim.id);
  // It is about to be mounted.
  if (!row) return aim;
  const left = () => row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - aim.offset;
  scroller.scrollTop += left();
  if (Math.abs(left()) > 1) return { ...aim, reached: scroller.scrollTop };
  wantedItem.value = undefined;
  return undefined;
}

/** The item by which a row is mounted; undefined where it is not loaded. */
function idOfRow(elementId: string): string | undefined {
  const placed = chat.rows.find(({ row }) => `row-${row.key}` === elementId);
  return placed && idsOf(placed.row)[0];
}

/** The first item that reaches into the visible part. */
function firstSeen(scroller: Element): Element | undefined {
  const top = scroller.getBoundingClientRect().top;
  const rows = scroller.querySelectorAll('[data-key]');
  // Rows that are kept mounted may be far above.
  for (const row of rows) {
    if (row.getBoundingClientRect().bottom <= top) continue;
    const inside = [...row.querySelectorAll('[data-row]')];
    return inside.find((card) => card.getBoundingClientRect().bottom > top) ?? row;
  }
  return undefined;
}

/** What the reader looks at. In a gap that is nothing: what comes there is shown from where the user has scrolled to. */
function lookedAt(scroller: Element): { element: Element; top: number } | undefined {
  const row = firstSeen(scroller);
  // What is in it: how far it is from the row above may change with that row.
  const element = row?.firstElementChild ?? row;
  if (!element) return undefined;
  const { top } = element.getBoundingClientRect();
  return top < scroller.getBoundingClientRect().bottom ? { element, top } : undefined;
}

function anchorOf(scroller: Element, sticking: boolean): { id: string; offset: number } | null {
  const seen = sticking ? undefined : firstSeen(scroller);
  if (!seen?.id) return null;
  return { id: seen.id, offset: seen.getBoundingClientRect().top - scroller.getBoundingClientRect().top };
}
