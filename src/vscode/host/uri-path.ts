// Paths of the ports and URIs of VS Code, one to the other.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';

/** The port's path: forward slashes, drive letters in upper case; in a virtual workspace the path part of the URI. */
export function pathOf(uri: vscode.Uri): Path {
  if (uri.scheme !== 'file') return uri.path;
  const path = process.platform === 'win32' ? uri.fsPath.replaceAll('\\', '/') : uri.fsPath;
  return path.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Inside a workspace folder the URI has that folder's scheme and authority, elsewhere it names a file on this machine. */
export function uriOf(path: Path): vscode.Uri {
  const folder = folderOf(path);
  return folder === undefined || folder.uri.scheme === 'file' ? vscode.Uri.file(path) : folder.uri.with({ path });
}

/** The path where the URI is a file itself, not some other scheme's view of one (git, a proposal, an output channel). */
export function filePathOf(uri: vscode.Uri): Path | undefined {
  const path = pathOf(uri);
  return uriOf(path).toString() === uri.toString() ? path : undefined;
}

/** The innermost workspace folder that holds the path. */
export function folderOf(path: Path): vscode.WorkspaceFolder | undefined {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => holds(pathOf(folder.uri), path))
    .sort((left, right) => right.uri.path.length - left.uri.path.length)[0];
}

function holds(folder: Path, path: Path): boolean {
  const inside = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(inside);
}
