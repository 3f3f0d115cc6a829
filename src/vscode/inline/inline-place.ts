// Where Deft can be asked for an edit in an editor, or why not.
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { commentPlace } from '../comments/comment-places';

/** The file's path, or a sentence for the user. */
export type InlinePlace = { path: Path } | { why: string };

export async function inlinePlace(
  document: vscode.TextDocument,
  isHidden: (path: Path) => boolean,
): Promise<InlinePlace> {
  const { uri } = document;
  const place = commentPlace(uri);
  if (document.isUntitled) return { why: 'this file has no name yet. Save it first.' };
  if (uri.scheme === 'vscode-notebook-cell')
    return { why: 'a cell of a notebook has no box of its own. Add it to the chat instead (Alt+K).' };
  if (uri.scheme === 'deft-proposed')
    return { why: 'this is a proposal that waits for your answer. Change it here, or answer it first.' };
  if (place?.before === true) return { why: 'this is the text from before the change. Go to its other side.' };
  if (place === undefined) return { why: 'this is not a file of the workspace.' };
  if (isHidden(place.path)) return { why: 'your rules hide this file from the agent.' };
  const isReadOnly = vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false || (await isLocked(uri));
  return isReadOnly ? { why: 'this file is read-only.' } : { path: place.path };
}

/** A file that is not there any more comes back as it is saved. On the disk, VS Code keeps to itself that nobody may write. */
async function isLocked(uri: vscode.Uri): Promise<boolean> {
  const asked =
    uri.scheme === 'file'
      ? stat(uri.fsPath).then(({ mode }) => (mode & 0o222) === 0)
      : vscode.workspace.fs
          .stat(uri)
          .then(({ permissions = 0 }) => (permissions & vscode.FilePermission.Readonly) !== 0);
  return Promise.resolve(asked).catch(() => false);
}
