// Commands that act on the chat: sessions, focus, context, models and modes.
import * as vscode from 'vscode';
import { mentionText } from '../../shared/mention-text';
import { type PermissionMode } from '../../shared/permission';
import { modeDescriptions, modeLabels } from '../../shared/mode-labels';
import { type ChatHost } from '../chat/chat-host';
import { beginsAnother, movableSession } from './begin-session';
import { type ModelPickServices } from './pick-model';

export interface ChatCommandServices {
  /** The chat that the user used last, shown and ready; opened where there is none. */
  show: () => Promise<ChatHost>;
  current: () => ChatHost | undefined;
  openInEditor: (sessionId?: string) => Promise<ChatHost>;
  /** The one that waits longest for the user, or the next behind the one in use. */
  nextWaiting: () => ChatHost | undefined;
  models: ModelPickServices;
  confirmMode: (mode: PermissionMode) => Promise<boolean>;
  offeredModes: () => PermissionMode[];
}

type Commands = Record<string, (...args: never[]) => unknown>;

export function chatCommands(services: ChatCommandServices): Commands {
  const { show } = services;
  // Showing a chat takes the focus, and a list that loses the focus closes.
  const chosen = async (): Promise<ChatHost> => services.current() ?? (await show());
  return {
    'deft.newSession': async () => {
      const host = await show();
      if (await beginsAnother(host.chat)) host.post({ type: 'focus' });
    },
    'deft.focus': async () => {
      (await show()).post({ type: 'focus' });
    },
    // A session has one writer: the conversation moves into the editor, and the chat it was in begins a new one.
    'deft.openInEditor': async () => {
      const chat = services.current()?.chat;
      if (chat?.running)
        inform('a session that works cannot be moved. It stays where it is, and a new chat was opened.');
      const moves = movableSession(chat);
      // Where it is still open, a second chat could only show it read-only.
      if (moves !== undefined && chat !== undefined && !(await beginsAnother(chat))) return;
      await services.openInEditor(moves);
    },
    'deft.newChatInEditor': async () => {
      (await services.openInEditor()).post({ type: 'focus' });
    },
    'deft.history': async () => {
      (await show()).post({ type: 'showHistory' });
    },
    'deft.nextWaiting': () => {
      const host = services.nextWaiting();
      if (host === undefined) return inform('no chat waits for you.');
      host.reveal();
      host.post({ type: 'focus' });
    },
    'deft.compact': async () => {
      const { chat } = await chosen();
      const focus = await vscode.window.showInputBox({
        title: 'Compact Conversation',
        prompt: 'What matters most in the summary? Optional.',
        ignoreFocusOut: true,
      });
      if (focus !== undefined) await chat.compact(focus);
    },
    'deft.stop': async () => {
      const chat = services.current()?.chat;
      if (chat === undefined || (!chat.running && chat.poster.state.queue.length === 0))
        return inform('nothing is running that could be stopped.');
      await chat.stopAndSendQueued();
    },
    'deft.addSelection': async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return inform('open a file and select what to add.');
      const { selection, document } = editor;
      const path = vscode.workspace.asRelativePath(document.uri);
      const end = selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
      await insert(
        mentionText(path, selection.isEmpty ? undefined : { start: selection.start.line + 1, end }),
        services,
      );
    },
    'deft.addFile': async (uri?: vscode.Uri, uris?: vscode.Uri[]) => {
      const picked = uris ?? [uri ?? vscode.window.activeTextEditor?.document.uri].filter((one) => one !== undefined);
      if (picked.length === 0) return inform('open the file to add, or select it in the Explorer.');
      await insert(picked.map((one) => mentionText(vscode.workspace.asRelativePath(one))).join(' '), services);
    },
    'deft.selectModel': async (named?: string) => {
      const host = await chosen();
      const { allowed, pickModel } = await import('./pick-model');
      const model =
        typeof named === 'string' && named !== ''
          ? allowed(named, services.models)
          : await pickModel(host.chat.poster.state.model, services.models);
      if (model !== undefined) await host.chat.setModel(model);
    },
    'deft.selectPermissionMode': async () => {
      const host = await chosen();
      const items = services
        .offeredModes()
        .map((mode) => ({ label: modeLabels[mode], detail: modeDescriptions[mode], mode }));
      const picked = await vscode.window.showQuickPick(items, {
        title: 'Permission mode',
        placeHolder: `Now: ${modeLabels[host.chat.poster.state.mode]}`,
      });
      if (picked !== undefined && (await services.confirmMode(picked.mode))) await host.chat.setMode(picked.mode);
    },
  };
}

async function insert(text: string, { show }: ChatCommandServices): Promise<void> {
  (await show()).post({ type: 'insert', text: `${text} ` });
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
