// Changes an open document in as few lines as possible, so that undo, cursors and folding survive.
import * as vscode from 'vscode';
import { endingOf } from './open-documents';
import { editorLines, lineHunks } from './line-hunks';

/**
 * `unchanged`: VS Code took the edit and did nothing, as it does in read-only editors. `other`: the document says
 * something else now, because somebody typed meanwhile.
 */
export type EditOutcome = 'edited' | 'unchanged' | 'other';

/** Line endings in `text` become those of the document. Nothing is saved. */
export async function editDocument(document: vscode.TextDocument, text: string): Promise<EditOutcome> {
  const wanted = text.replace(/\r\n|\n|\r/g, endingOf(document));
  for (let attempt = 0; attempt < 2; attempt++) {
    const before = document.getText();
    if (before === wanted) return 'edited';
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, textEdits(document, before, wanted));
    const applied = await vscode.workspace.applyEdit(edit);
    const after = document.getText();
    if (after === wanted) return 'edited';
    if (applied && after === before) return 'unchanged';
    // False without a change: the editor was just reloading the file. Once more, from the text as it is now.
    if (after !== before) return 'other';
  }
  return 'unchanged';
}

function textEdits(document: vscode.TextDocument, before: string, after: string): vscode.TextEdit[] {
  const oldLines = editorLines(before);
  const newLines = editorLines(after);
  const starts = [0];
  for (const line of oldLines) starts.push((starts.at(-1) ?? 0) + line.length);
  return lineHunks(before, after).map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const start = document.positionAt(starts[oldStart] ?? before.length);
    const end = document.positionAt(starts[oldEnd] ?? before.length);
    return vscode.TextEdit.replace(new vscode.Range(start, end), newLines.slice(newStart, newEnd).join(''));
  });
}
