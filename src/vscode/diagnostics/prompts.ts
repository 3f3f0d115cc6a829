// The prompts of "Fix with Deft" and "Explain Selection". What files and linters say is attached: it is not the user's words.
import * as vscode from 'vscode';
import { redactText, type Secrets } from '../../core/text/redact';
import { attachment } from '../../core/text/attachment';
import { neutralText } from '../../core/text/system-reminder';
import { type PromptInput } from '../../core/prompt/compose-prompt';

/** `secrets` are left out of what the linters say. */
export function fixDiagnosticPrompt(
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  secrets: Secrets,
): PromptInput {
  const path = neutralText(vscode.workspace.asRelativePath(uri));
  const lines = diagnostics.map(({ range, severity, message, source, code }) => {
    const value = typeof code === 'object' ? code.value : code;
    const origin = [source, value].filter((part) => part !== undefined && part !== '').join(' ');
    const kind = (vscode.DiagnosticSeverity[severity] ?? 'problem').toLowerCase();
    return `- ${path}:${range.start.line + 1}:${range.start.character + 1} ${kind}: ${message}${origin === '' ? '' : ` (${origin})`}`;
  });
  const what = diagnostics.length === 1 ? 'this problem' : 'these problems';
  const places = diagnostics.map(({ range }) => `- ${path}:${range.start.line + 1}:${range.start.character + 1}`);
  const asked = `Fix ${what} at its cause, without silencing it:`;
  return {
    text: `${attachment({ problems: path }, redactText(lines.join('\n'), secrets))}\n\n${asked}\n${places.join('\n')}`,
    shownAs: `${asked}\n${places.join('\n')}`,
    mentionsIn: '',
    images: [],
  };
}

/** Of the selection, or of the whole file where nothing is selected. */
export function explainSelectionPrompt(
  { document }: vscode.TextEditor,
  selection: NonNullable<PromptInput['selection']>,
): PromptInput {
  const path = neutralText(vscode.workspace.asRelativePath(document.uri));
  const place =
    selection.startLine === selection.endLine
      ? `line ${selection.startLine}`
      : `lines ${selection.startLine}–${selection.endLine}`;
  const text =
    selection.text === ''
      ? `Explain what ${path} does and how its parts fit together.`
      : `Explain what the selected code does: ${path}, ${place}.`;
  return { text, mentionsIn: '', images: [], selection };
}
