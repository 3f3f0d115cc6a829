// What Deft is asked by "Fix with Deft" and "Explain Selection".
import * as vscode from 'vscode';

/** Longer selections are named, not quoted: Deft can read them. In UTF-16 units. */
const maxQuoted = 8_000;

export function fixDiagnosticPrompt(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): string {
  const path = vscode.workspace.asRelativePath(uri);
  const lines = diagnostics.map(({ range, severity, message, source, code }) => {
    const value = typeof code === 'object' ? code.value : code;
    const origin = [source, value].filter((part) => part !== undefined && part !== '').join(' ');
    const kind = (vscode.DiagnosticSeverity[severity] ?? 'problem').toLowerCase();
    return `- ${path}:${range.start.line + 1}:${range.start.character + 1} ${kind}: ${message}${origin === '' ? '' : ` (${origin})`}`;
  });
  const what = diagnostics.length === 1 ? 'this problem' : 'these problems';
  return `Fix ${what} at its cause, without silencing it:\n${lines.join('\n')}`;
}

/** The selection, or the whole file where nothing is selected. */
export function explainSelectionPrompt({ document, selection }: vscode.TextEditor): string {
  const path = vscode.workspace.asRelativePath(document.uri);
  if (selection.isEmpty) return `Explain what ${path} does and how its parts fit together.`;
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const place = `${path}, lines ${selection.start.line + 1}–${last}`;
  const text = document.getText(selection);
  if (text.length > maxQuoted) return `Explain what this code does: ${place}.`;
  return `Explain what this code does: ${place}.\n\n${fenced(text, document.languageId)}`;
}

/** The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
