// Cells of an open notebook as they were before Deft changed them, and the edits that put them back.
import * as vscode from 'vscode';
import { editDocument } from '../files/edit-document';
import { type WaitingCell } from './waiting-cells';

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

export async function putBack(cell: vscode.NotebookCell, { file, replaced }: ChangedCell): Promise<boolean> {
  if (!file.created && replaced === undefined) return (await editDocument(cell.document, file.baseline)) === 'edited';
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  return editNotebook(cell.notebook, vscode.NotebookEdit.replaceCells(range, replaced === undefined ? [] : [replaced]));
}

export async function editNotebook(notebook: vscode.NotebookDocument, change: vscode.NotebookEdit): Promise<boolean> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  workspaceEdit.set(notebook.uri, [change]);
  return vscode.workspace.applyEdit(workspaceEdit);
}
