// Draws the blocks of a growing text in parts, each about a screen long, so that the browser can rest those far away.
import { type Token } from 'marked';
import { type VNode } from 'preact';
import { type TextMark } from '../../src/shared/chat';
import { blockNode } from './block-node';
import { withMarks } from './claims';
import { type ParsedBlocks } from './block-parser';

/** Characters that end a part at its next block. */
const PART_LENGTH = 2_000;
/** Blocks that a part can begin with: others have no margin of their own, or one from inside them. */
const BEGINNINGS: readonly string[] = ['heading', 'paragraph', 'code'];

interface Part {
  length: number;
  nodes: VNode[];
  /** Its elements are made later: only its place is there. */
  later?: boolean;
  /** Once no block can join it: the same node again costs the page nothing. */
  whole?: VNode;
  /** The same, drawn for the second time: its height is known now. */
  known?: VNode;
}

export interface DrawnHow {
  far?: { heightOf: (characters: number) => number } | undefined;
  /** Sentences to mark. */
  marks?: readonly TextMark[] | undefined;
}

export interface PartDrawing {
  /**
   * Draws with what was drawn before. `growing`: more text follows. `far`: so much of it that whole parts which nobody has seen get a place
   * alone, `heightOf` their characters in pixels.
   */
  draw(parsed: ParsedBlocks, growing: boolean, how?: DrawnHow): VNode[];
  /** Some parts have a place alone. */
  hasPlaces(): boolean;
  /** The next drawing makes the elements of the place that is nearest to the end. */
  fillOne(): void;
}

export function createPartDrawing(): PartDrawing {
  let drawn: readonly Token[] = [];
  let parts: Part[] = [];
  let marked: readonly TextMark[] = [];
  return {
    draw({ closed, open }, growing, { far, marks = [] } = {}) {
      const add = (to: Part[], token: Token | undefined, index: number, grows: boolean): void =>
        addTo(to, token && withMarks(token, marks), index, grows);
      if (!drawn.every((token, index) => closed[index] === token) || !isSame(marks, marked)) {
        marked = marks;
        drawn = [];
        parts = [];
      }
      const seen = parts.length;
      for (let index = drawn.length; index < closed.length; index++) add(parts, closed[index], index, false);
      drawn = closed;
      if (far) for (const part of parts.slice(seen, -1)) part.later = true;
      const last = parts.at(-1);
      const shown = last ? [...parts.slice(0, -1), { length: last.length, nodes: [...last.nodes] }] : [];
      open.forEach((token, index) => add(shown, token, closed.length + index, growing));
      return shown.map((part, index) =>
        index < parts.length - 1 ? wholeNode(part, index, far?.heightOf) : partNode(part, index, 'markdown-part'),
      );
    },
    hasPlaces: () => parts.some(({ later }) => later === true),
    fillOne() {
      const part = parts.findLast(({ later }) => later === true);
      if (!part) return;
      part.later = false;
      delete part.whole;
    },
  };
}

function isSame(one: readonly TextMark[], other: readonly TextMark[]): boolean {
  return one === other || (one.length === 0 && other.length === 0);
}

/** Where a part begins depends on the blocks before it only, so no block moves to another part. */
function addTo(parts: Part[], token: Token | undefined, index: number, growing: boolean): void {
  if (!token) return;
  let part = parts.at(-1);
  if (!part || (part.length >= PART_LENGTH && BEGINNINGS.includes(token.type)))
    parts.push((part = { length: 0, nodes: [] }));
  part.length += token.raw.length;
  part.nodes.push(blockNode(token, index, growing));
}

function wholeNode(part: Part, index: number, heightOf?: (characters: number) => number): VNode {
  if (part.later) return (part.whole ??= placeNode(heightOf?.(part.length) ?? 0, index));
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

function placeNode(height: number, index: number): VNode {
  return <div key={index} class="markdown-part" style={{ height: `${height}px` }} />;
}
