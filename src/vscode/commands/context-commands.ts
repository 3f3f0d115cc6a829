// Commands that ask about what is in the editor: explain a selection, fix a problem.
import * as vscode from 'vscode';
import { type Chat } from '../chat/conversation/chat';
import { type ChatHost } from '../chat/chat-host';
import { selectionIn } from '../chat/messages/selection-chip';
import { explainSelectionPrompt, fixDiagnosticPrompt } from '../diagnostics/prompts';
import { pathOf } from '../host/uri-path';

export interface ContextCommandServices {
  show: () => Promise<ChatHost>;
  isHidden: (path: string) => boolean;
}

export function contextCommands({
  show,
  isHidden,
}: ContextCommandServices): Record<string, (...args: never[]) => unknown> {
  /** True where the user's rules keep the file from the model; a message informs the user. */
  const refuses = (uri: vscode.Uri): boolean => {
    if (!isHidden(pathOf(uri))) return false;
    inform(`your rules hide ${vscode.workspace.asRelativePath(uri)} from the model, so nothing of it is sent.`);
    return true;
  };
  /** What is only shown takes no message. */
  const writable = async (): Promise<Chat> => {
    const { chat } = await show();
    if (chat.readOnly) await chat.open(undefined);
    return chat;
  };
  return {
    'deft.explainSelection': async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return inform('open a file and select what to explain.');
      if (refuses(editor.document.uri)) return;
      const prompt = explainSelectionPrompt(editor, selectionIn(editor));
      await (await writable()).send(prompt);
    },
    // From the palette: the problem at the cursor, else the file's first one.
    'deft.fixDiagnostic': async (uri?: vscode.Uri, diagnostics?: vscode.Diagnostic[]) => {
      const editor = vscode.window.activeTextEditor;
      const target = uri ?? editor?.document.uri;
      if (target === undefined) return inform('open the file that has the problem.');
      const all = diagnostics ?? vscode.languages.getDiagnostics(target);
      const atCursor = all.filter(({ range }) => editor !== undefined && range.contains(editor.selection.active));
      const chosen = diagnostics ?? (atCursor.length > 0 ? atCursor : all.slice(0, 1));
      if (chosen.length === 0) return inform('there is no problem in this file.');
      if (refuses(target)) return;
      const chat = await writable();
      // Where there is no session, the message comes back and says why.
      const secrets = await chat.session().then(
        (session) => session.settings.secrets?.() ?? [],
        () => [],
      );
      await chat.send(fixDiagnosticPrompt(target, chosen, secrets));
    },
  };
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
