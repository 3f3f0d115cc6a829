// Files that come into the composer from VS Code's own views and dialogs, and files of the system that are in the workspace.
import * as vscode from 'vscode';
import { type FileSystem } from '../../../core/ports/files';
import { filePathOf, pathOf, uriOf } from '../../host/uri-path';
import { type FilesToInsert, type SystemFile } from '../panel/handler';
import { nameFiles } from './name-files';

/** Of the chat: its folders, and paths as it shows them. */
interface Tree {
  folders(): { name: string; path: string }[];
  shown(path: string): string;
}

export interface FilesToInsertOptions {
  files: FileSystem;
  isHidden: (path: string) => boolean;
  tree: Tree;
}

/** Of one name; a name that is more frequent is not looked through. */
const maxNamesakes = 50;
/** File systems round times: FAT to two seconds. */
const roundedMs = 2_000;

export function createFilesToInsert({ files, isHidden, tree }: FilesToInsertOptions): FilesToInsert {
  return {
    uriOfDrag: (text) => {
      const uri = vscode.Uri.parse(text);
      // As the window's page names the files of this machine, where the two run apart.
      return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
    },
    name: (uris) =>
      nameFiles(
        uris.map((uri) => ({
          path: filePathOf(uri.with({ fragment: '' })),
          name: uri.path.slice(uri.path.lastIndexOf('/') + 1),
          ...linesOf(uri.fragment),
        })),
        { files, folders: tree.folders(), isHidden, shown: (path) => shownIn(tree, path) },
      ),
    locate: (wanted) => Promise.all(wanted.map((file) => locate(file, tree.folders()))),
  };
}

/** Relative where the chat's paths count from there, or where the workspace's do, of which a worktree has its own copy. */
function shownIn(tree: Tree, path: string): string {
  const shown = tree.shown(path);
  return shown === path ? vscode.workspace.asRelativePath(path) : shown;
}

/** "L12,1-L20,4", "L12-L20", "12": what a symbol or a match that is dragged begins and ends with. */
function linesOf(fragment: string): { lines?: { start: number; end: number } } {
  const match = /^L?(\d+)(?:,\d+)?(?:-L?(\d+)(?:,\d+)?)?$/.exec(fragment);
  return match ? { lines: { start: Number(match[1]), end: Number(match[2] ?? match[1]) } } : {};
}

async function locate(
  { name, size, modified }: SystemFile,
  folders: readonly { path: string }[],
): Promise<string | null> {
  const found: vscode.Uri[] = [];
  for (const { path } of folders) {
    // Signs of patterns stand for any one sign.
    const pattern = new vscode.RelativePattern(uriOf(path), `**/${name.replace(/[^\p{L}\p{N}._ -]/gu, '?')}`);
    found.push(...(await vscode.workspace.findFiles(pattern, undefined, maxNamesakes)));
  }
  const same: string[] = [];
  for (const uri of found) {
    if (!pathOf(uri).endsWith(`/${name}`)) continue;
    const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
    if (stat?.size === size && Math.abs(stat.mtime - modified) <= roundedMs) same.push(uri.toString());
  }
  const [only, ...others] = new Set(same);
  return only !== undefined && others.length === 0 ? only : null;
}
