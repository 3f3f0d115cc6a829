// What core learns of the window: folders, platform, shell, branch.
import { defined } from '../../shared/defined';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { type Environment } from '../../core/text/environment-reminder';
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
export async function readEnvironment(): Promise<Environment> {
  const folders = workspaceFolders().map(({ path }) => path);
  const gitBranch = await currentBranch();
  return {
    cwd: folders[0] ?? os.homedir(),
    folders,
    platform: process.platform,
    shell: vscode.env.shell || process.env['SHELL'] || 'bash',
    date: localDay(new Date()),
    ...defined({ gitBranch }),
  };
}

/** From the file, which is faster than any git command and works without git. */
async function currentBranch(): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return undefined;
  try {
    const head = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, '.git', 'HEAD'));
    return /^ref: refs\/heads\/(.+)$/m.exec(new TextDecoder().decode(head))?.[1];
  } catch {
    return undefined;
  }
}
