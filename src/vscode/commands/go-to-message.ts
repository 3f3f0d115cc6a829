// The command "Go to Message…": picks one of the user's messages, and leads the conversation there.
import * as vscode from 'vscode';
import { type ChatItem } from '../../shared/chat';
import { type ChatHost } from '../chat/chat-host';

const maxLabel = 120;

/** `show` shows the chat, and resolves once it listens. */
export async function goToMessage(host: ChatHost, show: () => Promise<unknown>): Promise<void> {
  const messages = listedMessages(host.chat.poster.state.items);
  if (messages.length === 0)
    return void vscode.window.showInformationMessage('Deft: this session has no messages yet.');
  const picked = await vscode.window.showQuickPick(messages, {
    title: 'Go to Message',
    placeHolder: 'Which of your messages?',
  });
  if (picked === undefined) return;
  await show();
  host.post({ type: 'goToItem', id: picked.id });
}

/** The latest first, each with its number in the session. */
function listedMessages(items: readonly ChatItem[]): { label: string; description: string; id: string }[] {
  const own = items.filter((item) => item.kind === 'user');
  return own
    .map(({ id, text }, index) => ({
      label: text.replace(/\s+/g, ' ').trim().slice(0, maxLabel) || 'A message without text',
      description: `${index + 1} of ${own.length}`,
      id,
    }))
    .reverse();
}
