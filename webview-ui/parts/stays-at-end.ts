// Keeps a list that grows at its end in view, unless the user has scrolled away from it.
import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const nearPx = 8;

/** For an element with one child; what is added to `count` is gone to in any case. */
export function useStaysAtEnd(count: number): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const before = useRef(0);
  /** How far down the list came by itself; another place is the user's. */
  const reached = useRef(0);
  useLayoutEffect(() => {
    if (count > before.current && list.current !== null) {
      follows.current = true;
      list.current.scrollTo(0, list.current.scrollHeight);
      reached.current = list.current.scrollTop;
    }
    before.current = count;
  }, [count]);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const onScroll = (): void => {
      // The list may have grown between its own step and the event of it.
      if (Math.abs(element.scrollTop - reached.current) <= 1) return;
      reached.current = element.scrollTop;
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight <= nearPx;
    };
    const observer = new ResizeObserver(() => {
      if (!follows.current) return;
      element.scrollTo(0, element.scrollHeight);
      reached.current = element.scrollTop;
    });
    element.addEventListener('scroll', onScroll);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, []);
  return list;
}
