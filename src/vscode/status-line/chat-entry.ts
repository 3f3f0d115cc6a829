// The entry of the status bar that opens the chat: a name, no news. Its menu hides it.
import * as vscode from 'vscode';

export function showChatEntry(): vscode.Disposable {
  const entry = vscode.window.createStatusBarItem('deft.chatEntry', vscode.StatusBarAlignment.Right, 0);
  entry.name = 'Deft: Chat';
  entry.text = '$(comment-discussion) Deft';
  entry.tooltip = 'Open the chat';
  entry.accessibilityInformation = { label: 'Open the chat of Deft' };
  entry.command = 'deft.focus';
  entry.show();
  return entry;
}
