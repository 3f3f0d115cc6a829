// Notifies the user that a turn ended, or an approval or a question waits, when they look elsewhere and want to know.
import * as vscode from 'vscode';
import { shortened } from '../../shared/cut-text';
import { readConfiguration } from './configuration';

const messages = {
  ended: 'Deft has finished',
  failed: 'Deft stopped at an error',
  approval: 'Deft asks for your approval',
  question: 'Deft has a question',
};

/** `open` moves the chat to the front. */
export function notifyUser(event: keyof typeof messages, text: string, chatVisible: boolean, open: () => void): void {
  const { notifications } = readConfiguration();
  if (notifications === 'off') return;
  const away = !vscode.window.state.focused || !chatVisible;
  if (notifications === 'whenAway' && !away) return;
  void vscode.window
    .showInformationMessage(shortened(`${messages[event]}: ${text}`, 200), 'Open chat')
    .then((choice) => {
      if (choice !== undefined) open();
    });
}
