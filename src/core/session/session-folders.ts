// The folders of a session: the user adds one, or the workspace changes; who is notified, and what the model is sent.
import { join } from 'pathe';
import { type PermissionUpdate } from '../../shared/permission';
import { type AddedFolder, type SessionFolders } from '../feature/agent-session';
import { isInside } from '../permissions/rules/workspace-path';
import { type Path } from '../ports/path';
import { type SessionCore } from './session-core';

type FolderServices = Pick<SessionCore, 'settings' | 'ports' | 'permission' | 'features'> & {
  remind: (text: string) => void;
};

const never = new AbortController().signal;

export function createSessionFolders(services: FolderServices): SessionFolders {
  return {
    problem: (path) => folderProblem(path, services),
    add: (path, remember) => addFolder(path, remember, services),
    changed: (folders) => followFolders(folders, services),
  };
}

/** A sentence where the folder cannot be added, or need not be. */
async function folderProblem(
  path: string,
  { ports: { files }, permission }: Pick<FolderServices, 'ports' | 'permission'>,
): Promise<string | undefined> {
  const stat = await files.stat(path).catch(() => undefined);
  if (stat?.type !== 'directory') return stat === undefined ? `${path} does not exist.` : `${path} is not a folder.`;
  const real = await files.realPath(path);
  const { folders, ignoreCase } = permission.now();
  return [path, real].every((form) => folders.some((folder) => isInside(form, folder, ignoreCase)))
    ? `${path} is already part of the workspace.`
    : undefined;
}

async function addFolder(path: string, remember: boolean, services: FolderServices): Promise<AddedFolder> {
  const { ports, permission, features, remind } = services;
  const { files } = ports;
  const problem = await folderProblem(path, services);
  if (problem !== undefined) return { added: false, message: problem };
  const real = await files.realPath(path);
  // A path counts as inside only where both of its forms are; a settings file is read with links resolved.
  const updates: PermissionUpdate[] = [
    { type: 'addDirectories', directories: [...new Set([path, real])], destination: 'session' },
  ];
  if (remember) updates.push({ type: 'addDirectories', directories: [path], destination: 'localSettings' });
  await permission.applyUpdates(updates);
  const memory = (
    await Promise.all(
      ['CLAUDE.md', 'AGENTS.md'].map(async (name) =>
        (await files.stat(join(path, name)).catch(() => undefined))?.type === 'file' ? [join(path, name)] : [],
      ),
    )
  ).flat();
  remind(
    `The user added the folder ${path} to this session: treat it as part of the workspace.${memory.length === 0 ? '' : ` Read ${memory.join(' and ')} first.`}`,
  );
  await features.event('DirectoryAdded', () => ({ directory: path, source: 'slash_command' }), never);
  return { added: true };
}

/** The working directory stays: VS Code restarts the extension host where the first folder changes. */
async function followFolders(
  folders: readonly Path[],
  { settings, features, remind }: Omit<FolderServices, 'permission' | 'ports'>,
): Promise<void> {
  const { place, records, checkpoints } = settings;
  const before = place.environment.folders;
  const added = folders.filter((folder) => !before.includes(folder));
  const removed = before.filter((folder) => !folders.includes(folder));
  place.environment.folders = [...folders];
  if (added.length + removed.length === 0) return;
  checkpoints?.follow(folders);
  // The first prompt names the folders that exist by then.
  if (records.some(({ type }) => type === 'user')) remind(changeText(added, removed, folders));
  // Of the two sources that the format knows, the one for what the host adds.
  for (const directory of added)
    await features.event('DirectoryAdded', () => ({ directory, source: 'register_repo_root' }), never);
}

function changeText(added: readonly Path[], removed: readonly Path[], folders: readonly Path[]): string {
  return [
    ...(added.length === 0 ? [] : [`The user added to the workspace: ${added.join(', ')}. You may work there too.`]),
    ...(removed.length === 0
      ? []
      : [`The user removed from the workspace: ${removed.join(', ')}. Files there are no longer part of it.`]),
    folders.length === 0 ? 'No folder is open now.' : `Workspace folders now: ${folders.join(', ')}`,
  ].join('\n');
}
