// How much more of a text one frame shows: as much as can be drawn in a few milliseconds here and now.

/** What making a step's elements may take; the browser takes about as long again for styles, layout and paint. */
const STEP_MS = 10;
export const SMALLEST_STEP = 1_000;
const LARGEST_STEP = 6_000;
/** A text that was complete before it is drawn comes whole up to here: the end of a conversation must not roll into view. */
const WHOLE_TEXT = 12_000;

/** Characters of a text that its first drawing shows. */
export function firstStep(streaming: boolean): number {
  return streaming ? SMALLEST_STEP : WHOLE_TEXT;
}

/**
 * The step after one of `grown` characters that cost so many milliseconds. An open end of the text, a long table say,
 * is drawn anew with every step: steps grow with it, so that all of them together stay in proportion to the text.
 */
export function nextStep(step: number, grown: number, cost: number, openLength: number): number {
  const affordable = (grown * STEP_MS) / Math.max(cost, 0.1);
  const smoothed = Math.min(step * 2, Math.max(step / 2, affordable));
  return Math.round(Math.max(SMALLEST_STEP, openLength / 4, Math.min(LARGEST_STEP, smoothed)));
}
