// /add-dir: one more folder that the agent may work in, for this session or for good.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { homeFolder } from '../../../node/home-folder';
import { portPath } from '../../../node/files/port-path';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';

export async function addFolderTo(chat: Chat, rest: string): Promise<void> {
  const folder = rest === '' ? await pickFolder() : absolute(rest);
  if (folder === undefined) return;
  const session = await chat.session();
  // Before anything is asked: a typing error needs no answer to "How long?".
  const problem = await session.folders.problem(folder);
  if (problem !== undefined) return chat.notice('info', 'The folder was not added.', problem);
  const remember = vscode.workspace.isTrusted && workspaceFolders().length > 0 ? await askToRemember(folder) : false;
  if (remember === undefined) return;
  const outcome = await session.folders.add(folder, remember);
  if (!outcome.added) return chat.notice('info', 'The folder was not added.', outcome.message);
  chat.notice(
    'info',
    `Added ${folder}`,
    remember
      ? 'For this session, and in your own settings of this project (permissions.additionalDirectories).'
      : 'For this session.',
  );
}

function absolute(text: string): string {
  const [first] = workspaceFolders();
  const unquoted = text.replace(/^(["'])(.*)\1$/, '$2');
  const home = unquoted.replace(/^~(?=$|[\\/])/, () => homeFolder());
  return portPath(path.resolve(first?.path ?? homeFolder(), home)).replace(/(?<=.)\/$/, '');
}

async function pickFolder(): Promise<string | undefined> {
  const [picked] =
    (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: 'Add Folder' })) ??
    [];
  return picked && portPath(picked.fsPath);
}

async function askToRemember(folder: string): Promise<boolean | undefined> {
  const items = [
    { label: 'For this session', remember: false },
    { label: 'For this project', description: 'in your own settings of it', remember: true },
  ];
  return (await vscode.window.showQuickPick(items, { title: `Let Deft work in ${folder}`, placeHolder: 'How long?' }))
    ?.remember;
}
