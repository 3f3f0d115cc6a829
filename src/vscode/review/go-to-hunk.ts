// Opens a file at one of its changes.
import * as vscode from 'vscode';
import { type LineHunk } from '../files/line-hunks';

/** Puts the cursor on the change; without one, the file as it was left. */
export async function goTo(uri: vscode.Uri, hunk: LineHunk | undefined): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(uri, { preview: true });
  if (hunk === undefined) return editor;
  const position = new vscode.Position(Math.min(hunk.newStart, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}
