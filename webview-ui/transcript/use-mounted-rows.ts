// Ties the decision which rows are mounted to the page: measures rows, follows the scrolling, the focus and the selection.
import { type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { wantedItem } from '../find/wanted-item';
import { chat } from '../state/chat';
import { MountedRows } from './mounted-rows';
import { restoreScrolls } from './row-scrolls';
import { type Scroll } from './scroll';

export function useMountedRows(scroller: RefObject<HTMLDivElement | null>, scroll: Scroll): MountedRows {
  const mounted = useMemo(() => new MountedRows(chat), []);
  const [, draw] = useState(0);
  const version = chat.rowsVersion.value;
  const taken = useRef(-1);
  const session = useRef('');
  const sessionId = chat.facts.value.sessionId;
  const wanted = wantedItem.value;
  if (session.current !== sessionId) mounted.forget();
  session.current = sessionId;
  if (taken.current !== version) mounted.takeRows();
  taken.current = version;
  if (scroll.isSticking()) mounted.lookAtEnd();
  const kept = () => ({ ids: wantedItem.peek() === undefined ? [] : [wantedItem.peek() ?? ''], keys: heldRows() });
  // What is mounted by it is drawn now.
  if (mounted.decide(kept()) || wanted !== undefined) scroll.holdPosition();

  /** Draws again where other rows are to be mounted than are. */
  const lookAgain = (): void => {
    const element = scroller.current;
    if (!element || element.clientHeight === 0) return;
    mounted.look({ top: element.scrollTop, height: element.clientHeight }, element.clientWidth);
    if (scroll.isSticking()) mounted.lookAtEnd();
    if (!mounted.decide(kept())) return;
    scroll.holdPosition();
    draw((count) => count + 1);
  };
  const latest = useRef(lookAgain);
  latest.current = lookAgain;

  const sizes = useRef<ResizeObserver | undefined>(undefined);
  const observed = useRef(new Map<string, Element>());
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let frame = 0;
    sizes.current = new ResizeObserver((entries) => {
      if (element.clientHeight === 0) return;
      for (const { target, borderBoxSize } of entries)
        if (target.isConnected && target !== element) mounted.measured(keyOf(target), borderBoxSize[0]?.blockSize ?? 0);
      // Rows that became lower leave room for others: not here, where sizes must not change.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => latest.current());
    });
    for (const row of observed.current.values()) sizes.current.observe(row);
    // A view that grows, or that gets its size only now, shows rows that nothing has scrolled to.
    sizes.current.observe(element);
    const onScroll = (): void => latest.current();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.current?.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  // After each drawing: what has come is measured before it is painted.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || element.clientHeight === 0) return;
    const now = new Map<string, Element>();
    for (const row of element.querySelectorAll('[data-key]')) now.set(keyOf(row), row);
    for (const [key, row] of observed.current) if (now.get(key) !== row) sizes.current?.unobserve(row);
    for (const [key, row] of now) {
      if (observed.current.get(key) === row) continue;
      sizes.current?.observe(row);
      mounted.measured(key, row.getBoundingClientRect().height);
      restoreScrolls(row, key);
    }
    observed.current = now;
    mounted.drawn(new Set(now.keys()));
    scroll.settle();
    lookAgain();
  });
  return mounted;
}

function keyOf(row: Element): string {
  return row.getAttribute('data-key') ?? '';
}

/** Rows that have the focus, or an end of the selection. */
function heldRows(): string[] {
  const selection = document.getSelection();
  const ends = selection === null || selection.isCollapsed ? [] : [selection.anchorNode, selection.focusNode];
  return [document.activeElement, ...ends].flatMap((node) => {
    const row = (node instanceof Element ? node : node?.parentElement)?.closest('[data-key]');
    return row ? [keyOf(row)] : [];
  });
}
