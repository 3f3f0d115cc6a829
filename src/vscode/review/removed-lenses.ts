// The row "Deft removed a cell above | Keep | Undo" in a notebook, on the cell next to the place.
import * as vscode from 'vscode';
import { type Removal } from './removals';
import { type TrackedCells } from './tracked-cells';

/** Commands of the row; they have no entry in the palette. */
export const removedCommands = {
  show: 'deft.review.showRemovedCell',
  keep: 'deft.review.keepRemovedCell',
  undo: 'deft.review.undoRemovedCell',
} as const;

/** Commands get the cell that has the row, and the removed one. */
export function removedLenses(
  { uri, lineCount }: vscode.TextDocument,
  cells: Pick<TrackedCells, 'removals'>,
): vscode.CodeLens[] {
  return cells.removals(uri).flatMap(({ side, far, removal }) => {
    const line = side === 'above' ? 0 : lineCount - 1;
    const where = far ? { above: 'further up', below: 'further down' }[side] : side;
    const parts = [
      {
        title: `$(trash) Deft removed a cell ${where} (${lines(removal)})`,
        tooltip: 'Show the removed cell',
        command: removedCommands.show,
      },
      { title: '$(check) Keep', tooltip: 'Keep the cell removed', command: removedCommands.keep },
      { title: '$(discard) Undo', tooltip: 'Put the cell back, with its outputs', command: removedCommands.undo },
    ];
    return parts.map(
      (part) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { ...part, arguments: [uri, removal] }),
    );
  });
}

function lines({ data }: Removal): string {
  const count = data.value.split('\n').length;
  return count === 1 ? '1 line' : `${count} lines`;
}
