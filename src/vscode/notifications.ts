// Tells the person that a turn ended or an approval waits, when they look elsewhere and want to know.
import * as vscode from 'vscode';
import { readConfiguration } from './configuration';

/** `open` brings the chat to the front. */
export function notifyPerson(event: 'ended' | 'approval', text: string, chatVisible: boolean, open: () => void): void {
  const { notifications } = readConfiguration();
  if (notifications === 'off') return;
  const away = !vscode.window.state.focused || !chatVisible;
  if (notifications === 'whenAway' && !away) return;
  const message = event === 'ended' ? `Deft has finished: ${text}` : `Deft asks for your approval: ${text}`;
  void vscode.window.showInformationMessage(message.slice(0, 200), 'Open chat').then((choice) => {
    if (choice !== undefined) open();
  });
}
