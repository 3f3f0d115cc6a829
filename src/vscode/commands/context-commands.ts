// Commands that ask about what is in the editor: explain a selection, fix a problem.
import * as vscode from 'vscode';
import { explainSelectionPrompt, fixDiagnosticPrompt } from '../diagnostics/prompts';
import { type ChatHost } from '../chat/chat-host';

export function contextCommands({ show }: { show: () => Promise<ChatHost> }): Record<string, (...args: never[]) => unknown> {
  return {
    'deft.explainSelection': async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return;
      const prompt = explainSelectionPrompt(editor);
      await (await show()).chat.send({ text: prompt, images: [] });
    },
    // From the palette: the problem at the cursor, else the file's first one.
    'deft.fixDiagnostic': async (uri?: vscode.Uri, diagnostics?: vscode.Diagnostic[]) => {
      const editor = vscode.window.activeTextEditor;
      const target = uri ?? editor?.document.uri;
      if (target === undefined) return;
      const all = diagnostics ?? vscode.languages.getDiagnostics(target);
      const atCursor = all.filter(({ range }) => editor !== undefined && range.contains(editor.selection.active));
      const chosen = diagnostics ?? (atCursor.length > 0 ? atCursor : all.slice(0, 1));
      if (chosen.length === 0) {
        void vscode.window.showInformationMessage('Deft: there is no problem in this file.');
        return;
      }
      await (await show()).chat.send({ text: fixDiagnosticPrompt(target, chosen), images: [] });
    },
  };
}
