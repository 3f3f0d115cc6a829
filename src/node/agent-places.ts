// Where agent files lie for some folders of this machine.
import { defined } from '../shared/defined';
import { agentPlaces, type AgentPlace } from '../core/subagents/agent-places';
import { managedFolderOf } from '../core/settings/settings-places';
import { portPath } from './files/port-path';
import { findRepository } from './repository';
import { personalFolder } from './settings-files';

export interface AgentPlacesOnDisk {
  /** Native paths. */
  folders: readonly string[];
  /** Folders of a workspace that is on no disk. */
  virtualFolders?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
}

export async function findAgentPlaces({
  folders,
  virtualFolders = [],
  environment,
  home,
}: AgentPlacesOnDisk): Promise<AgentPlace[]> {
  const onDisk = await Promise.all(
    folders.map(async (folder) => {
      const repository = await findRepository(folder);
      return { folder: portPath(folder), ...defined({ checkout: repository && portPath(repository.root) }) };
    }),
  );
  return agentPlaces({
    managedFolder: portPath(managedFolderOf(process.platform)),
    personalFolder: portPath(personalFolder(environment, home)),
    projects: [...onDisk, ...virtualFolders.map((folder) => ({ folder }))],
  });
}
