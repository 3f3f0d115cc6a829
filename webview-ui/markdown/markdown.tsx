// Draws Markdown as elements, block by block; no HTML string is ever given to the page.
import { type Token } from 'marked';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { announce } from '../state/announce';
import { createBlockParser } from './block-parser';
import { usePacedText } from './paced-text';
import { createPartDrawing } from './parts';
import { plainText } from './plain-text';

export interface MarkdownProps {
  text: string;
  /** More text will be appended. */
  streaming?: boolean;
  /** Finished blocks are announced to screen readers while text streams in. */
  announced?: boolean;
  /** All of a text is drawn that does not grow. */
  onWhole?: () => void;
}

export function Markdown({ text, streaming = false, announced = false, onWhole }: MarkdownProps) {
  const parser = useMemo(createBlockParser, []);
  const draw = useMemo(createPartDrawing, []);
  const openLength = useRef(0);
  const spoken = useRef(streaming ? 0 : Infinity);
  const shown = usePacedText(text, streaming, () => openLength.current);
  // A text that is there at once is shown in steps: until the last one, more follows.
  const ended = !streaming && shown.length === text.length;
  const parsed = ended ? parser.finish(shown) : parser.update(shown);
  openLength.current = parsed.open.reduce((sum, token) => sum + token.raw.length, 0);

  useEffect(() => {
    if (ended) onWhole?.();
  }, [ended]);

  if (announced) {
    for (; spoken.current < parsed.closed.length; spoken.current++) announceBlock(parsed.closed[spoken.current]);
    if (ended && spoken.current !== Infinity) {
      for (const token of parsed.open) announceBlock(token);
      spoken.current = Infinity;
    }
  }

  return <div class="markdown">{draw(parsed, !ended)}</div>;
}

function announceBlock(token: Token | undefined): void {
  if (token === undefined) return;
  const text = plainText(token);
  // Not while this is being drawn: it changes what another component shows.
  if (text !== '') queueMicrotask(() => announce(text));
}
