// The cells of open notebooks as documents: which file each belongs to, and by which id the model knows it.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { pathOf, uriOf } from '../host/uri-path';

export interface CellPlace {
  uri: vscode.Uri;
  /** As Read and NotebookEdit name it; undefined for a file itself. */
  id?: string;
  languageId?: string;
}

const scheme = 'vscode-notebook-cell';

/** Of the open notebook of this file, code cells first; none where no notebook has it open. */
export function cellsOf(path: Path): CellPlace[] {
  const notebook = openNotebook(path);
  if (notebook === undefined) return [];
  const cells = notebook.getCells();
  return cells
    .map((cell): CellPlace & { kind: vscode.NotebookCellKind } => ({
      uri: cell.document.uri,
      id: idOf(cell, cells),
      languageId: cell.document.languageId,
      kind: cell.kind,
    }))
    .sort((left, right) => right.kind - left.kind);
}

export function openNotebook(path: Path): vscode.NotebookDocument | undefined {
  const key = uriOf(path).toString();
  return vscode.workspace.notebookDocuments.find((notebook) => !notebook.isClosed && notebook.uri.toString() === key);
}

/** The file whose notebook has this cell, also where the cell has just gone. */
export function notebookOfCell(uri: vscode.Uri): Path | undefined {
  if (uri.scheme !== scheme) return undefined;
  return vscode.workspace.notebookDocuments
    .filter(({ uri: notebook }) => notebook.path === uri.path)
    .map(({ uri: notebook }) => pathOf(notebook))[0];
}

/** The cell with this document. */
export function cellAt(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== scheme) return undefined;
  const key = uri.toString();
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === key);
}

/** Its own where no other cell has the same, else its place: the rule that a notebook on the disk is read by. */
function idOf({ metadata, index }: vscode.NotebookCell, cells: readonly vscode.NotebookCell[]): string {
  const own = ownId(metadata);
  const isOnly = cells.filter((other) => other.metadata['id'] === own).length === 1;
  return own !== undefined && isOnly ? own : `cell-${index}`;
}

/** Older notebooks give their cells none. */
export function ownId(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const id = metadata?.['id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
