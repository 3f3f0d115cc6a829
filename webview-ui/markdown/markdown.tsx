// Draws Markdown as elements, block by block; no HTML string is ever given to the page.
import { type Token } from 'marked';
import { type VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { announce } from '../state/announce';
import { createBlockParser, type ParsedBlocks } from './block-parser';
import { blockNode } from './block-node';
import { plainText } from './plain-text';
import { usePacedText } from './paced-text';

export interface MarkdownProps {
  text: string;
  /** More text will be appended. */
  streaming?: boolean;
  /** Finished blocks are told to screen readers while text streams in. */
  announced?: boolean;
}

export function Markdown({ text, streaming = false, announced = false }: MarkdownProps) {
  const parser = useMemo(createBlockParser, []);
  const drawn = useRef<Drawn>({ tokens: [], nodes: [] });
  const spoken = useRef(streaming ? 0 : Infinity);
  const [shown, measure] = usePacedText(text, streaming);
  // A text that is there at once is shown in steps: until the last one, more follows.
  const ended = !streaming && shown.length === text.length;
  const { parsed, nodes } = measure(() => {
    const blocks = ended ? parser.finish(shown) : parser.update(shown);
    return { parsed: blocks, nodes: draw(blocks, drawn, !ended) };
  });

  if (announced) {
    for (; spoken.current < parsed.closed.length; spoken.current++) announceBlock(parsed.closed[spoken.current]);
    if (ended && spoken.current !== Infinity) {
      for (const token of parsed.open) announceBlock(token);
      spoken.current = Infinity;
    }
  }

  return <div class="markdown">{nodes}</div>;
}

interface Drawn {
  tokens: readonly Token[];
  nodes: readonly VNode[];
}

/** Nodes of finished blocks are kept: the same node again costs the page nothing. */
function draw(parsed: ParsedBlocks, drawn: { current: Drawn }, growing: boolean): VNode[] {
  const kept = drawn.current;
  const same = kept.tokens.every((token, index) => parsed.closed[index] === token);
  const from = same ? kept.nodes.length : 0;
  const fresh = parsed.closed.slice(from).map((token, index) => blockNode(token, from + index, false));
  const closed = from === 0 ? fresh : [...kept.nodes, ...fresh];
  drawn.current = { tokens: parsed.closed, nodes: closed };
  return [...closed, ...parsed.open.map((token, index) => blockNode(token, closed.length + index, growing))];
}

function announceBlock(token: Token | undefined): void {
  if (token === undefined) return;
  const text = plainText(token);
  // Not while this is being drawn: it changes what another component shows.
  if (text !== '') queueMicrotask(() => announce(text));
}
