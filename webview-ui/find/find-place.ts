// Which hit is current in the find bar, among those that the host counted.
import { type FoundItem } from '../../src/shared/answers';

export interface Place {
  id: string;
  /** Of the item's hits. */
  index: number;
}

export function total(found: readonly FoundItem[]): number {
  return found.reduce((sum, { hits }) => sum + hits, 0);
}

/** From 1 on; 0 where it is none of them. */
export function numberOf(found: readonly FoundItem[], place: Place | undefined): number {
  let before = 0;
  for (const { id, hits } of found) {
    if (id === place?.id) return before + Math.min(place.index, hits - 1) + 1;
    before += hits;
  }
  return 0;
}

/** The next one or the one before, around the ends. */
export function stepFrom(found: readonly FoundItem[], place: Place | undefined, by: 1 | -1): Place | undefined {
  const at = found.findIndex(({ id }) => id === place?.id);
  const item = found[at];
  if (!item || !place) return endOf(found, by);
  const index = Math.min(place.index, item.hits - 1) + by;
  if (index >= 0 && index < item.hits) return { id: item.id, index };
  return skipItem(found, item.id, by);
}

/** Past all that is left of an item. */
export function skipItem(found: readonly FoundItem[], from: string, by: 1 | -1): Place | undefined {
  const next = found[found.findIndex(({ id }) => id === from) + by];
  return next ? { id: next.id, index: by === 1 ? 0 : next.hits - 1 } : endOf(found, by);
}

/** The first hit in or below what the reader looks at (`seen`: the ids there and below), else the last one. */
export function nearest(found: readonly FoundItem[], seen: ReadonlySet<string>): Place | undefined {
  const first = found.find(({ id }) => seen.has(id));
  return first ? { id: first.id, index: 0 } : endOf(found, -1);
}

function endOf(found: readonly FoundItem[], by: 1 | -1): Place | undefined {
  const item = by === 1 ? found[0] : found.at(-1);
  return item && { id: item.id, index: by === 1 ? 0 : item.hits - 1 };
}
