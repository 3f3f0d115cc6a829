// How much more of a text one frame shows: as much as can be drawn in a few milliseconds here and now.

/** What making a step's elements may take; the browser takes about as long again for styles, layout and paint. */
const STEP_MS = 10;
export const SMALLEST_STEP = 1_000;
const LARGEST_STEP = 6_000;
/** Where most of what it adds only gets its place. */
const LARGEST_LEAP = 24_000;
/** A text that was complete before it is drawn comes whole up to here: the end of a conversation must not roll into view. */
export const WHOLE_TEXT = 12_000;

/** Characters of a text that its first drawing shows. */
export function firstStep(streaming: boolean): number {
  return streaming ? SMALLEST_STEP : WHOLE_TEXT;
}

/** A busy machine makes every step look dear: this share of what is left is drawn even so, or it would come late by seconds. */
const SHARE_LEFT = 1 / 20;

export interface StepDone {
  step: number;
  /** Characters that it added, and the milliseconds that it cost. */
  grown: number;
  cost: number;
  /** Characters at the end that are drawn anew with every step, those of a long table say. */
  openLength: number;
  /** Characters that are not shown yet. */
  left: number;
  /** The next step adds what is only passed over. */
  passes?: boolean;
}

/** The step after that one. Steps grow with the open end, so that all of them together stay in proportion to the text. */
export function nextStep({ step, grown, cost, openLength, left, passes = false }: StepDone): number {
  const affordable = (grown * STEP_MS) / Math.max(cost, 0.1);
  const smoothed = Math.min(step * 2, Math.max(step / 2, affordable));
  const largest = passes ? LARGEST_LEAP : LARGEST_STEP;
  return Math.round(Math.max(SMALLEST_STEP, openLength / 4, left * SHARE_LEFT, Math.min(largest, smoothed)));
}
