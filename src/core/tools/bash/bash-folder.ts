// Where the next command starts: the folder that the last one ended in, as long as it is inside the workspace or an added folder.
import { normalize, relative } from 'pathe';
import { type FileSystem } from '../../ports/files';
import { type ToolSession } from '../../tool/tool';

type Session = Pick<ToolSession, 'cwd' | 'allowedFolders'> & { folders: readonly string[] };

export interface FolderStep {
  cwd: string;
  note?: string;
}

/** Before a command is judged: the session's folder may be gone by now, or no longer be one of those that were added. */
export async function startFolder(session: Session, files: Pick<FileSystem, 'stat'>): Promise<FolderStep> {
  const found = await files.stat(session.cwd);
  const home = mainFolder(session);
  if (home === session.cwd) return { cwd: session.cwd };
  if (found?.type === 'directory') {
    const allowed = session.allowedFolders?.();
    if (
      allowed === undefined ||
      [...session.folders, ...allowed].some((folder) => isBelow(relative(folder, session.cwd)))
    )
      return { cwd: session.cwd };
    // An agent may work in a checkout that has no folder of the workspace.
    if ((await files.stat(home))?.type !== 'directory') return { cwd: session.cwd };
    return {
      cwd: home,
      note: `The folder ${session.cwd} is no longer in the workspace; the command started in ${home}.`,
    };
  }
  return { cwd: home, note: `The folder ${session.cwd} no longer exists; the command started in ${home}.` };
}

/** After a command that ended in `ended`, a path without symlinks. */
export async function nextFolder(ended: string, session: ToolSession, files: FileSystem): Promise<FolderStep> {
  if (ended === session.cwd) return { cwd: ended };
  for (const folder of [...session.folders, ...(session.allowedFolders?.() ?? [])]) {
    const real = await files.realPath(folder);
    const inside = relative(real, normalize(ended));
    // The workspace's own spelling of the path, also where that goes through a symlink.
    if (inside === '' || inside === '.') return { cwd: folder };
    if (isBelow(inside)) return { cwd: `${folder.replace(/\/$/, '')}/${inside}` };
  }
  if (ended === (await files.realPath(session.cwd))) return { cwd: session.cwd };
  const home = mainFolder(session);
  return { cwd: home, note: `The command ended in ${ended}, outside the workspace. Shell cwd was reset to ${home}.` };
}

/** Where the command has run: always said where the workspace has several folders, else if it failed in another one than the workspace's. */
export function placeNote(session: Session, failed: boolean): string | undefined {
  const { cwd, folders } = session;
  return folders.length > 1 || (failed && cwd !== mainFolder(session)) ? `It ran in ${cwd}.` : undefined;
}

const isBelow = (inside: string) => inside !== '..' && !inside.startsWith('../') && !/^(?:\/|[A-Za-z]:)/.test(inside);
const mainFolder = (session: Session) => session.folders[0] ?? session.cwd;
