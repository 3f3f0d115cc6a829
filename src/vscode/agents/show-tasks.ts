// "Show Background Tasks": a list of what runs beside a chat; what is chosen in it is stopped.
import * as vscode from 'vscode';
import { type Chat } from '../chat/chat';

export async function showTasks(chat: Chat): Promise<void> {
  const { background } = chat.poster.state;
  if (background.length === 0) return chat.notice('info', 'Nothing runs in the background.', 'Commands and agents that go on beside the conversation are listed here.');
  const items = background.map(({ id, kind, title }) => ({ label: `$(${kind === 'agent' ? 'hubot' : 'terminal'}) ${title}`, description: id, id }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Background Tasks', placeHolder: 'Choose one to stop it' });
  if (picked !== undefined) await (await chat.session()).stopTask(picked.id);
}
