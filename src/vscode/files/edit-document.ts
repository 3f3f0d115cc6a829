// Changes an open document in as few lines as possible, so that undo, cursors and folding survive.
import * as vscode from 'vscode';
import { uniformEnding } from '../../core/edits/line-endings';
import { endingOf } from './open-documents';
import { lineHunks } from './line-hunks';

/**
 * `edited`: the document said exactly that; who typed at once may have gone on from there. `unchanged`: VS Code took the
 * `edited`: the document said exactly that; a user who typed at once may have continued from there. `unchanged`: VS Code took the
 */
export type EditOutcome = 'edited' | 'unchanged' | 'other';

/** Line endings in `text` become those of the document. Nothing is saved. */
export async function editDocument(document: vscode.TextDocument, text: string): Promise<EditOutcome> {
  const wanted = textIn(document, text);
  for (let attempt = 0; attempt < 2; attempt++) {
    const before = document.getText();
    if (before === wanted) return 'edited';
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, textEdits(document, before, wanted));
    // The answer comes later than the edit, and keys that were pressed in between are in the document by then.
    let read = false;
    const changes = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === wanted) read = true;
    });
    const applied = await Promise.resolve(vscode.workspace.applyEdit(edit)).finally(() => changes.dispose());
    if (read) return 'edited';
    const after = document.getText();
    if (after === wanted) return 'edited';
    if (applied && after === before) return 'unchanged';
    // False without a change: the editor was just reloading the file. Once more, from the text as it is now.
    if (after !== before) return 'other';
  }
  return 'unchanged';
}

/** Both texts have the document's line endings. */
function textEdits(document: vscode.TextDocument, before: string, after: string): vscode.TextEdit[] {
  const offset = lineOffsets(after);
  const position = (line: number): vscode.Position =>
    line < document.lineCount ? new vscode.Position(line, 0) : document.lineAt(document.lineCount - 1).range.end;
  return lineHunks(before, after).map(({ oldStart, oldEnd, newStart, newEnd }) =>
    vscode.TextEdit.replace(
      new vscode.Range(position(oldStart), position(oldEnd)),
      after.slice(offset(newStart), offset(newEnd)),
    ),
  );
}

/** Where lines start, asked for in order; the text's length for those behind it. */
function lineOffsets(text: string): (line: number) => number {
  let line = 0;
  let offset = 0;
  return (wanted) => {
    for (; line < wanted; line++) {
      const end = text.indexOf('\n', offset);
      if (end < 0) return text.length;
      offset = end + 1;
    }
    return offset;
  };
}

/** The text with the line endings of the document. */
export function textIn(document: vscode.TextDocument, text: string): string {
  const [ending, present] = [endingOf(document), uniformEnding(text)];
  return present === 'none' || present === ending ? text : text.replace(/\r\n|\n|\r/g, ending);
}
