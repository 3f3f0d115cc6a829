// Shows what a project's settings would allow, and asks once whether they may.
import * as vscode from 'vscode';
import { type Grant } from '../../core/settings/project-grants';
import { type RuleSource } from './rule-source';

const shownInNotice = 4;
const shownInDialog = 60;

/** For the notice in the chat. */
export function grantsText(grants: readonly Grant[]): string {
  const more = grants.length - shownInNotice;
  const lines = grants.slice(0, shownInNotice).map(({ text }) => cut(text));
  return `Not in force until you agree: ${lines.join(' · ')}${more > 0 ? ` · ${more} more` : ''}`;
}

export async function reviewGrants(rules: RuleSource): Promise<void> {
  await rules.load();
  const grants = rules.grantsToReview();
  if (grants.length === 0) {
    void vscode.window.showInformationMessage("Deft: nothing in this project's settings waits for your consent.");
    return;
  }
  const files = [...new Set(grants.map(({ file }) => file))];
  const detail = files
    .map((file) => [`${vscode.workspace.asRelativePath(file)}:`, ...listed(grants.filter((grant) => grant.file === file))].join('\n'))
    .join('\n\n');
  const answer = await vscode.window.showWarningMessage("Agree to what this project's settings allow?", { modal: true, detail }, agree, keepOff);
  if (answer === agree || answer === keepOff) await rules.answer(grants, answer === agree);
}

const agree = 'Agree';
const keepOff = 'Keep Off';

function listed(grants: readonly Grant[]): string[] {
  const more = grants.length - shownInDialog;
  return [...grants.slice(0, shownInDialog).map(({ text }) => `  ${cut(text)}`), ...(more > 0 ? [`  and ${more} more: read the file before you agree`] : [])];
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
