// The list of workspace files for mentions: read when first needed, kept until files come or go.
import * as vscode from 'vscode';
import { type FileSystem } from '../../core/ports';
import { findRipgrep } from '../../node/ripgrep-path';
import { pathOf } from '../files/uri-path';

const maxFiles = 20_000;

export interface WorkspaceFiles extends vscode.Disposable {
  /** Relative paths, with the folder's name in front where there are several folders. */
  list(): Promise<readonly string[]>;
}

export interface WorkspaceFilesOptions {
  files: FileSystem;
  /** `respectGitignore` of the settings files. */
  respectsIgnoreFiles: () => Promise<boolean>;
}

export function createWorkspaceFiles({ files, respectsIgnoreFiles }: WorkspaceFilesOptions): WorkspaceFiles {
  let listed: { respectful: boolean; paths: Promise<readonly string[]> } | undefined;
  const forget = (): void => void (listed = undefined);
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const ignoreFiles = vscode.workspace.createFileSystemWatcher('**/{.gitignore,.ignore}', true, false, true);
  const subscriptions = [watcher, ignoreFiles, watcher.onDidCreate(forget), watcher.onDidDelete(forget), ignoreFiles.onDidChange(forget), vscode.workspace.onDidChangeWorkspaceFolders(forget)];
  return {
    async list() {
      const respectful = await respectsIgnoreFiles();
      if (listed?.respectful !== respectful) listed = { respectful, paths: respectful ? notIgnored(files) : everyFile() };
      return listed.paths;
    },
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

async function everyFile(): Promise<readonly string[]> {
  return (await vscode.workspace.findFiles('**/*', undefined, maxFiles)).map((uri) => vscode.workspace.asRelativePath(uri));
}

async function notIgnored(files: FileSystem): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(folders.map((folder) => filesOf(folder, files)));
  // A folder may lie in another one.
  return [...new Set(lists.flat())].slice(0, maxFiles);
}

async function filesOf({ uri }: vscode.WorkspaceFolder, files: FileSystem): Promise<string[]> {
  const signal = AbortSignal.timeout(30_000);
  const paths = uri.scheme === 'file' ? await listedByRipgrep(uri, signal).catch(() => undefined) : undefined;
  const relative = paths ?? (await walked(pathOf(uri), files, signal));
  return relative.map((path) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, path)));
}

async function listedByRipgrep(folder: vscode.Uri, signal: AbortSignal): Promise<string[] | undefined> {
  const [{ listFiles }, executable] = await Promise.all([import('../../node/ripgrep-files'), findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] })]);
  if (executable === undefined) return undefined;
  const excluded = vscode.workspace.getConfiguration('files', folder).get<Record<string, unknown>>('exclude', {});
  const excluding = Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
  const followLinks = vscode.workspace.getConfiguration('search', folder).get('followSymlinks', true);
  return listFiles({ executable, folder: folder.fsPath, excluding, followLinks, limit: maxFiles }, signal);
}

/** Where there is no disk, or no ripgrep. */
async function walked(folder: string, files: FileSystem, signal: AbortSignal): Promise<string[]> {
  const { walkFiles } = await import('../../core/search/walk-files');
  const paths: string[] = [];
  for await (const { relative } of walkFiles(files, folder, { honourIgnoreFiles: true, maxFiles, hidden: () => false }, signal)) paths.push(relative);
  return paths;
}
