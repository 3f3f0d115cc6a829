// Puts files back on the disk while a window has them open: marks of reviews first, then the files, then their editors.
import * as vscode from 'vscode';
import { type RewindStep, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { uriOf } from '../host/uri-path';
import { type ChangeReview } from '../review/change-review';

export interface PutFilesBack {
  checkpoints: Pick<SessionCheckpoints, 'bytes' | 'rewind'>;
  changes: Pick<ChangeReview, 'putBack'>;
}

type Outcome = Awaited<ReturnType<SessionCheckpoints['rewind']>>;

/** The user has agreed to discard what editors of these files hold unsaved now. What they type later stays, and is reported. */
export async function putFilesBack(
  to: string,
  steps: readonly RewindStep[],
  { checkpoints, changes }: PutFilesBack,
): Promise<Outcome> {
  const given = new Set(steps.flatMap(({ path }) => (unsaved(path) === undefined ? [] : [path])));
  // What the disk says afterwards is then no change of the user's.
  for (const { path, to: state } of steps) {
    const bytes = await checkpoints.bytes(state);
    changes.putBack(path, bytes === undefined ? undefined : new TextDecoder().decode(bytes));
  }
  const { undo, done, failed } = await checkpoints.rewind(to, steps);
  for (const path of done) if (given.has(path)) await revert(unsaved(path));
  const typed = done.filter((path) => !given.has(path) && unsaved(path) !== undefined);
  const overwritten = typed.map((path) => ({
    path,
    message: `${vscode.workspace.asRelativePath(uriOf(path))} was restored on disk; its editor holds what you have typed in the meantime.`,
  }));
  return { undo, done, failed: [...failed, ...overwritten] };
}

export function unsaved(path: string): vscode.TextDocument | vscode.NotebookDocument | undefined {
  const key = uriOf(path).toString();
  const isIt = (document: vscode.TextDocument | vscode.NotebookDocument): boolean =>
    document.isDirty && document.uri.toString() === key;
  return vscode.workspace.notebookDocuments.find(isIt) ?? vscode.workspace.textDocuments.find(isIt);
}

/** VS Code reverts only what is shown. */
async function revert(document: vscode.TextDocument | vscode.NotebookDocument | undefined): Promise<void> {
  if (document === undefined) return;
  if ('notebookType' in document) await vscode.window.showNotebookDocument(document);
  else await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
}
