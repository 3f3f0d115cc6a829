// Shows a growing text in steps, one a frame, and waits in proportion where drawing even a small one is slow.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { headOf } from '../../src/shared/cut-text';
import { firstStep, nextStep, SMALLEST_STEP, WHOLE_TEXT } from './step';

/** A small step that costs less is drawn every frame. */
const CHEAP_MS = 4;
/** A slow one may take at most this share of the time. */
const REST_FACTOR = 6;

export interface PacedText {
  /** The text to show now. */
  shown: string;
  /** So much more is there that what is drawn of it now is only passed over. */
  far: boolean;
}

/** `openLength` says how much of what was shown may still change. */
export function usePacedText(text: string, streaming: boolean, openLength: () => number): PacedText {
  // Where a complete text is drawn, the reader's place in it is looked for meanwhile, by heights that must be true.
  const live = useRef(streaming);
  const shown = useRef<string | undefined>(undefined);
  const step = useRef(SMALLEST_STEP);
  const notBefore = useRef(0);
  const frame = useRef<CSSNumberish | null>(null);
  const [, redraw] = useState(0);
  const started = performance.now();
  const before = shown.current;
  const grows = before !== undefined && text.startsWith(before);
  const rest = notBefore.current - started;
  const wait = streaming && rest > 0 && grows;
  // New text and a redraw of one's own may meet in one frame.
  const again = grows && frame.current !== null && frame.current === document.timeline.currentTime;
  frame.current = document.timeline.currentTime;
  const now = wait || again ? before : headOf(text, grows ? before.length + step.current : firstStep(streaming));
  shown.current = now;
  const grown = now.length - (grows ? before.length : 0);
  const behind = !wait && now.length < text.length;
  const far = live.current && text.length - now.length > WHOLE_TEXT;

  // Its elements are in the page now.
  useLayoutEffect(() => {
    const cost = performance.now() - started;
    if (behind && grown > 0)
      step.current = nextStep({
        step: step.current,
        grown,
        cost,
        openLength: openLength(),
        left: text.length - now.length,
        passes: far,
      });
    else if (grown > 0 && grown <= SMALLEST_STEP && cost > CHEAP_MS)
      notBefore.current = started + cost * (REST_FACTOR + 1);
    if (!behind) return undefined;
    const next = requestAnimationFrame(() => redraw((count) => count + 1));
    return () => cancelAnimationFrame(next);
  });

  useEffect(() => {
    if (!wait) return undefined;
    const timer = setTimeout(() => redraw((count) => count + 1), Math.max(0, rest));
    return () => clearTimeout(timer);
  });

  return { shown: now, far };
}
