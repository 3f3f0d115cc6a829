// Commands around proposed edits and changes that wait for review.
import * as vscode from 'vscode';
import { pathOf } from '../host/uri-path';
import { type ChangeReview } from '../review/change-review';
import { type OwnChanges } from '../review/own-changes';
import { proposalAtCursor } from '../review/proposal-tabs';
import { type ProposalReview } from '../review/proposal-review';

export function reviewCommands({
  proposals,
  changes,
  own,
}: {
  proposals: ProposalReview;
  changes: ChangeReview;
  own: OwnChanges;
}): Record<string, (...args: never[]) => unknown> {
  const decide = (behavior: 'accept' | 'reject', uri: vscode.Uri | undefined): void => {
    if (!proposals.decide(behavior, uri)) inform('no edit waits for your decision here.');
  };
  const decideAll = (behavior: 'accept' | 'reject'): void => {
    if (proposals.decideAll(behavior) === 0) inform('no edit waits for your decision.');
  };
  /** Both answer nothing by themselves where nothing waits. */
  const whereSomeWait = (name: 'deft.keepAllChanges' | 'deft.undoAllChanges') => (uri?: unknown) =>
    changes.changes().some(({ path }) => !(uri instanceof vscode.Uri) || path === pathOf(uri))
      ? own.commands[name]?.(uri)
      : inform('no change waits for review.');
  const ofChanges = {
    ...changes.commands,
    'deft.keepAllChanges': whereSomeWait('deft.keepAllChanges'),
    'deft.undoAllChanges': whereSomeWait('deft.undoAllChanges'),
  };
  return {
    'deft.acceptEdit': (uri?: vscode.Uri) => decide('accept', uri),
    'deft.rejectEdit': (uri?: vscode.Uri) => decide('reject', uri),
    'deft.takeBackHunk': async () => {
      const at = proposalAtCursor('deft-proposed');
      if (at === undefined || !(await proposals.takeBack(at, { start: at.line, end: at.line + 1 })))
        inform('no change of a proposal is at the cursor.');
    },
    'deft.acceptAllEdits': () => decideAll('accept'),
    'deft.rejectAllEdits': () => decideAll('reject'),
    ...afterRestoring(ofChanges, changes.restored),
  };
}

/** A command may be what wakes Deft: what waits from before is not read yet then. */
function afterRestoring(
  commands: ChangeReview['commands'],
  restored: Promise<unknown>,
): Record<string, (...args: never[]) => unknown> {
  const later =
    (command: (...args: never[]) => unknown) =>
    async (...args: never[]): Promise<unknown> => {
      await restored;
      return command(...args);
    };
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, later(command)]));
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
