// Draws the blocks of a growing text in parts, each about a screen long, so that the browser can rest those far away.
import { type Token } from 'marked';
import { type VNode } from 'preact';
import { blockNode } from './block-node';
import { type ParsedBlocks } from './block-parser';

/** Characters that end a part at its next block. */
const PART_LENGTH = 2_000;
/** Blocks that a part can begin with: others have no margin of their own, or one from inside them. */
const BEGINNINGS: readonly string[] = ['heading', 'paragraph', 'code'];

interface Part {
  length: number;
  nodes: VNode[];
  /** Once no block can join it: the same node again costs the page nothing. */
  whole?: VNode;
  /** The same, drawn for the second time: its height is known now. */
  known?: VNode;
}

/** Draws with what was drawn before. `growing` says that more text follows. */
export function createPartDrawing(): (parsed: ParsedBlocks, growing: boolean) => VNode[] {
  let drawn: readonly Token[] = [];
  let parts: Part[] = [];
  return ({ closed, open }, growing) => {
    if (!drawn.every((token, index) => closed[index] === token)) {
      drawn = [];
      parts = [];
    }
    for (let index = drawn.length; index < closed.length; index++) add(parts, closed[index], index, false);
    drawn = closed;
    const last = parts.at(-1);
    const shown = last ? [...parts.slice(0, -1), { length: last.length, nodes: [...last.nodes] }] : [];
    open.forEach((token, index) => add(shown, token, closed.length + index, growing));
    return shown.map((part, index) =>
      index < parts.length - 1 ? wholeNode(part, index) : partNode(part, index, 'markdown-part'),
    );
  };
}

/** Where a part begins depends on the blocks before it only, so no block moves to another part. */
function add(parts: Part[], token: Token | undefined, index: number, growing: boolean): void {
  if (!token) return;
  let part = parts.at(-1);
  if (!part || (part.length >= PART_LENGTH && BEGINNINGS.includes(token.type)))
    parts.push((part = { length: 0, nodes: [] }));
  part.length += token.raw.length;
  part.nodes.push(blockNode(token, index, growing));
}

function wholeNode(part: Part, index: number): VNode {
  if (!part.whole) return (part.whole = partNode(part, index, 'markdown-part'));
  return (part.known ??= partNode(part, index, 'markdown-part markdown-part-known'));
}

function partNode(part: Part, index: number, classes: string): VNode {
  return (
    <div key={index} class={classes}>
      {part.nodes}
    </div>
  );
}
