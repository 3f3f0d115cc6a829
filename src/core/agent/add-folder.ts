// One more folder for a session: what may be done in it, who hears of it, and what the model is told.
import { join } from 'pathe';
import { type PermissionUpdate } from '../../shared/permission';
import { isInside } from '../permissions/rules/workspace-path';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type FileSystem } from '../ports';
import { type SessionHooks } from './session-hooks';

export interface AddFolderServices {
  files: Pick<FileSystem, 'stat' | 'realPath'>;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  hooks: Pick<SessionHooks, 'event'>;
  remind: (text: string) => void;
}

export type AddedFolder = { added: true } | { added: false; message: string };

/** A sentence where the folder cannot be added, or need not be. */
export async function folderProblem(
  path: string,
  { files, permission }: Pick<AddFolderServices, 'files' | 'permission'>,
): Promise<string | undefined> {
  const stat = await files.stat(path).catch(() => undefined);
  if (stat?.type !== 'directory') return stat === undefined ? `${path} does not exist.` : `${path} is not a folder.`;
  const real = await files.realPath(path);
  const { folders, ignoreCase } = permission();
  return [path, real].every((form) => folders.some((folder) => isInside(form, folder, ignoreCase)))
    ? `${path} belongs to the workspace already.`
    : undefined;
}

/** `remember` writes it into the person's own settings of this project too. */
export async function addFolder(
  path: string,
  remember: boolean,
  { files, permission, applyUpdates, hooks, remind }: AddFolderServices,
): Promise<AddedFolder> {
  const problem = await folderProblem(path, { files, permission });
  if (problem !== undefined) return { added: false, message: problem };
  const real = await files.realPath(path);
  // A path counts as inside only where both of its forms are; a settings file is read with links resolved.
  const updates: PermissionUpdate[] = [
    { type: 'addDirectories', directories: [...new Set([path, real])], destination: 'session' },
  ];
  if (remember) updates.push({ type: 'addDirectories', directories: [path], destination: 'localSettings' });
  await applyUpdates(updates);
  const memory = (
    await Promise.all(
      ['CLAUDE.md', 'AGENTS.md'].map(async (name) =>
        (await files.stat(join(path, name)).catch(() => undefined))?.type === 'file' ? [join(path, name)] : [],
      ),
    )
  ).flat();
  remind(
    `The person has added the folder ${path} to this session: you may work in it as in the workspace.${memory.length === 0 ? '' : ` Read ${memory.join(' and ')} before you do.`}`,
  );
  await hooks.event(
    'DirectoryAdded',
    () => ({ directory_path: path, remembered: remember }),
    new AbortController().signal,
  );
  return { added: true };
}
