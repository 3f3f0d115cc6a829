// The files behind "@": listed when they are first needed, kept until files come or go, and searched by any part of their path.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type MentionSuggestion } from '../../../shared/answers';
import { type FileSystem } from '../../../core/ports/files';
import { findRipgrep } from '../../../node/search/ripgrep-path';
import { pathOf } from '../../host/uri-path';
import { createMentionIndex, type MentionIndex, maxSuggestions } from './mention-index';

/** Of what is not in the list. */
const maxFound = 200;
/** Where files have come or gone, a new list is waited for so long; then the one before answers. */
const patienceMs = 20;

export interface WorkspaceFiles extends vscode.Disposable {
  /** Files and folders whose path matches, best first; with the folder's name in front where there are several folders. */
  find(query: string): Promise<MentionSuggestion[]>;
  /** Lists them, so that the first "@" need not wait. */
  prepare(): void;
}

export interface WorkspaceFilesOptions {
  files: FileSystem;
  /** `respectGitignore` of the settings files. */
  respectsIgnoreFiles: () => Promise<boolean>;
  /** Kept at most, what is not among them is searched on the disk. 200,000 by default. */
  maxFiles?: number;
  /** In place of the workspace: folders of a worktree. */
  tree?: readonly { uri: vscode.Uri; name: string }[];
}

interface Listed {
  respectful: boolean;
  /** All that there are, or the first of them. */
  complete: boolean;
  index: MentionIndex;
}

interface Wanted {
  respectful: boolean;
  limit: number;
  /** Only paths that hold this, in any case. */
  containing?: string;
}

export function createWorkspaceFiles({
  files,
  respectsIgnoreFiles,
  maxFiles = 200_000,
  tree,
}: WorkspaceFilesOptions): WorkspaceFiles {
  let present: Listed | undefined;
  let reading: { respectful: boolean; listed: Promise<Listed> } | undefined;
  let changes = 0;
  let known = -1;
  const changed = (): void => void changes++;
  const subscriptions = [
    ...(tree?.map(({ uri }) => uri) ?? [undefined]).flatMap((root) => watchFiles(root, changed)),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
  ];

  const read = async (respectful: boolean): Promise<Listed> => {
    const at = changes;
    const paths = await listFolders(files, { respectful, limit: maxFiles }, tree);
    const listed = { respectful, complete: paths.length < maxFiles, index: createMentionIndex(paths) };
    [present, known] = [listed, at];
    return listed;
  };
  const current = async (respectful: boolean): Promise<Listed> => {
    const kept = present?.respectful === respectful ? present : undefined;
    if (kept !== undefined && known === changes) return kept;
    if (reading?.respectful !== respectful) {
      const own = { respectful, listed: read(respectful) };
      reading = own;
      const over = (): void => void (reading === own && (reading = undefined));
      own.listed.then(over, over);
    }
    return kept === undefined
      ? reading.listed
      : Promise.race([reading.listed, delay(patienceMs, kept, { ref: false })]);
  };
  return {
    async find(query) {
      const respectful = await respectsIgnoreFiles();
      const { index, complete } = await current(respectful);
      const found = index.find(query);
      if (complete || query.length < 2 || found.length >= maxSuggestions) return found;
      const others = await listFolders(files, { respectful, limit: maxFound, containing: query }, tree);
      const all = [...new Set([...found.filter(({ kind }) => kind === 'file').map(({ path }) => path), ...others])];
      return createMentionIndex(all).find(query);
    },
    prepare: () =>
      void respectsIgnoreFiles()
        .then(current)
        .catch(() => undefined),
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

/** Of the workspace, or of a folder elsewhere. */
function watchFiles(root: vscode.Uri | undefined, changed: () => void): vscode.Disposable[] {
  const below = (pattern: string): vscode.GlobPattern =>
    root === undefined ? pattern : new vscode.RelativePattern(root, pattern);
  const watcher = vscode.workspace.createFileSystemWatcher(below('**/*'), false, true, false);
  const ignoreFiles = vscode.workspace.createFileSystemWatcher(below('**/{.gitignore,.ignore}'), true, false, true);
  return [
    watcher,
    ignoreFiles,
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    ignoreFiles.onDidChange(changed),
  ];
}

async function listFolders(
  files: FileSystem,
  wanted: Wanted,
  tree: WorkspaceFilesOptions['tree'],
): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(
    tree === undefined
      ? folders.map((folder) => filesOf(folder, files, wanted))
      : tree.map(async ({ uri, name }) => {
          const front = tree.length > 1 ? `${name}/` : '';
          return (await relativeFiles(uri, files, wanted)).map((path) => `${front}${path}`);
        }),
  );
  // A folder may lie in another one.
  return lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())].slice(0, wanted.limit);
}

async function relativeFiles(uri: vscode.Uri, files: FileSystem, wanted: Wanted): Promise<string[]> {
  const signal = AbortSignal.timeout(30_000);
  const listed = uri.scheme === 'file' ? await listedByRipgrep(uri, wanted, signal).catch(() => undefined) : undefined;
  return listed ?? walked(pathOf(uri), files, wanted, signal);
}

async function filesOf({ uri }: vscode.WorkspaceFolder, files: FileSystem, wanted: Wanted): Promise<string[]> {
  const relative = await relativeFiles(uri, files, wanted);
  const shown = (path: string): string => vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, path));
  // VS Code takes its time for each path, and has another answer only for those of a folder within this one.
  const front = shown('x').slice(0, -1);
  const inner = (vscode.workspace.workspaceFolders ?? [])
    .filter((other) => other.uri.path.startsWith(`${uri.path}/`))
    .map((other) => other.uri.path.slice(uri.path.length + 1));
  return relative.map((path) =>
    inner.some((folder) => path.startsWith(`${folder}/`)) ? shown(path) : `${front}${path}`,
  );
}

async function listedByRipgrep(
  folder: vscode.Uri,
  { respectful, ...wanted }: Wanted,
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
  return listFiles(
    { executable, folder: folder.fsPath, excluding, followLinks, ignored: !respectful, ...wanted },
    signal,
  );
}

/** Where there is no disk, or no ripgrep. */
async function walked(
  folder: string,
  files: FileSystem,
  { respectful, limit, containing = '' }: Wanted,
  signal: AbortSignal,
): Promise<string[]> {
  const { walkFiles } = await import('../../../core/search/walk-files');
  const paths: string[] = [];
  const options = { honourIgnoreFiles: respectful, maxFiles: limit, hidden: () => false };
  for await (const { relative } of walkFiles(files, folder, options, signal))
    if (relative.toLowerCase().includes(containing.toLowerCase())) paths.push(relative);
  return paths;
}
