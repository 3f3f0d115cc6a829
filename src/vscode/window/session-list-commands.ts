// Commands about all sessions: their view, the list to switch by, and a message to one that is not in front.
import * as vscode from 'vscode';
import { mentionText } from '../../shared/mention-text';
import { type ChatHost } from '../chat/chat-host';
import { type BoardRow } from './board-row';
import { openRow, openSessionInTab } from './open-session-in-chat';
import { isOwnSession, titleOf } from './session-row-commands';
import { pickSession, sessionsViewId } from './sessions-view';
import { waitsForAnswer } from './waits-for-answer';
import { type WindowParts } from './window-parts';

export function sessionListCommands(window: WindowParts): Record<string, () => Promise<void>> {
  const pick = async (title: string, which: (row: BoardRow) => boolean) =>
    pickSession((await window.board.rows()).filter(which), window, title);
  return {
    'deft.showSessions': async () => void (await vscode.commands.executeCommand(`${sessionsViewId}.focus`)),
    'deft.switchSession': async () => {
      const picked = await pick('Switch session', () => true);
      if (picked !== undefined) await openRow(window.places, picked);
    },
    'deft.sendToSession': async () => {
      const picked = await pick('Send to which session?', isOwnSession);
      if (picked === undefined) return;
      const title = titleOf(picked);
      if (waitsForAnswer(picked, chatHostWith(window, picked.id)?.chat)) return refuseAnswer(window, picked.id, title);
      const text = await vscode.window.showInputBox({
        title: `Send to “${title}”`,
        prompt: 'Your message. Where a turn runs, it is queued.',
        value: selectionMention(),
        valueSelection: [selectionMention().length, selectionMention().length],
        ignoreFocusOut: true,
      });
      if (text === undefined || text.trim() === '') return;
      const host = await chatOf(window, picked.id);
      // It may have asked meanwhile.
      if (waitsForAnswer(picked, host.chat)) return refuseAnswer(window, picked.id, title, text.trim());
      await host.chat.send({ text: text.trim(), images: [] }, picked.id);
    },
  };
}

/** The user reads the question before anything is taken as its answer. What was written goes into the composer. */
async function refuseAnswer(window: WindowParts, session: string, title: string, written = ''): Promise<void> {
  const open = 'Open Session';
  const answer = await vscode.window.showWarningMessage(
    `Deft: “${title}” waits for an answer of yours. Your message was not sent: it would be taken as that answer.`,
    open,
  );
  if (answer !== open) return;
  await openSessionInTab(window.places, session);
  if (written !== '') chatHostWith(window, session)?.post({ type: 'insert', text: written });
}

function chatHostWith({ places }: WindowParts, session: string): ChatHost | undefined {
  return places.all().find(({ chat }) => chat.poster.state.sessionId === session);
}

/** The one that has it, else a tab of its own: what the others do continues. */
async function chatOf(window: WindowParts, session: string): Promise<ChatHost> {
  const open = chatHostWith(window, session);
  if (open !== undefined) return open;
  const host = await window.places.openInEditor(session);
  await host.chat.session();
  return host;
}

/** What is selected in the editor is meant. */
function selectionMention(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return '';
  const { selection, document } = editor;
  const end = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  return `${mentionText(vscode.workspace.asRelativePath(document.uri), { start: selection.start.line + 1, end })} `;
}
