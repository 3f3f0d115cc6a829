// Cells of an open notebook as they were before Deft changed them, and the edits that put them back.
import * as vscode from 'vscode';
import { editDocument } from '../files/edit-document';
import { ownId } from '../notebooks/cell-places';
import { findCells } from './find-cells';
import { textWithoutAll, textWithoutOwn, typedIn, unreviewedHunks } from './tracked-file';
import { type TypedAnswer } from './undo-changes';
import { type WaitingCell, type WaitingRemoval } from './waiting-cells';

type ChangedCell = Pick<WaitingCell, 'file' | 'replaced'>;

/** The cell as it was before Deft touched it; undefined where Deft made it. */
export function originalOf(
  data: vscode.NotebookCellData,
  prior: ChangedCell | undefined,
): vscode.NotebookCellData | undefined {
  if (prior?.file.created === true) return undefined;
  if (prior?.replaced !== undefined) return prior.replaced;
  if (prior !== undefined) data.value = prior.file.baseline;
  return data;
}

export function isCell({ kind, document }: vscode.NotebookCell, data: vscode.NotebookCellData): boolean {
  return kind === data.kind && document.getText() === data.value;
}

/** The cells of an opened notebook that waited when it closed. */
export function foundAgain(
  waiting: readonly WaitingCell[],
  present: readonly vscode.NotebookCell[],
): (ChangedCell & { document: vscode.TextDocument })[] {
  const places = findCells(
    waiting.map(({ id, index, file }) => ({ id, index, text: file.known })),
    present.map(({ document, metadata }) => ({ id: ownId(metadata), text: document.getText() })),
  );
  return waiting.flatMap(({ file, replaced }, order) => {
    const document = present[places[order] ?? -1]?.document;
    return document === undefined ? [] : [{ file, replaced, document }];
  });
}

/** The removal may have been left unsaved: the cell is there then. */
export function isBack(present: readonly vscode.NotebookCell[], { index, data }: WaitingRemoval): boolean {
  const id = ownId(data.metadata);
  if (id !== undefined) return present.some(({ metadata }) => ownId(metadata) === id);
  const there = present[index];
  return there !== undefined && isCell(there, data);
}

/** Lines that somebody else has written into what Deft changed in these cells. */
export function typedInCells(cells: readonly ChangedCell[]): string[] {
  return cells.flatMap(({ file }) => unreviewedHunks(file).flatMap((hunk) => typedIn(file, hunk)));
}

/** `typed`: what becomes of such lines. A cell that Deft made stays with what others have written beside or into its lines. */
export async function putBack(
  cell: vscode.NotebookCell,
  { file, replaced }: ChangedCell,
  typed: NonNullable<TypedAnswer>,
): Promise<boolean> {
  const text =
    typed === 'keep'
      ? textWithoutAll(file, cell.document.getText(), unreviewedHunks(file), textWithoutOwn)
      : file.baseline;
  // What was written below the first line of a new cell begins it now.
  const own = file.created ? text.replace(/^\r?\n/, '') : text;
  if (replaced === undefined && (!file.created || own !== ''))
    return (await editDocument(cell.document, own)) === 'edited';
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const back = replaced === undefined ? [] : [typed === 'keep' ? withText(replaced, text) : replaced];
  return editNotebook(cell.notebook, vscode.NotebookEdit.replaceCells(range, back));
}

function withText(data: vscode.NotebookCellData, text: string): vscode.NotebookCellData {
  const copy = new vscode.NotebookCellData(data.kind, text, data.languageId);
  return Object.assign(copy, {
    metadata: data.metadata,
    outputs: data.outputs,
    executionSummary: data.executionSummary,
  });
}

export async function editNotebook(notebook: vscode.NotebookDocument, change: vscode.NotebookEdit): Promise<boolean> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  workspaceEdit.set(notebook.uri, [change]);
  return vscode.workspace.applyEdit(workspaceEdit);
}
