// What every menu of the chat does: the keys that move in it, and that it closes when the user turns elsewhere.
import { useEffect, useRef } from 'preact/hooks';
import { useOpened } from './opened';
import { type RefObject } from 'preact';

export interface PopupMenu {
  menu: RefObject<HTMLDivElement | null>;
  entries: () => HTMLButtonElement[];
  onKeyDown: (event: KeyboardEvent) => void;
}

/** `onClose` gives the focus back, `onLeave` does not. The menu's parent holds its button too. */
export function usePopupMenu(onClose: () => void, onLeave: () => void): PopupMenu {
  const menu = useRef<HTMLDivElement>(null);
  useOpened(true, onClose);
  const entries = () => [...(menu.current?.querySelectorAll('button') ?? [])];
  useEffect(() => {
    const outside = (event: Event) => {
      if (event.target instanceof Node && !menu.current?.parentElement?.contains(event.target)) onLeave();
    };
    document.addEventListener('pointerdown', outside);
    window.addEventListener('blur', onLeave);
    return () => {
      document.removeEventListener('pointerdown', outside);
      window.removeEventListener('blur', onLeave);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.findIndex((entry) => entry === document.activeElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (target !== undefined) all[target % all.length]?.focus();
    else if (event.key === 'Escape') onClose();
    else if (event.key === 'Tab') return onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { menu, entries, onKeyDown };
}
