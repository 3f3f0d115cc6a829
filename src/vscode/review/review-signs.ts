// That something waits for review, outside of the editor: badge in the Explorer, status bar, context keys for menus.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { filePathOf, uriOf } from '../host/uri-path';

/** What waits: files, and notebooks with cells. */
export interface Pending {
  paths(): Path[];
  has(uri: vscode.Uri): boolean;
  onDidChange(listener: (paths: Path[]) => void): vscode.Disposable;
}

export function createReviewSigns(pending: Pending): vscode.Disposable {
  const decorationsChanged = new vscode.EventEmitter<vscode.Uri[]>();
  const status = vscode.window.createStatusBarItem('deft.review', vscode.StatusBarAlignment.Left);
  status.name = 'Deft: files to review';
  status.command = 'deft.nextEdit';

  const updateActive = (): void => {
    const active = vscode.window.activeTextEditor;
    setContext('deft.activePending', active !== undefined && pending.has(active.document.uri));
  };
  const update = (): void => {
    const paths = pending.paths();
    // `in` compares with the path part of a URI, never with the platform's own spelling.
    setContext(
      'deft.pendingPaths',
      paths.map((path) => uriOf(path).path),
    );
    updateActive();
    if (paths.length === 0) return status.hide();
    status.text = `$(request-changes) ${paths.length} ${paths.length === 1 ? 'file' : 'files'} to review`;
    status.tooltip = "Go to Deft's next change";
    status.show();
  };
  update();
  return vscode.Disposable.from(
    decorationsChanged,
    status,
    pending.onDidChange((paths) => {
      decorationsChanged.fire(paths.map(uriOf));
      update();
    }),
    vscode.window.onDidChangeActiveTextEditor(updateActive),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: decorationsChanged.event,
      provideFileDecoration(uri) {
        const path = filePathOf(uri);
        if (path === undefined || !pending.paths().includes(path)) return undefined;
        return new vscode.FileDecoration(
          'D',
          'Changed by Deft, not reviewed yet',
          new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
        );
      },
    }),
  );
}

function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
