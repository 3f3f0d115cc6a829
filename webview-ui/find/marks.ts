// Marks hits in what is visible, without changing the page's elements; where the browser cannot, items get an outline.
import { hitRanges } from './hit-ranges';

const ALL = 'deft-find';
const CURRENT = 'deft-find-current';
/** As far above and below the visible part, so that a short scroll shows marks at once. */
const AROUND = 400;

const canHighlight = typeof Highlight === 'function' && typeof CSS !== 'undefined' && 'highlights' in CSS;
let outlined: HTMLElement[] = [];

/** `current` is the find bar's current hit. */
export function mark(
  scroller: Element,
  pattern: RegExp,
  ids: ReadonlySet<string>,
  current: { id: string; index: number } | undefined,
): void {
  const rows = rowsInSight(scroller).filter((row) => ids.has(row.id.slice('row-'.length)));
  const isCurrent = (row: HTMLElement): boolean => row.id === `row-${current?.id}`;
  clearOutlines();
  if (!canHighlight) {
    outlined = rows;
    for (const row of rows) row.dataset['found'] = isCurrent(row) ? 'current' : 'other';
    return;
  }
  const all: Range[] = [];
  const here: Range[] = [];
  for (const row of rows) {
    const ranges = hitRanges(row, pattern);
    if (isCurrent(row)) {
      const chosen = ranges[current?.index ?? 0] ?? ranges.at(-1);
      if (chosen) here.push(chosen);
      else {
        // It is held by something that shows no words of its own.
        row.dataset['found'] = 'current';
        outlined.push(row);
      }
    }
    all.push(...ranges);
  }
  const marked = new Highlight(...here);
  marked.priority = 1;
  CSS.highlights.set(ALL, new Highlight(...all));
  CSS.highlights.set(CURRENT, marked);
}

export function clearMarks(): void {
  clearOutlines();
  if (!canHighlight) return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

function clearOutlines(): void {
  for (const row of outlined) delete row.dataset['found'];
  outlined = [];
}

function rowsInSight(scroller: Element): HTMLElement[] {
  const { top, bottom } = scroller.getBoundingClientRect();
  const isNear = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return box.bottom > top - AROUND && box.top < bottom + AROUND;
  };
  return [...scroller.querySelectorAll('article')]
    .filter(isNear)
    .flatMap((article) => [...article.querySelectorAll<HTMLElement>('[data-row][id]')].filter(isNear));
}
