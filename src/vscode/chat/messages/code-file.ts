// Which file a block of code is for: the one that it names, else the one that the user works in, else the one that they pick.
import { basename, extname, isAbsolute, normalize } from 'pathe';
import * as vscode from 'vscode';
import { type FileSystem } from '../../../core/ports/files';
import { isInsideAny } from '../../../core/permissions/rules/workspace-path';
import { pathOf } from '../../host/uri-path';
import { workspaceFolders } from '../../host/workspace-facts';
import { placeOf } from './link-place';

export interface CodeForFile {
  text: string;
  /** As its fence has it. */
  language: string;
  /** The file that the block names. */
  path?: string | undefined;
}

/** Undefined where the user picks none. Throws a sentence where there is none to pick. */
export async function targetOf(
  { path, language }: CodeForFile,
  files: Pick<FileSystem, 'stat' | 'realPath'>,
): Promise<string | undefined> {
  if (path !== undefined) return namedFile(path, files);
  const active = vscode.window.activeTextEditor;
  const current = active !== undefined && isOfWorkspace(active.document.uri) ? active.document : visibleDocument();
  if (current !== undefined && isLanguage(current, language)) return pathOf(current.uri);
  const open = openFiles();
  if (open.length === 0)
    throw new Error('The code names no file, and no file of the workspace is open. Open the one that it is for.');
  return pick(open, 'Which file is this code for?');
}

async function namedFile(path: string, files: Pick<FileSystem, 'stat' | 'realPath'>): Promise<string | undefined> {
  const folders = workspaceFolders();
  const [first, ...others] = folders;
  if (first === undefined) throw new Error('No folder is open, so there is no file to apply it to.');
  const place = await placeOf(path, { files, folders, own: [first.path] });
  if (place.kind === 'inside') return place.path;
  if (place.kind === 'outside' || place.kind === 'network')
    throw new Error(`${path} is outside the workspace. Open it, and use “Insert at cursor”.`);
  // A name alone may mean a file that is further down.
  const found = isAbsolute(path) ? [] : await filesNamed(path);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const created = (isAbsolute(path) ? [path] : folders.map((folder) => `${folder.path}/${path}`)).map(normalize);
  const inside = created.filter((candidate) =>
    isInsideAny(
      candidate,
      folders.map((folder) => folder.path),
      false,
    ),
  );
  if (inside.length === 0) throw new Error(`${path} is outside the workspace, so it is not created.`);
  if (found.length === 0 && others.length === 0) return inside[0];
  return pick([...found, ...inside], `Which file is ${path}?`, inside);
}

async function filesNamed(path: string): Promise<string[]> {
  const name = path.replace(/^(?:\.\/)+/, '');
  if (/[*?{}[\]]|\.\./.test(name)) return [];
  const found = await vscode.workspace.findFiles(`**/${name}`, undefined, 20);
  return found.map(pathOf).sort();
}

async function pick(paths: readonly string[], title: string, created: readonly string[] = []) {
  const items = paths.map((path) => ({
    label: basename(path),
    description: `${vscode.workspace.asRelativePath(path)}${created.includes(path) ? ' (new file)' : ''}`,
    path,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'You see the change before it is made.' }))
    ?.path;
}

function isOfWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined && uri.scheme !== 'vscode-notebook-cell';
}

/** Where the chat is an editor itself, none is active. */
function visibleDocument(): vscode.TextDocument | undefined {
  const shown = vscode.window.visibleTextEditors.filter(({ document }) => isOfWorkspace(document.uri));
  return shown.length === 1 ? shown[0]?.document : undefined;
}

function openFiles(): string[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText && isOfWorkspace(input.uri) ? [input.uri] : [])),
  );
  return [...new Set(uris.map(pathOf))];
}

/** Block languages whose names are not VS Code's. */
const otherNames: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  'c#': 'csharp',
  sh: 'shellscript',
  bash: 'shellscript',
  shell: 'shellscript',
  golang: 'go',
  jsonc: 'json',
  docker: 'dockerfile',
  make: 'makefile',
};

function isLanguage({ languageId, uri }: vscode.TextDocument, language: string): boolean {
  const name = language.toLowerCase();
  return name === '' || name === languageId || otherNames[name] === languageId || `.${name}` === extname(uri.path);
}
