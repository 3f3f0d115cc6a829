// What is open over the chat, the last on top: Escape closes that before it means anything else.
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Opened {
  close: () => void;
}

const stack: Opened[] = [];

/** While `open`, Escape closes it. */
export function useOpened(open: boolean, close: () => void): void {
  const current = useRef(close);
  current.current = close;
  // As soon as it is seen: a key may follow at once.
  useLayoutEffect(() => {
    if (!open) return undefined;
    const entry: Opened = { close: () => current.current() };
    stack.push(entry);
    return () => void stack.splice(stack.indexOf(entry), 1);
  }, [open]);
}

/** True if there was something to close. */
export function closeOpened(): boolean {
  const top = stack.at(-1);
  top?.close();
  return top !== undefined;
}
