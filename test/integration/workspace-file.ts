// Files, editors and settings of a test window.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type FileSystem, type TextChange, type TextFile, type WriteOutcome } from '../../src/core/ports/files';

/** A new folder inside the window's workspace. */
export function newFolder(name: string): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'the window has no folder');
  return realpathSync(mkdtempSync(path.join(folder.uri.fsPath, `${name}-`)));
}

/** Returns the path. */
export function put(folder: string, name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

export function disk(file: string): string {
  return readFileSync(file, 'utf8');
}

export async function show(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}

/** Types at the start of the document, without saving. */
export async function type(editor: vscode.TextEditor, text: string, line = 0): Promise<void> {
  assert.equal(await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text)), true);
}

export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(isOurs)) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

export function dirtyDocuments(): string[] {
  return vscode.workspace.textDocuments
    .filter((document) => document.isDirty && isOurs(document))
    .map(({ uri }) => uri.path);
}

/** VS Code may have its own settings file open and unsaved. */
function isOurs({ uri }: vscode.TextDocument): boolean {
  return uri.scheme.startsWith('deft-') || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

export async function read(files: FileSystem, file: string): Promise<TextFile> {
  const outcome = await files.readText(file, 10_000_000);
  assert.equal(outcome.outcome, 'read', JSON.stringify(outcome));
  return outcome.outcome === 'read' ? outcome.file : assert.fail();
}

/** Reads, replaces in the text, writes. */
export async function change(
  files: FileSystem,
  file: string,
  replace: (text: string) => string,
  more: Partial<TextChange> = {},
): Promise<WriteOutcome> {
  const base = await read(files, file);
  return files.writeText({ path: file, base, text: replace(base.text), approved: true, ...more });
}

/** Resolves when it holds; fails with `what` after forty seconds, which a slow machine may need. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 40_000;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const ourTerminals = (): vscode.Terminal[] =>
  vscode.window.terminals.filter(({ name, exitStatus }) => name.startsWith('Deft') && !exitStatus);

/** Those of Deft, and waits until they are gone: the next test counts its own. */
export async function closeTerminals(): Promise<void> {
  for (const each of ourTerminals()) each.dispose();
  await until('the terminals close', () => ourTerminals().length === 0);
}

/** Sets workspace settings for the time of `use`. */
export async function withSettings<Result>(
  settings: Record<string, unknown>,
  use: () => Promise<Result>,
): Promise<Result> {
  const configuration = vscode.workspace.getConfiguration();
  for (const [name, value] of Object.entries(settings))
    await configuration.update(name, value, vscode.ConfigurationTarget.Workspace);
  try {
    return await use();
  } finally {
    for (const name of Object.keys(settings))
      await configuration.update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
}
