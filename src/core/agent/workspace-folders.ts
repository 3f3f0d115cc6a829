// The workspace's folders change while a session is open: what it works with from then on, and what the model and hooks are told.
import { type Path } from '../ports/path';
import { type SessionHooks } from './session-hooks';
import { type SessionOptions } from './session-options';

export interface WorkspaceFolderServices {
  options: Pick<SessionOptions, 'environment' | 'records' | 'checkpoints'>;
  hooks: Pick<SessionHooks, 'event'>;
  remind: (text: string) => void;
}

/** The working directory stays: VS Code starts the extension host anew where the first folder is another one. */
export async function followFolders(
  folders: readonly Path[],
  { options, hooks, remind }: WorkspaceFolderServices,
): Promise<void> {
  const { environment, records, checkpoints } = options;
  const before = environment.folders;
  const added = folders.filter((folder) => !before.includes(folder));
  const removed = before.filter((folder) => !folders.includes(folder));
  environment.folders = [...folders];
  if (added.length + removed.length === 0) return;
  checkpoints?.follow(folders);
  // The first prompt tells of the folders that there are by then.
  if (records.some(({ type }) => type === 'user')) remind(changeText(added, removed, folders));
  for (const folder of added)
    await hooks.event(
      'DirectoryAdded',
      () => ({ directory_path: folder, remembered: false }),
      new AbortController().signal,
    );
}

function changeText(added: readonly Path[], removed: readonly Path[], folders: readonly Path[]): string {
  return [
    ...(added.length === 0
      ? []
      : [`The person has added to the workspace: ${added.join(', ')}. You may work there as in the rest of it.`]),
    ...(removed.length === 0
      ? []
      : [
          `The person has removed from the workspace: ${removed.join(', ')}. What lies there does not belong to it any more.`,
        ]),
    folders.length === 0 ? 'No folder is open now.' : `Workspace folders now: ${folders.join(', ')}`,
  ].join('\n');
}
