// Hands the focus on when the element that has it goes away.
import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** `next` is called with the element, still in its place, where it is removed while the focus is in it. */
export function useHandOnFocus<Kind extends HTMLElement>(next: (gone: Kind) => void): RefObject<Kind | null> {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const own = element.current;
    return () => {
      if (own?.contains(document.activeElement) === true) next(own);
    };
  }, []);
  return element;
}
