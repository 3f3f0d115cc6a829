// The accessibility tree of a page as the model reads it: a part of it, what has changed in it, and no more than fits.

export interface CutText {
  text: string;
  /** Lines that are left out. */
  left: number;
}

/** Whole lines from the start, as many as fit into so many bytes. */
export function cutLines(text: string, maxBytes: number): CutText {
  const lines = linesOf(text);
  let bytes = 0;
  let shown = 0;
  for (const line of lines) {
    bytes += byteLength(line) + 1;
    if (bytes > maxBytes) break;
    shown++;
  }
  return { text: lines.slice(0, shown).join('\n'), left: lines.length - shown };
}

/** The element with this ref and what is in it; undefined where there is none. */
export function partOfTree(tree: string, ref: string): string | undefined {
  const lines = linesOf(tree);
  const start = lines.findIndex((line) => line.includes(`[ref=${ref}]`));
  const first = lines[start];
  if (first === undefined) return undefined;
  const depth = indentOf(first);
  const behind = lines.slice(start + 1).findIndex((line) => indentOf(line) <= depth);
  return lines
    .slice(start, behind === -1 ? undefined : start + 1 + behind)
    .map((line) => line.slice(depth))
    .join('\n');
}

/** Lines with this text, whatever its case, below the elements that they are in; empty where there are none. */
export function linesWith(tree: string, text: string): string {
  const lines = linesOf(tree);
  const wanted = text.toLowerCase();
  const shown = new Set<number>();
  /** Where the elements around the line stand. */
  let around: number[] = [];
  for (const [index, line] of lines.entries()) {
    around = around.filter((at) => indentOf(lines[at] ?? '') < indentOf(line));
    if (line.toLowerCase().includes(wanted)) for (const at of [...around, index]) shown.add(at);
    around.push(index);
  }
  return lines.filter((_line, index) => shown.has(index)).join('\n');
}

/** Lines that went and came, wherever they stand; empty where none did. */
export function treeChange(before: string, after: string): string {
  // Where the focus is follows from what was done.
  const [old, now] = [before, after].map((text) => linesOf(text).map((line) => line.trim().replace(' [active]', '')));
  const gone = without(old ?? [], now ?? []).map((line) => `- ${withoutDash(line)}`);
  const come = without(now ?? [], old ?? []).map((line) => `+ ${withoutDash(line)}`);
  return [...gone, ...come].join('\n');
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function withoutDash(line: string): string {
  return line.replace(/^- /, '');
}

/** Of the first list what the second does not have as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
