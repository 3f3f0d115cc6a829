// Draws Markdown as elements, block by block; no HTML string is ever given to the page.
import { type Token } from 'marked';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type TextMark } from '../../src/shared/chat';
import { announce } from '../state/announce';
import { createBlockParser } from './block-parser';
import { FootnotesOfText, useNotes } from './footnotes';
import { FirstDepth, useFirstDepth } from './heading';
import { usePacedText } from './paced-text';
import { createPartDrawing } from './parts';
import { plainText } from './plain-text';

export interface MarkdownProps {
  text: string;
  /** More text will be appended. */
  streaming?: boolean;
  /** Sentences that the log does not bear. */
  marks?: readonly TextMark[] | undefined;
  /** Finished blocks are announced to screen readers while text streams in. */
  announced?: boolean;
  /** All of a text is drawn that does not grow. */
  onWhole?: () => void;
}

/** Pixels of a character, where none has been drawn. */
const USUAL_HEIGHT = 0.2;
/** A place is rather too low: what becomes lower above the reader moves the end of the conversation under them. */
const OF_AVERAGE = 0.4;

export function Markdown({ text, streaming = false, marks, announced = false, onWhole }: MarkdownProps) {
  const parser = useMemo(createBlockParser, []);
  const drawing = useMemo(createPartDrawing, []);
  const element = useRef<HTMLDivElement>(null);
  const drawnLength = useRef(0);
  const [, redraw] = useState(0);
  const openLength = useRef(0);
  const spoken = useRef(streaming ? 0 : Infinity);
  const { shown, far } = usePacedText(text, streaming, () => openLength.current);
  // A text that is there at once is shown in steps: until the last one, more follows.
  const ended = !streaming && shown.length === text.length;
  const parsed = ended ? parser.finish(shown) : parser.update(shown);
  openLength.current = parsed.open.reduce((sum, token) => sum + token.raw.length, 0);

  const heightOf = (characters: number): number => {
    const drawn = element.current?.offsetHeight ?? 0;
    return characters * (drawnLength.current > 0 ? (OF_AVERAGE * drawn) / drawnLength.current : USUAL_HEIGHT);
  };
  const nodes = drawing.draw(parsed, !ended, { far: far ? { heightOf } : undefined, marks });
  const places = drawing.hasPlaces();
  drawnLength.current = shown.length;

  useEffect(() => {
    if (ended && !places) onWhole?.();
  }, [ended && !places]);
  // From the end up, a part a frame: the reader is at the end, or scrolls up to what is filled by then.
  useEffect(() => {
    if (!places || far) return undefined;
    const frame = requestAnimationFrame(() => {
      drawing.fillOne();
      redraw((count) => count + 1);
    });
    return () => cancelAnimationFrame(frame);
  });

  if (announced) {
    for (; spoken.current < parsed.closed.length; spoken.current++) announceBlock(parsed.closed[spoken.current]);
    if (ended && spoken.current !== Infinity) {
      for (const token of parsed.open) announceBlock(token);
      spoken.current = Infinity;
    }
  }

  const notes = useNotes(parsed);
  const firstDepth = useFirstDepth(parsed);

  return (
    <FootnotesOfText.Provider value={notes}>
      <FirstDepth.Provider value={firstDepth}>
        <div class="markdown" ref={element}>
          {nodes}
        </div>
      </FirstDepth.Provider>
    </FootnotesOfText.Provider>
  );
}

function announceBlock(token: Token | undefined): void {
  if (token === undefined) return;
  const text = plainText(token);
  // Not while this is being drawn: it changes what another component shows.
  if (text !== '') queueMicrotask(() => announce(text));
}
