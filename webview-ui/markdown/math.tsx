// A formula: its source until what draws it is there, and where it is no TeX.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button';
import type { drawMath } from './draw-math';
import { type MathToken } from './math-syntax';

/** Once it is there, a formula is drawn at once. */
let draw: typeof drawMath | undefined;

export function Formula({ token: { text, display, raw } }: { token: MathToken }) {
  const place = useRef<HTMLSpanElement>(null);
  const loaded = useMathLoaded();
  const drawn = useMemo(() => (loaded ? draw?.(text, display) : undefined), [loaded, text, display]);
  useLayoutEffect(() => {
    if (drawn?.node) place.current?.replaceChildren(drawn.node);
  }, [drawn]);

  const source = raw.trim();
  const shown = drawn?.node ? (
    <span key="drawn" class="math-drawn" ref={place} />
  ) : (
    <code key="source" title={drawn?.problem}>
      {source}
    </code>
  );
  if (!display) return <span class="math">{shown}</span>;
  return (
    <span class="math math-display">
      <span class="math-scroll" tabIndex={0} role="group" aria-label="Formula">
        {shown}
      </span>
      {drawn?.problem !== undefined && <span class="quiet math-problem">{drawn.problem}</span>}
      {drawn?.node && (
        <span class="math-actions">
          <CopyButton text={() => source} label="Copy formula" />
        </span>
      )}
    </span>
  );
}

function useMathLoaded(): boolean {
  const [loaded, setLoaded] = useState(draw !== undefined);
  useEffect(() => {
    if (loaded) return undefined;
    let gone = false;
    void import('./draw-math').then((module) => {
      draw = module.drawMath;
      if (!gone) setLoaded(true);
    });
    return () => void (gone = true);
  }, []);
  return loaded;
}
