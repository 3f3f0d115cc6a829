// Keeps the conversation at its end while the reader is there, and what they look at in place where they are not.
import { type RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepState, keptState } from '../host/vscode-api';
import { chat, received } from '../state/chat';
import { followWishes } from '../state/follow';

/** Nearer than this counts as being at the end. */
const NEAR_END = 12;

export interface Scroll {
  atEnd: boolean;
  toEnd: () => void;
  /** Call before something is put above what the reader looks at. */
  holdPosition: () => void;
}

export function useScroll(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
): Scroll {
  const [atEnd, setAtEnd] = useState(true);
  const sticking = useRef(true);
  const held = useRef<{ element: Element; top: number } | undefined>(undefined);
  const aim = useRef<Aim | undefined>(undefined);

  const pin = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    if (aim.current) aim.current = goOn(element, aim.current);
    else if (sticking.current) element.scrollTop = element.scrollHeight;
  }, []);

  const holdPosition = useCallback(() => {
    const element = scroller.current;
    if (!element || sticking.current || held.current) return;
    const seen = firstSeen(element);
    if (seen) held.current = { element: seen, top: seen.getBoundingClientRect().top };
  }, []);

  // After each drawing: put back what was held.
  useLayoutEffect(() => {
    const element = scroller.current;
    const hold = held.current;
    held.current = undefined;
    if (!element || !hold?.element.isConnected) return;
    element.scrollTop += hold.element.getBoundingClientRect().top - hold.top;
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    let last = element.scrollTop;
    let saving: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END;
      if (aim.current && Math.abs(element.scrollTop - aim.current.reached) > 1) aim.current = undefined;
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

  // A conversation that was opened shows its end, or after a reload the place where the reader was.
  const opened = received.opened.value;
  const shownSession = useRef('');
  useLayoutEffect(() => {
    const element = scroller.current;
    const sessionId = chat.facts.peek().sessionId;
    if (!element || opened === 0 || shownSession.current === sessionId) return;
    shownSession.current = sessionId;
    const kept = keptState();
    const target = kept?.sessionId === sessionId && kept.anchor ? document.getElementById(kept.anchor.id) : null;
    sticking.current = target === null;
    aim.current = target && kept?.anchor ? { element: target, offset: kept.anchor.offset, reached: 0 } : undefined;
    pin();
    setAtEnd(sticking.current);
  }, [opened]);

  const goToEnd = useCallback(() => {
    sticking.current = true;
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

  return { atEnd, toEnd, holdPosition };
}

/** A place to go to that may not be drawn yet: a long text grows into the page over some frames. */
interface Aim {
  element: Element;
  offset: number;
  /** How far down the scroller came; anything else means that the user scrolled. */
  reached: number;
}

/** Undefined once it is there. */
function goOn(scroller: Element, aim: Aim): Aim | undefined {
  const left = () => aim.element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - aim.offset;
  scroller.scrollTop += left();
  return Math.abs(left()) <= 1 || !aim.element.isConnected ? undefined : { ...aim, reached: scroller.scrollTop };
}

/** The first item that reaches into the visible part. */
function firstSeen(scroller: Element): Element | undefined {
  const top = scroller.getBoundingClientRect().top;
  for (const article of scroller.querySelectorAll('article')) {
    if (article.getBoundingClientRect().bottom <= top) continue;
    for (const row of article.querySelectorAll('[data-row]')) if (row.getBoundingClientRect().bottom > top) return row;
    return article;
  }
  return undefined;
}

function anchorOf(scroller: Element, sticking: boolean): { id: string; offset: number } | null {
  const seen = sticking ? undefined : firstSeen(scroller);
  if (!seen?.id) return null;
  return { id: seen.id, offset: seen.getBoundingClientRect().top - scroller.getBoundingClientRect().top };
}
