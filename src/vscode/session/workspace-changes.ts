// Folders come into the workspace and leave it while chats are open: VS Code starts the extension host anew only where the first one is another.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import { type RuleSource } from './rule-source';

export interface FollowedFolders {
  rules: Pick<RuleSource, 'load'>;
  chats: () => readonly { foldersChanged(): Promise<void> }[];
  log: Pick<Log, 'warn'>;
}

export function followWorkspaceFolders({ rules, chats, log }: FollowedFolders): vscode.Disposable {
  const follow = async (): Promise<void> => {
    // What may be done in a new folder is known before the model is informed of it.
    await rules.load().catch(() => undefined);
    for (const chat of chats())
      chat
        .foldersChanged()
        .catch((error: unknown) => log.warn('A chat could not follow the folders of the workspace.', messageOf(error)));
  };
  return vscode.workspace.onDidChangeWorkspaceFolders(() => void follow());
}
