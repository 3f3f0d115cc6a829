// What a review asks before it takes something away that Deft has not made.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { uriOf } from '../host/uri-path';
import { nameOf } from './change-commands';
import { type TypedAnswer } from './undo-changes';

/** Lines that a dialog has room for. */
const mostLines = 8;

export async function confirmDelete(path: Path): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `Delete ${nameOf(uriOf(path))}?`,
    { modal: true, detail: 'It has changed since Deft made it.' },
    'Delete',
  );
  return answer === 'Delete';
}

/** The user, or another program, wrote these lines into what is about to be undone. */
export async function askTyped(path: Path, lines: readonly string[]): Promise<TypedAnswer> {
  const [keep, undo] = ['Keep These Lines', 'Undo Them Too'];
  const more = lines.length > mostLines ? `\n… and ${lines.length - mostLines} more` : '';
  const answer = await vscode.window.showWarningMessage(
    `${nameOf(uriOf(path))} has lines in this change that were written after Deft made it.`,
    { modal: true, detail: `${lines.slice(0, mostLines).join('\n')}${more}` },
    keep,
    undo,
  );
  if (answer === keep) return 'keep';
  return answer === undo ? 'undo' : undefined;
}
