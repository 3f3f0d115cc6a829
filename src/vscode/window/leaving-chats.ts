// Chats that are left or closed at work: the user is asked before, or told after, what becomes of their turn, requests and background work.
import * as vscode from 'vscode';
import { type ChatHost } from '../chat/chat-host';
import { becomesOf, isAtWork, type LeftFor, type LeftWork } from '../chat/conversation/left-work';

export interface LeavingServices {
  openInEditor(sessionId: string | undefined): Promise<Pick<ChatHost, 'post'>>;
}

/** A tab of its own for what is opened lets both continue. */
export async function confirmLeaving(work: LeftWork, to: LeftFor, services: LeavingServices): Promise<boolean> {
  const elsewhere = 'Open in New Tab';
  const leave = work.turn === 'none' ? 'Leave' : 'Stop and Leave';
  const answer = await vscode.window.showWarningMessage(
    `“${work.title}” ${stateOf(work)}.`,
    { modal: true, detail: becomesOf(work).join('\n') },
    ...('id' in to ? [elsewhere] : []),
    leave,
  );
  if (answer === elsewhere) (await services.openInEditor(to.id)).post({ type: 'focus' });
  return answer === leave;
}

/** VS Code asks nobody before it closes a tab. `open` shows the session where it is, if it was opened again meanwhile. */
export async function tellClosed(work: LeftWork, open: (session: string) => Promise<void>): Promise<void> {
  if (!isAtWork(work) && work.commands.length === 0 && work.queued === 0) return;
  const [reopen, show] = ['Reopen', 'Show Background Work'];
  const answer = await vscode.window.showInformationMessage(
    `Deft: “${work.title}” was closed. ${becomesOf(work).join(' ')}`,
    reopen,
    ...(work.commands.length > 0 ? [show] : []),
  );
  if (answer === reopen) await open(work.sessionId);
  if (answer === show) await vscode.commands.executeCommand('deft.showTasks');
}

function stateOf({ turn, requests, cancelled }: LeftWork): string {
  if (turn === 'works') return 'is working';
  return requests + cancelled > 0 ? 'waits for you' : 'has work in the background that would end';
}
