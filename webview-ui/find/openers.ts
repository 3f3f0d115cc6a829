// Opens what is folded over words that were found: each card that can open says how.
import { useEffect } from 'preact/hooks';

const openers = new Map<string, Set<() => void>>();

/** `open` shows all that the items with these ids can show. */
export function useOpener(ids: readonly string[], open: () => void): void {
  useEffect(() => {
    for (const id of ids) openers.set(id, (openers.get(id) ?? new Set()).add(open));
    return () => {
      for (const id of ids) {
        const left = openers.get(id);
        left?.delete(open);
        if (left?.size === 0) openers.delete(id);
      }
    };
  });
}

export function openItem(id: string): void {
  for (const open of [...(openers.get(id) ?? [])]) open();
}
