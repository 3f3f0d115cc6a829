// After "Undo all": says what commands of the session changed besides the edits that were undone, and leads to the rewind that covers it.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';
import { uriOf } from '../host/uri-path';
import { rewindSome, type RewindServices } from './rewind-chat';
import { leftWords } from './rewind-words';

/** `undone`: the files whose edits were undone. `named`: more than one chat is open. */
export async function tellLeft(undone: readonly Path[], services: RewindServices, named: boolean): Promise<void> {
  const { chat } = services;
  if (chat.readOnly) return;
  const { settings } = await chat.session();
  const whose = named ? `the chat “${chat.poster.state.title || 'New session'}”` : 'this chat';
  if (settings.checkpoints === undefined) {
    if (ranCommands(settings.records))
      void vscode.window.showInformationMessage(
        `Deft: the edits are undone. What commands of ${whose} changed stays: there are no checkpoints here to rewind to.`,
      );
    return;
  }
  const left = await settings.checkpoints.leftByCommands(undone);
  const { steps = [], lost = [] } = left?.preview.plan ?? {};
  if (left === undefined || steps.length + lost.length === 0) return;
  const name = (path: string): string => vscode.workspace.asRelativePath(uriOf(path));
  const rewind = 'Rewind These…';
  const answer = await vscode.window.showInformationMessage(
    `Deft: the edits are undone. ${leftWords(steps, lost, name, whose)}`,
    ...(steps.length > 0 ? [rewind] : []),
  );
  if (answer === rewind) await rewindSome(left.to, new Set(steps.map(({ path }) => path)), services);
}

function ranCommands(records: readonly SessionRecord[]): boolean {
  return records.some(
    (record) =>
      record.type === 'assistant' &&
      record.message.content.some(
        (block) => block.type === 'tool_use' && (block.name === 'Bash' || block.name === 'PowerShell'),
      ),
  );
}
