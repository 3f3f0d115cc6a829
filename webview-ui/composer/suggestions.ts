// Asks the host what fits to what is being typed, and keeps which suggestion is the active one.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HostMessage } from '../../src/shared/protocol';
import { received } from '../state/chat';

export interface Suggestions<Item> {
  items: readonly Item[];
  active: number;
  setActive: (index: number) => void;
  /** They are for what stands there now: a key may choose one. */
  fresh: boolean;
}

/** None while `query` is undefined. `itemsOf` knows the answer to the question with that id. */
export function useSuggestions<Item>(
  query: string | undefined,
  debounceMs: number,
  ask: (requestId: number, query: string) => void,
  itemsOf: (message: HostMessage, requestId: number) => readonly Item[] | undefined,
): Suggestions<Item> {
  const [found, setFound] = useState<{ query?: string; items: readonly Item[] }>({ items: [] });
  const [active, setActive] = useState(0);
  const requestId = useRef(0);
  const asked = useRef('');

  useEffect(() => {
    // What was found for less no longer fits.
    requestId.current++;
    if (query === undefined) {
      setFound({ items: [] });
      return undefined;
    }
    asked.current = query;
    const timer = setTimeout(() => ask(requestId.current, query), debounceMs);
    return () => clearTimeout(timer);
  }, [query]);

  useEffect(
    () =>
      received.listen((message) => {
        const items = itemsOf(message, requestId.current);
        if (items === undefined) return;
        setFound({ query: asked.current, items });
        setActive(0);
      }),
    [],
  );

  const items = query === undefined ? [] : found.items;
  return { items, active: Math.min(active, Math.max(0, items.length - 1)), setActive, fresh: found.query === query };
}
