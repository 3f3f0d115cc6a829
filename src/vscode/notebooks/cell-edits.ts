// A change of one cell as an edit of VS Code: a text edit where only the source changes, so that outputs stay.
import * as vscode from 'vscode';
import { type CellChange } from '../../core/ports/notebooks';
import { type Notebook } from '../../core/tools/read/notebook';
import { hasIds } from '../../core/tools/notebook/notebook-change';
import { editDocument, type EditOutcome } from '../files/edit-document';

/** The editor shows the cells that the change was computed from; in an empty notebook it shows an empty cell. */
export function cellsMatch(notebook: vscode.NotebookDocument, base: Notebook): boolean {
  const shown = notebook.getCells().map(({ document }) => lines(document.getText()));
  if (base.cells.length === 0) return shown.every((source) => source === '');
  return shown.length === base.cells.length && base.cells.every(({ source }, index) => lines(source) === shown[index]);
}

export async function applyCellChange(
  notebook: vscode.NotebookDocument,
  base: Notebook,
  change: CellChange,
): Promise<EditOutcome> {
  const { index } = change;
  switch (change.kind) {
    case 'replace': {
      const cell = notebook.cellAt(index);
      if (change.cellType === undefined) return editDocument(cell.document, change.source);
      const metadata = { ...cell.metadata };
      delete metadata['execution_count'];
      return apply(
        notebook,
        vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(index, index + 1), [
          newCell(notebook, base, change.cellType, change.source, metadata),
        ]),
      );
    }
    case 'insert': {
      const data = newCell(notebook, base, change.cellType, change.source, {
        metadata: {},
        ...(hasIds(base.major, base.minor) ? { id: change.id } : {}),
      });
      const range = new vscode.NotebookRange(index, base.cells.length === 0 ? notebook.cellCount : index);
      return apply(notebook, vscode.NotebookEdit.replaceCells(range, [data]));
    }
    case 'delete':
      return apply(notebook, vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(index, index + 1)));
  }
}

function newCell(
  notebook: vscode.NotebookDocument,
  base: Notebook,
  type: 'code' | 'markdown',
  source: string,
  metadata: Record<string, unknown>,
): vscode.NotebookCellData {
  const data =
    type === 'markdown'
      ? new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, source, 'markdown')
      : new vscode.NotebookCellData(
          vscode.NotebookCellKind.Code,
          source,
          codeLanguage(notebook) ?? base.language ?? 'python',
        );
  data.metadata = metadata;
  return data;
}

/** As its other cells have it; raw cells are code cells of a language `raw` here. */
function codeLanguage(notebook: vscode.NotebookDocument): string | undefined {
  return notebook
    .getCells()
    .find(({ kind, document }) => kind === vscode.NotebookCellKind.Code && document.languageId !== 'raw')?.document
    .languageId;
}

async function apply(notebook: vscode.NotebookDocument, notebookEdit: vscode.NotebookEdit): Promise<EditOutcome> {
  const { version } = notebook;
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [notebookEdit]);
  const applied = await vscode.workspace.applyEdit(edit);
  return applied && notebook.version !== version ? 'edited' : 'unchanged';
}

/** An editor knows one kind of line ending. */
export function lines(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}
