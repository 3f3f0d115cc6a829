// Which rows of the conversation are mounted: those near the view, and those that must be there wherever they are. Decided here only.
import { type Heights } from './heights';

/** Rows from `from` to before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The visible part, in pixels from the top of the first row. */
export interface View {
  readonly top: number;
  readonly height: number;
}

/** Mounted in both directions, in pixels, once something has to be. */
const BEYOND = 600;
/** With less, more is mounted. */
const TOO_NEAR = 250;
/** What is farther away goes. */
const TOO_FAR = 1_000;
/** Rows next to one that is kept: with the Tab key, the focus gets from it to the next one. */
const NEIGHBOURS = 3;
/** Of the rows that are kept, those beyond are the oldest. */
const MOST_KEPT = 24;

/** The rows around the view; the ones before where they still will do, so that scrolling does not change them with every frame. */
export function spanAround(heights: Heights, view: View, before: Span | undefined): Span {
  if (heights.length === 0) return { from: 0, to: 0 };
  const { from: least, to: most } = spanOf(heights, view, TOO_NEAR);
  const far = spanOf(heights, view, TOO_FAR);
  const wanted = spanOf(heights, view, BEYOND);
  if (before === undefined || before.to <= far.from || before.from >= far.to) return wanted;
  return {
    from: before.from > least || before.from < far.from ? wanted.from : before.from,
    to: before.to < most || before.to > far.to ? wanted.to : Math.min(before.to, heights.length),
  };
}

function spanOf(heights: Heights, { top, height }: View, beyond: number): Span {
  return { from: heights.at(top - beyond), to: Math.min(heights.length, heights.at(top + height + beyond) + 1) };
}

/** All spans that are mounted, from top to bottom, none touching the next: the one around the view, and around each kept row. */
export function mountedSpans(length: number, around: Span, kept: Iterable<number>): Span[] {
  const spans = [...new Set(kept)]
    .filter((index) => index >= 0 && index < length)
    .sort((a, b) => b - a)
    .slice(0, MOST_KEPT)
    .map((index) => ({ from: Math.max(0, index - NEIGHBOURS), to: Math.min(length, index + NEIGHBOURS + 1) }));
  if (around.to > around.from) spans.push({ from: around.from, to: around.to });
  const merged: { from: number; to: number }[] = [];
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

export function sameSpans(a: readonly Span[], b: readonly Span[]): boolean {
  return a.length === b.length && a.every(({ from, to }, index) => from === b[index]?.from && to === b[index]?.to);
}
