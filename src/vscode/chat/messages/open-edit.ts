// What the name in the card of an edit opens: the proposal while it waits, else what Deft's changes are, else that very edit.
import * as vscode from 'vscode';
import { type ChangeReview } from '../../review/change-review';
import { type ProposalReview } from '../../review/proposal-review';
import { type Chat } from '../conversation/chat';

export interface OpenEditOptions {
  chat: Chat;
  changes: Pick<ChangeReview, 'changes' | 'open' | 'openCall'>;
  proposals: Pick<ProposalReview, 'show'>;
  isHidden: (path: string) => boolean;
  /** Of the file that the card names. */
  path: string;
  /** The file as it is now. */
  openFile: () => Promise<void>;
}

export async function openEdit(
  toolUseId: string,
  { chat, changes, proposals, isHidden, path, openFile }: OpenEditOptions,
): Promise<void> {
  const waiting = chat.approvals.requests.find((request) => request.toolUseId === toolUseId);
  if (waiting !== undefined && (await proposals.show(waiting.id, path))) return;
  if (changes.changes().some((change) => change.path === path)) return changes.open(path);
  if (isHidden(path)) return sayHidden(path);
  if (/\.ipynb$/i.test(path)) return openFile();
  const { textsOfCall } = await import('../../review/call-texts');
  const { decodeKept } = await import('../../review/call-diff');
  const session = await chat.session();
  // Nothing of a session that is only shown is in the own one's checkpoints.
  const { records, checkpoints } =
    chat.shown === undefined ? session.settings : { records: chat.shown.records, checkpoints: undefined };
  const texts = await textsOfCall(toolUseId, { records, checkpoints, decode: decodeKept }, path);
  if (texts !== undefined) {
    // Through a link a rule hides what is behind it, too.
    const real = await session.ports.files.realPath(texts.path).catch(() => texts.path);
    return isHidden(texts.path) || isHidden(real) ? sayHidden(path) : changes.openCall(toolUseId, texts);
  }
  void vscode.window.showInformationMessage(
    `Deft: what this edit changed in ${nameOf(path)} is no longer stored, so the file opens as it is now.`,
  );
  await openFile();
}

function sayHidden(path: string): void {
  void vscode.window.showInformationMessage(
    `Deft: a deny rule hides ${nameOf(path)}, so no diff of it is shown. Open the file yourself to see it.`,
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
