// Where a cell that Deft removed belongs, while other cells of its notebook come and go.

/** One change of a notebook's cells, as VS Code reports it. */
export interface CellsChange {
  start: number;
  removed: number;
  added: number;
}

/** The place of a removed cell is a gap: what goes right behind it does not move it, what comes into it is ahead of it. */
export function placeAfter(index: number, { start, removed, added }: CellsChange): number {
  if (index < start || (index === start && removed > 0)) return index;
  return index - Math.min(removed, index - start) + added;
}

export interface RemovedMark {
  /** The cell that says so. */
  cell: number;
  side: 'above' | 'below';
  /** Other cells are between. */
  far: boolean;
}

/** VS Code draws rows only where a cell has an editor, as code has: the nearest of these, rather the one behind than the one ahead. */
export function markOf(index: number, isCode: readonly boolean[]): RemovedMark | undefined {
  for (let distance = 0; distance <= isCode.length; distance++) {
    if (isCode[index + distance] === true) return { cell: index + distance, side: 'above', far: distance > 0 };
    if (isCode[index - 1 - distance] === true) return { cell: index - 1 - distance, side: 'below', far: distance > 0 };
  }
  return undefined;
}
