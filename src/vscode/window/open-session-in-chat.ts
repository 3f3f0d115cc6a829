// Shows a session: in the chat that has it, else in one that rests, else in a tab of its own. One of another folder is shown read-only.
import * as vscode from 'vscode';
import { isAtWork } from '../chat/conversation/left-work';
import { type ChatHost } from '../chat/chat-host';
import { uriOf } from '../host/uri-path';
import { type BoardRow } from './board-row';
import { type ChatPlaces } from './chat-places';

type Places = Pick<ChatPlaces, 'all' | 'show' | 'openInEditor'>;

export async function openSessionInChat(places: Places, session: string): Promise<void> {
  if (revealSession(places, session)) return;
  const host = await places.show();
  // Nothing is lost by it.
  if (!isAtWork(host.chat.work)) await host.chat.open(session);
  else (await places.openInEditor(session)).post({ type: 'focus' });
}

/** As `openSessionInChat`, but no other chat gives way to it. */
export async function openSessionInTab(places: Omit<Places, 'show'>, session: string): Promise<void> {
  if (!revealSession(places, session)) (await places.openInEditor(session)).post({ type: 'focus' });
}

export async function openRow(places: Places, row: BoardRow): Promise<void> {
  if (row.elsewhere === undefined) return openSessionInChat(places, row.id);
  const { file, folder } = row.elsewhere;
  const { readSessionFile } = await import('../../node/sessions/external-sessions');
  const session = await readSessionFile(file);
  const shown: ChatHost = await places.show();
  const host = isAtWork(shown.chat.work) ? await places.openInEditor() : shown;
  await host.chat.view(session);
  const open = 'Open Folder';
  const answer = await vscode.window.showInformationMessage(
    `Deft: “${row.title}” is a session of ${folder}. It is shown read-only here, and continues there.`,
    open,
  );
  if (answer === open)
    await vscode.commands.executeCommand('vscode.openFolder', uriOf(folder), { forceNewWindow: true });
}

/** False where no chat of this window has it. */
export function revealSession(places: Pick<ChatPlaces, 'all'>, session: string): boolean {
  const host = places.all().find(({ chat }) => chat.poster.state.sessionId === session);
  host?.reveal();
  host?.post({ type: 'focus' });
  return host !== undefined;
}
