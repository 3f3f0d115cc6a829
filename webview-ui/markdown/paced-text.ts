// Keeps parsing of a growing text cheap: where one pass is slow, the next one waits in proportion.
import { useEffect, useRef, useState } from 'preact/hooks';
import { headOf } from '../../src/shared/cut-text';

/** A pass that costs less is done every frame. */
const CHEAP_MS = 4;
/** A slow pass may take at most this share of the time. */
const REST_FACTOR = 6;
/** A text that arrives in one piece is shown in steps of this many characters, one a frame: one step is no long task. */
const MAX_GROWTH = 10_000;

/** The text to show now, and a function that measures what showing it costs. */
export function usePacedText(text: string, streaming: boolean): [string, <T>(work: () => T) => T] {
  const shown = useRef(text);
  const notBefore = useRef(0);
  const [, redraw] = useState(0);
  const rest = notBefore.current - performance.now();
  const grows = text.startsWith(shown.current);
  const wait = streaming && rest > 0 && grows;
  if (!wait) shown.current = grows ? headOf(text, shown.current.length + MAX_GROWTH) : text;
  const behind = !wait && shown.current.length < text.length;

  useEffect(() => {
    if (behind) {
      const frame = requestAnimationFrame(() => redraw((count) => count + 1));
      return () => cancelAnimationFrame(frame);
    }
    if (!wait) return undefined;
    const timer = setTimeout(() => redraw((count) => count + 1), Math.max(0, rest));
    return () => clearTimeout(timer);
  });

  const measure = <T>(work: () => T): T => {
    const start = performance.now();
    const result = work();
    const cost = performance.now() - start;
    if (cost > CHEAP_MS) notBefore.current = performance.now() + cost * REST_FACTOR;
    return result;
  };
  return [shown.current, measure];
}
