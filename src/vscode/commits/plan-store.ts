// Plans of commits that are open: a file of Deft's own for the text that the user edits, and what git kept of the changes for it.
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { type PlannedCommit, planText, readPlan, type ReadPlan } from '../../core/commit/commit-plan';
import { type FileChange } from '../../core/commit/changes';
import { type Uncommitted } from '../../node/commits/read-changes';
import { type KnownFacts, type RepositoryPaths } from './session-changes';

export const planExtension = '.deft-commit';

export interface OpenPlan {
  uri: vscode.Uri;
  uncommitted: Uncommitted;
  paths: RepositoryPaths;
  facts: KnownFacts | undefined;
  /** Messages of the last commits, newest first. */
  recent: readonly string[];
  /** Sentences above the plan that hold whatever its commits are. */
  notes: readonly string[];
  marks: (change: FileChange) => string;
  /** A deny rule hides them: no model sees them. */
  hidden: ReadonlySet<string>;
  busy: boolean;
}

const plans = new Map<string, OpenPlan>();

export function planOf(uri: vscode.Uri | undefined): OpenPlan | undefined {
  return uri === undefined ? undefined : plans.get(uri.toString());
}

/** Of the editor in front, or the one that a button belongs to. */
export function planUri(given: unknown): vscode.Uri | undefined {
  const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  return uri?.path.endsWith(planExtension) === true ? uri : undefined;
}

export function readOpenPlan(plan: OpenPlan, text: string): ReadPlan {
  return readPlan(text, plan.uncommitted.changes);
}

/** One folder a repository: its name on the tab, and another one beside it does not take its place. */
export function previewFile(storage: vscode.Uri, root: string, name: string): vscode.Uri {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return vscode.Uri.joinPath(storage, 'commits', key, name);
}

export async function openPlan(
  storage: vscode.Uri,
  plan: Omit<OpenPlan, 'uri' | 'busy'>,
  commits: readonly PlannedCommit[],
  notes: readonly string[],
): Promise<OpenPlan> {
  const { root } = plan.uncommitted.repository;
  const uri = previewFile(storage, root, `${path.basename(root)}${planExtension}`);
  const opened: OpenPlan = { ...plan, uri, busy: false };
  const text = textOfPlan(opened, commits, notes);
  plans.set(uri.toString(), opened);
  await showPreview(uri, text, /^=== Commit/m);
  return opened;
}

function textOfPlan(
  { uncommitted, marks, notes }: OpenPlan,
  commits: readonly PlannedCommit[],
  more: readonly string[],
): string {
  return planText({ changes: uncommitted.changes, commits, notes: [...more, ...notes], marks });
}

/** Ctrl+Z brings back what stood there. */
export async function rewritePlan(
  plan: OpenPlan,
  commits: readonly PlannedCommit[],
  notes: readonly string[],
): Promise<void> {
  await showPreview(plan.uri, textOfPlan(plan, commits, notes), /^=== Commit/m);
}

/** The cursor goes into the line behind the one that `at` finds. */
export async function showPreview(uri: vscode.Uri, text: string, at: RegExp): Promise<void> {
  const there = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!there) {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== text) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const line = document.positionAt(Math.max(0, document.getText().search(at))).line + 1;
  const position = new vscode.Position(Math.min(line, document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(0, 0, position.line, 0));
}

/** It was carried out: neither its tab nor its file is of use any more. */
export async function closePreview(uri: vscode.Uri): Promise<void> {
  plans.delete(uri.toString());
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (document?.isDirty === true) await document.save();
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs, true);
  await vscode.workspace.fs.delete(uri).then(undefined, () => undefined);
}
