// Commands around proposed edits and changes that wait for review.
import * as vscode from 'vscode';
import { type ChangeReview } from '../review/change-review';
import { type ProposalReview } from '../review/proposal-review';

export function reviewCommands({ proposals, changes }: { proposals: ProposalReview; changes: ChangeReview }): Record<string, (...args: never[]) => unknown> {
  const decide = (behavior: 'accept' | 'reject', uri: vscode.Uri | undefined): void => {
    if (!proposals.decide(behavior, uri)) void vscode.window.showInformationMessage('Deft: no edit waits for your decision here.');
  };
  return {
    'deft.acceptEdit': (uri?: vscode.Uri) => decide('accept', uri),
    'deft.rejectEdit': (uri?: vscode.Uri) => decide('reject', uri),
    'deft.acceptAllEdits': () => proposals.decideAll('accept'),
    'deft.rejectAllEdits': () => proposals.decideAll('reject'),
    ...afterRestoring(changes),
  };
}

/** A command may be what wakes Deft: what waits from before is not read yet then. */
function afterRestoring({ commands, restored }: Pick<ChangeReview, 'commands' | 'restored'>): Record<string, (...args: never[]) => unknown> {
  const later = (command: (...args: never[]) => unknown) => async (...args: never[]): Promise<unknown> => {
    await restored;
    return command(...args);
  };
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, later(command)]));
}
