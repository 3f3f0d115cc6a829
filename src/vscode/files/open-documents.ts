// The documents and tabs that hold a file in this window.
import * as vscode from 'vscode';

/** The document of the first of these URIs that is open. */
export function openDocument(uris: readonly vscode.Uri[]): vscode.TextDocument | undefined {
  const keys = uris.map((uri) => uri.toString());
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && keys.includes(document.uri.toString()),
  );
}

/** True where a tab shows the document as text: the user can undo there. */
export function isInTab(document: vscode.TextDocument): boolean {
  const key = document.uri.toString();
  if (vscode.window.visibleTextEditors.some((editor) => editor.document.uri.toString() === key)) return true;
  return vscode.window.tabGroups.all.some((group) =>
    group.tabs.some((tab) => textUris(tab).some((uri) => uri.toString() === key)),
  );
}

/** What a tab shows as text, both sides of a diff. */
function textUris(tab: vscode.Tab): vscode.Uri[] {
  if (tab.input instanceof vscode.TabInputText) return [tab.input.uri];
  if (tab.input instanceof vscode.TabInputTextDiff) return [tab.input.original, tab.input.modified];
  return [];
}

/** Resolves true once the document says `text`, false after `milliseconds`. */
export function documentReads(document: vscode.TextDocument, text: string, milliseconds: number): Promise<boolean> {
  if (document.getText() === text) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (reads: boolean): void => {
      clearTimeout(timer);
      subscription.dispose();
      resolve(reads);
    };
    const timer = setTimeout(() => finish(document.getText() === text), milliseconds);
    const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) finish(true);
    });
  });
}

/** The one line ending that VS Code keeps for a document. */
export function endingOf(document: vscode.TextDocument): '\n' | '\r\n' {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}
