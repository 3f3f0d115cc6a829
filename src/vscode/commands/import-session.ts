// "Deft: Import Session": a file of Claude Code, Codex or Deft, shown read-only.
import * as vscode from 'vscode';
import { DeftError } from '../../core/text/errors';
import { readSessionFile } from '../../node/sessions/external-sessions';
import { type ChatHost } from '../chat/chat-host';

/** The file is asked for where none is given. */
export async function importSession(show: () => Promise<ChatHost>, given?: vscode.Uri): Promise<void> {
  const filters = { 'Sessions of Claude Code, Codex or Deft': ['jsonl', 'json'], 'All files': ['*'] };
  const [file] =
    given === undefined
      ? ((await vscode.window.showOpenDialog({ title: 'Import a session', openLabel: 'Import', filters })) ?? [])
      : [given];
  if (file === undefined) return;
  try {
    const session = await readSessionFile(file.fsPath);
    await (await show()).chat.view(session);
  } catch (error) {
    if (!(error instanceof DeftError)) throw error;
    void vscode.window.showErrorMessage(`Deft: ${error.message}`);
  }
}
