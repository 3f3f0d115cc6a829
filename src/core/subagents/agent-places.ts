// Where agent files are: one list for every host, the highest first.
import { dirname, join } from 'pathe';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type ProjectFolder } from '../settings/settings-places';
import { type AgentSource } from './agent-definition';

export interface AgentPlace {
  source: Exclude<AgentSource, 'builtIn' | 'commandLine'>;
  /** All `.md` files in it and below; of a plugin it may be one file. */
  folder: string;
  /** Its agents are called `plugin:agent`. */
  plugin?: PluginIdentity;
}

export interface AgentPlacesRequest {
  managedFolder: string;
  personalFolder: string;
  projects: readonly ProjectFolder[];
}

export function agentPlaces({ managedFolder, personalFolder, projects }: AgentPlacesRequest): AgentPlace[] {
  const own = join(personalFolder, 'agents');
  const seen = new Set([own]);
  const project = projects.flatMap(upwards).map((root) => join(root, '.claude/agents'));
  return [
    { source: 'managed', folder: join(managedFolder, '.claude/agents') },
    // In a session in the home folder both places are one folder: it stays the user's own.
    ...project
      .filter((folder) => !seen.has(folder) && seen.add(folder))
      .map((folder): AgentPlace => ({ source: 'project', folder })),
    { source: 'user', folder: own },
  ];
}

/** `pluginOnly`: only an organization and plugins supply any. */
export function usablePlaces(places: readonly AgentPlace[], pluginOnly: boolean): AgentPlace[] {
  return places.filter(({ source }) => !pluginOnly || source === 'managed' || source === 'plugin');
}

/** The folder and those above it, up to the root of its checkout: the nearest first. */
function upwards({ folder, checkout }: ProjectFolder): string[] {
  const folders = [folder];
  for (let at = folder; checkout !== undefined && at !== checkout && dirname(at) !== at; at = dirname(at))
    folders.push(dirname(at));
  return folders;
}
