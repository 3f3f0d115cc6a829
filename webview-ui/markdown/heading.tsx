// Headings of an answer: below that of its turn without a gap, since screen readers go by their levels.
import { type Token, type Tokens } from 'marked';
import { createContext, h } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { inlineNodes } from './inline-nodes';

/** The first heading of a turn; the turn's own is one above. */
const TOP = 3;
/** How deep the first heading of the text is: many begin with "##". */
export const FirstDepth = createContext(1);

/** Looks at each block once. */
export function useFirstDepth({ closed, open }: { closed: readonly Token[]; open: readonly Token[] }): number {
  const seen = useRef<{ blocks: number; depth: number | undefined }>({ blocks: 0, depth: undefined });
  for (; seen.current.depth === undefined && seen.current.blocks < closed.length; seen.current.blocks++)
    seen.current.depth = depthOf(closed[seen.current.blocks]);
  return seen.current.depth ?? open.map(depthOf).find((depth) => depth !== undefined) ?? 1;
}

export function Heading({ token }: { token: Tokens.Heading }) {
  const first = useContext(FirstDepth);
  const level = Math.min(6, Math.max(TOP, TOP + token.depth - first));
  return h(`h${level}`, { dir: 'auto', class: `heading-${token.depth}` }, inlineNodes(token.tokens));
}

function depthOf(token: Token | undefined): number | undefined {
  return token?.type === 'heading' ? (token as Tokens.Heading).depth : undefined;
}
