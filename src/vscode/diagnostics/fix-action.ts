// The quick fix "Fix with Deft" on every reported problem.
import * as vscode from 'vscode';

/** Its command gets the document's URI and the diagnostics. */
export const fixWithDeft: vscode.CodeActionProvider = {
  provideCodeActions(document, _range, { diagnostics }) {
    if (diagnostics.length === 0 || document.uri.scheme.startsWith('deft-')) return [];
    const action = new vscode.CodeAction('Fix with Deft', vscode.CodeActionKind.QuickFix);
    action.diagnostics = [...diagnostics];
    action.command = { title: 'Fix with Deft', command: 'deft.fixDiagnostic', arguments: [document.uri, diagnostics] };
    return [action];
  },
};
