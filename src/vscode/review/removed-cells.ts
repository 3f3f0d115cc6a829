// Where a cell that Deft removed belongs, while other cells of its notebook come and go.

/** One change of a notebook's cells, as VS Code reports it. */
export interface CellsChange {
  start: number;
  removed: number;
  added: number;
}

/** The place of a removed cell is a gap: what goes right behind it does not move it, what comes into it stands ahead of it. */
export function placeAfter(index: number, { start, removed, added }: CellsChange): number {
  if (index < start || (index === start && removed > 0)) return index;
  return index - Math.min(removed, index - start) + added;
}
