// Where the user has scrolled within rows (outputs, diffs, code): found again when the row comes back.
import { keepRowState, rowState } from '../state/row-state';

const SCROLLED = '.diff, .terminal-output, .found-list, .code, .table-scroll';

type Place = readonly [left: number, top: number];

/** For scroll events on their way down to what was scrolled. */
export function noteScroll({ target }: Event): void {
  const row = target instanceof Element ? target.closest('[data-key]') : null;
  if (!(target instanceof Element) || !row || !target.matches(SCROLLED)) return;
  const at = [...row.querySelectorAll(SCROLLED)].indexOf(target);
  const places = new Map(placesOf(row.getAttribute('data-key') ?? ''));
  places.set(at, [target.scrollLeft, target.scrollTop]);
  keepRowState(nameOf(row.getAttribute('data-key') ?? ''), places);
}

export function restoreScrolls(row: Element, key: string): void {
  const places = placesOf(key);
  if (places.size === 0) return;
  row.querySelectorAll(SCROLLED).forEach((element, index) => {
    const [left, top] = places.get(index) ?? [0, 0];
    if (left !== 0 || top !== 0) element.scrollTo({ left, top, behavior: 'instant' });
  });
}

function placesOf(key: string): ReadonlyMap<number, Place> {
  return (rowState(nameOf(key)) as ReadonlyMap<number, Place> | undefined) ?? new Map();
}

function nameOf(key: string): string {
  return `scrolled ${key}`;
}
