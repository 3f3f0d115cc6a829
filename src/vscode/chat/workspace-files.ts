// The list of workspace files for mentions: read when first needed, kept until files come or go.
import * as vscode from 'vscode';

const maxFiles = 20_000;

export interface WorkspaceFiles extends vscode.Disposable {
  /** Relative paths, with the folder's name in front where there are several folders. */
  list(): Promise<readonly string[]>;
}

export function createWorkspaceFiles(): WorkspaceFiles {
  let listed: Promise<readonly string[]> | undefined;
  const forget = (): void => void (listed = undefined);
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const subscriptions = [watcher, watcher.onDidCreate(forget), watcher.onDidDelete(forget), vscode.workspace.onDidChangeWorkspaceFolders(forget)];
  return {
    list: () =>
      (listed ??= Promise.resolve(vscode.workspace.findFiles('**/*', undefined, maxFiles)).then((uris) =>
        uris.map((uri) => vscode.workspace.asRelativePath(uri)),
      )),
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}
