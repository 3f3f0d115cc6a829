// What core learns of the window: folders, platform, shell, branch.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { type Environment } from '../../core/text/environment-reminder';
import { type FileSystem } from '../../core/ports/files';
import { localDay } from '../../core/text/local-day';
import { pathOf } from './uri-path';

export interface Folder {
  name: string;
  path: string;
}

export function workspaceFolders(): Folder[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: pathOf(folder.uri) }));
}

/** Native paths of the folders that are on the disk. */
export function nativeFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}

/** The home folder where no folder is open: nothing is inside the workspace then, so everything asks. */
export async function readEnvironment(files: Pick<FileSystem, 'readBytes'>): Promise<Environment> {
  const folders = workspaceFolders().map(({ path }) => path);
  const gitBranch = await currentBranch(folders[0], files);
  return {
    cwd: folders[0] ?? homeFolder(),
    folders,
    platform: process.platform,
    shell: vscode.env.shell || process.env['SHELL'] || 'bash',
    date: localDay(new Date()),
    ...defined({ gitBranch }),
  };
}

/** Far more than a branch's name takes. */
const maxHeadBytes = 4_096;

/** From the file, which is faster than any git command and works without git; not through VS Code's API, which asks the window first. */
async function currentBranch(
  folder: string | undefined,
  files: Pick<FileSystem, 'readBytes'>,
): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const head = await files.readBytes(`${folder.replace(/\/$/, '')}/.git/HEAD`, maxHeadBytes).catch(() => undefined);
  if (head?.outcome !== 'read') return undefined;
  return /^ref: refs\/heads\/(.+)$/m.exec(new TextDecoder().decode(head.bytes))?.[1];
}
