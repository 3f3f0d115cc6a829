// The documents of "Test a Permission Rule": each URI holds its whole text, so that a tab which VS Code restores shows it again.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as vscode from 'vscode';

/** package.json names it too: a restored tab wakes Deft up. */
const scheme = 'deft-rule-test';
/** A URI that somebody else made up does not fill the memory. */
const maxBytes = 4 * 1024 * 1024;

export function ruleTestUri(text: string): vscode.Uri {
  return vscode.Uri.from({
    scheme,
    path: '/Permission rule test.md',
    query: deflateRawSync(text).toString('base64url'),
  });
}

export function registerRuleTestFiles(): vscode.Disposable {
  const nothingChanges = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: nothingChanges.event,
    watch: () => ({ dispose: () => undefined }),
    stat: (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: bytesOf(uri).length,
      permissions: vscode.FilePermission.Readonly,
    }),
    readFile: bytesOf,
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    nothingChanges,
    vscode.workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true, isReadonly: true }),
  );
}

function bytesOf(uri: vscode.Uri): Uint8Array {
  try {
    return inflateRawSync(Buffer.from(uri.query, 'base64url'), { maxOutputLength: maxBytes });
  } catch {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
}
