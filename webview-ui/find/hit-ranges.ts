// Where the words are in what an item draws, as ranges over its texts.

/** What is not of the item's own words: names for screen readers, numbers, buttons. */
const NO_WORDS =
  'button, .visually-hidden, .tool-duration, .diff-count, .line-number, .line-sign, .terminal-foot, .terminal-prompt, .code-head, .why, [data-row] [data-row]';
const BLOCKS = 'p, li, pre, td, th, h2, h3, h4, h5, h6, div, ul, ol, tr, blockquote';

/** In the order in which they are read. `pattern` is global. */
export function hitRanges(row: Element, pattern: RegExp): Range[] {
  const pieces: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (!parent || node.data === '' || isNoWords(parent, row)) continue;
    const own = parent.closest(BLOCKS);
    if (block !== null && own !== block) text += '\n';
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  pattern.lastIndex = 0;
  return [...text.matchAll(pattern)].map(({ 0: hit, index }) => rangeOf(pieces, index, index + hit.length));
}

function isNoWords(parent: Element, row: Element): boolean {
  const none = parent.closest(NO_WORDS);
  return none !== null && none !== row && row.contains(none);
}

function rangeOf(pieces: readonly { node: Text; start: number }[], start: number, end: number): Range {
  const range = document.createRange();
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (first) range.setStart(first.node, Math.min(start - first.start, first.node.length));
  if (last) range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range;
}

/** The last piece that begins at or before this place. */
function pieceAt(
  pieces: readonly { node: Text; start: number }[],
  place: number,
): { node: Text; start: number } | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}
