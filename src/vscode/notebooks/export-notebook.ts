// An open notebook as the JSON text that VS Code would save, from the extension that saves it.
import * as vscode from 'vscode';

/** What VS Code's own notebook extension offers to others. */
interface NotebookExtension {
  exportNotebook(notebook: vscode.NotebookData): Promise<string> | string;
}

/** Undefined where that extension is missing or fails. */
export async function exportedText(notebook: vscode.NotebookDocument): Promise<string | undefined> {
  try {
    const exported: Partial<NotebookExtension> | undefined = await vscode.extensions
      .getExtension<Partial<NotebookExtension>>('vscode.ipynb')
      ?.activate();
    return await exported?.exportNotebook?.(notebookData(notebook));
  } catch {
    return undefined;
  }
}

function notebookData(notebook: vscode.NotebookDocument): vscode.NotebookData {
  const data = new vscode.NotebookData(notebook.getCells().map(cellData));
  data.metadata = notebook.metadata;
  return data;
}

/** As an edit takes it. */
export function cellData(cell: vscode.NotebookCell): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(cell.kind, cell.document.getText(), cell.document.languageId);
  data.metadata = cell.metadata;
  data.outputs = [...cell.outputs];
  if (cell.executionSummary !== undefined) data.executionSummary = cell.executionSummary;
  return data;
}
