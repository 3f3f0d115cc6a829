// Shows what a project's settings would allow, and asks once whether they may.
import * as vscode from 'vscode';
import { type Grant, shortGrant } from '../../core/settings/grant-text';
import { type RuleSource } from './rule-source';

const shownInDialog = 60;

export async function reviewGrants(rules: RuleSource): Promise<void> {
  await rules.load();
  const grants = rules.grants.waiting();
  if (grants.length === 0) {
    void vscode.window.showInformationMessage("Deft: nothing in this project's settings waits for your consent.");
    return;
  }
  const files = [...new Set(grants.map(({ file }) => file))];
  const detail = files
    .map((file) =>
      [`${vscode.workspace.asRelativePath(file)}:`, ...listed(grants.filter((grant) => grant.file === file))].join(
        '\n',
      ),
    )
    .join('\n\n');
  const answer = await vscode.window.showWarningMessage(
    "Agree to what this project's settings allow?",
    { modal: true, detail },
    agree,
    keepOff,
  );
  if (answer === agree || answer === keepOff) await rules.grants.answer(grants, answer === agree);
}

const agree = 'Agree';
const keepOff = 'Keep Off';

function listed(grants: readonly Grant[]): string[] {
  const more = grants.length - shownInDialog;
  return [
    ...grants.slice(0, shownInDialog).map((grant) => `  ${shortGrant(grant)}`),
    ...(more > 0 ? [`  and ${more} more: read the file before you agree`] : []),
  ];
}
