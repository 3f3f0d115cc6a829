// Asks the host what fits to what is being typed, and keeps which suggestion is the active one.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Suggestions<Item> {
  items: readonly Item[];
  active: number;
  setActive: (index: number) => void;
  /** They are for what is there now: a key may choose one. */
  fresh: boolean;
}

/** None while `query` is undefined. */
export function useSuggestions<Item>(
  query: string | undefined,
  debounceMs: number,
  ask: (query: string) => Promise<readonly Item[]>,
): Suggestions<Item> {
  const [found, setFound] = useState<{ query?: string; items: readonly Item[] }>({ items: [] });
  const [active, setActive] = useState(0);
  const asked = useRef(0);

  useEffect(() => {
    // What was found for less no longer fits.
    const number = ++asked.current;
    if (query === undefined) {
      setFound({ items: [] });
      return undefined;
    }
    const timer = setTimeout(async () => {
      const items = await ask(query);
      if (number !== asked.current) return;
      setFound({ query, items });
      setActive(0);
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [query]);

  const items = query === undefined ? [] : found.items;
  return { items, active: Math.min(active, Math.max(0, items.length - 1)), setActive, fresh: found.query === query };
}
