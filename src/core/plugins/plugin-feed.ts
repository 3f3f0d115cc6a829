// What plugins that are on give to a session: each part to the one who reads its kind anyway.
import { type HookEntry } from '../hooks/hook-entry';
import { type McpConfigSource } from '../mcp/config-source';
import { type PluginSkills } from '../skills/skill-reader';
import { type AgentPlace } from '../subagents/agent-places';
import { type PluginStyles } from '../styles/find-styles';
import { type Plugin } from './plugin';
import { type PluginCheck, type PluginIdentity } from '../ports/plugin-identity';

export interface ActivePlugin {
  plugin: Plugin;
  /** The user has agreed to what it runs and allows. */
  agreed: boolean;
}

export interface PluginFeed {
  skills: readonly PluginSkills[];
  agents: readonly AgentPlace[];
  hooks: readonly HookEntry[];
  servers: readonly McpConfigSource[];
  styles: readonly PluginStyles[];
  /** For the end of the PATH of commands: no plugin takes the place of another program. */
  path: readonly { plugin: PluginIdentity; folder: string }[];
}

export const noFeed: PluginFeed = { skills: [], agents: [], hooks: [], servers: [], styles: [], path: [] };

/** What the user has not agreed to neither runs nor allows anything; it may still be read. `refuses` is asked again whenever something of it is used. */
export function pluginFeed(active: readonly ActivePlugin[], refuses: PluginCheck): PluginFeed {
  const agreed = active.filter((one) => one.agreed).map(({ plugin }) => plugin);
  return {
    skills: active.map(({ plugin, agreed }) => ({
      plugin,
      agreed,
      files: plugin.skills,
      refuses: () => refuses(plugin),
    })),
    agents: active.flatMap(({ plugin }) =>
      plugin.agents.map((folder): AgentPlace => ({ source: 'plugin', folder, plugin })),
    ),
    hooks: agreed.flatMap(({ hooks }) => hooks),
    servers: agreed.flatMap(({ servers }) => servers),
    styles: active.map(({ plugin }) => ({ plugin, places: plugin.outputStyles })),
    path: agreed.flatMap((plugin) => (plugin.bin === undefined ? [] : [{ plugin, folder: plugin.bin.folder }])),
  };
}

/** For one command: without the programs of a plugin that is not what it was. */
export async function searchedFolders({ path }: Pick<PluginFeed, 'path'>, refuses: PluginCheck): Promise<string[]> {
  const refused = await Promise.all(path.map(({ plugin }) => refuses(plugin)));
  return path.flatMap(({ folder }, index) => (refused[index] === undefined ? [folder] : []));
}
