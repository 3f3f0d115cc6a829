// The list of workspace files for mentions: read when first needed, kept until files come or go.
import * as vscode from 'vscode';
import { type FileSystem } from '../../../core/ports/files';
import { findRipgrep } from '../../../node/search/ripgrep-path';
import { pathOf } from '../../host/uri-path';

/** Where this many of the listed files hold what was typed, no others are looked for. */
const enough = 20;
const maxFound = 200;

export interface WorkspaceFiles extends vscode.Disposable {
  /** Relative paths, with the folder's name in front where there are several folders. */
  list(): Promise<readonly string[]>;
  /** The same; where there are more files than are listed, those too whose names hold what was typed. */
  matching(query: string): Promise<readonly string[]>;
}

export interface WorkspaceFilesOptions {
  files: FileSystem;
  /** `respectGitignore` of the settings files. */
  respectsIgnoreFiles: () => Promise<boolean>;
  /** Listed at most; 20,000 by default. */
  maxFiles?: number;
}

export function createWorkspaceFiles({
  files,
  respectsIgnoreFiles,
  maxFiles = 20_000,
}: WorkspaceFilesOptions): WorkspaceFiles {
  let listed: { respectful: boolean; paths: Promise<readonly string[]> } | undefined;
  const forget = (): void => void (listed = undefined);
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const ignoreFiles = vscode.workspace.createFileSystemWatcher('**/{.gitignore,.ignore}', true, false, true);
  const subscriptions = [
    watcher,
    ignoreFiles,
    watcher.onDidCreate(forget),
    watcher.onDidDelete(forget),
    ignoreFiles.onDidChange(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  ];
  const list = async (): Promise<readonly string[]> => {
    const respectful = await respectsIgnoreFiles();
    if (listed?.respectful !== respectful)
      listed = { respectful, paths: respectful ? notIgnored(files, maxFiles) : everyFile(maxFiles) };
    return listed.paths;
  };
  return {
    list,
    async matching(query) {
      const paths = await list();
      const typed = query.toLowerCase();
      const name = typed.slice(typed.lastIndexOf('/') + 1);
      if (
        paths.length < maxFiles ||
        name.length < 2 ||
        paths.filter((path) => path.toLowerCase().includes(typed)).length >= enough
      )
        return paths;
      const found = await ((await respectsIgnoreFiles()) ? namedFiles(name) : anyNamed(name));
      return [...new Set([...paths, ...found])];
    },
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

async function everyFile(maxFiles: number): Promise<readonly string[]> {
  return (await vscode.workspace.findFiles('**/*', undefined, maxFiles)).map((uri) =>
    vscode.workspace.asRelativePath(uri),
  );
}

/** Through the whole workspace, by VS Code's own search. */
async function anyNamed(name: string): Promise<readonly string[]> {
  const { anyCase } = await import('../../../node/search/ripgrep-files');
  return (await vscode.workspace.findFiles(`**/*${anyCase(name)}*`, undefined, maxFound)).map((uri) =>
    vscode.workspace.asRelativePath(uri),
  );
}

/** Through the folders on the disk. */
async function namedFiles(named: string): Promise<readonly string[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const lists = await Promise.all(
    folders.map(async ({ uri }) => {
      const paths = await listedByRipgrep(uri, { limit: maxFound, named }, AbortSignal.timeout(10_000)).catch(
        () => undefined,
      );
      return (paths ?? []).map((path) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, path)));
    }),
  );
  return lists.flat();
}

async function notIgnored(files: FileSystem, maxFiles: number): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(folders.map((folder) => filesOf(folder, files, maxFiles)));
  // A folder may lie in another one.
  return [...new Set(lists.flat())].slice(0, maxFiles);
}

async function filesOf({ uri }: vscode.WorkspaceFolder, files: FileSystem, maxFiles: number): Promise<string[]> {
  const signal = AbortSignal.timeout(30_000);
  const paths =
    uri.scheme === 'file' ? await listedByRipgrep(uri, { limit: maxFiles }, signal).catch(() => undefined) : undefined;
  const relative = paths ?? (await walked(pathOf(uri), files, maxFiles, signal));
  return relative.map((path) => vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, path)));
}

async function listedByRipgrep(
  folder: vscode.Uri,
  wanted: { limit: number; named?: string },
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const [{ listFiles }, executable] = await Promise.all([
    import('../../../node/search/ripgrep-files'),
    findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
  ]);
  if (executable === undefined) return undefined;
  const excluded = vscode.workspace.getConfiguration('files', folder).get<Record<string, unknown>>('exclude', {});
  const excluding = Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
  const followLinks = vscode.workspace.getConfiguration('search', folder).get('followSymlinks', true);
  return listFiles({ executable, folder: folder.fsPath, excluding, followLinks, ...wanted }, signal);
}

/** Where there is no disk, or no ripgrep. */
async function walked(folder: string, files: FileSystem, maxFiles: number, signal: AbortSignal): Promise<string[]> {
  const { walkFiles } = await import('../../../core/search/walk-files');
  const paths: string[] = [];
  for await (const { relative } of walkFiles(
    files,
    folder,
    { honourIgnoreFiles: true, maxFiles, hidden: () => false },
    signal,
  ))
    paths.push(relative);
  return paths;
}
