// Says that another folder for sessions counts after a reload: the store that is open stays with its own.
import * as vscode from 'vscode';

/** `used`: the folder that is open; `chosen`: what the setting names now. */
export function watchSessionsFolder(used: string, chosen: () => string, offer = offerReload): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('deft.sessions.directory') && chosen() !== used) void offer(chosen());
  });
}

async function offerReload(folder: string): Promise<void> {
  const reload = 'Reload Window';
  const answer = await vscode.window.showInformationMessage(
    `Deft: sessions are kept in ${folder} once the window is reloaded. Earlier sessions stay where they are.`,
    reload,
  );
  if (answer === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
