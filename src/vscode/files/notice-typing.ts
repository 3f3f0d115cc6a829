// Detects whether a user types in a document while Deft waits for something; changes by a formatter that runs meanwhile do not count.
import * as vscode from 'vscode';

export interface TypingNotice extends vscode.Disposable {
  /** Keys have changed the document since. */
  seen(): boolean;
}

/** VS Code does not say who made a change; but only keys move the cursor as keys do. */
export function noticeTyping(document: vscode.TextDocument): TypingNotice {
  let changed = false;
  let seen = false;
  const subscriptions = [
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) changed = true;
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (changed && textEditor.document === document && kind === vscode.TextEditorSelectionChangeKind.Keyboard)
        seen = true;
    }),
  ];
  return { seen: () => seen, dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
}
