// MCP servers of a plugin: named by it, with its folders in their texts and in their environment.
import { type Variables } from '../mcp/expand-variables';
import { type McpServerEntry } from '../ports/mcp';
import { pluginEnvironment, type PluginIdentity, pluginVariables } from '../ports/plugin-identity';

export function pluginServerVariables(variables: Variables, plugin: PluginIdentity): Variables {
  return { ...variables, ...pluginVariables(plugin) };
}

/** Two plugins may have servers of one name, and neither takes the person's. */
export function pluginServer(entry: McpServerEntry, plugin: PluginIdentity): McpServerEntry {
  const { config } = entry;
  const name = `plugin:${plugin.name}:${entry.name}`;
  return config.type === 'stdio'
    ? { ...entry, name, plugin, config: { ...config, env: { ...pluginEnvironment(plugin), ...config.env } } }
    : { ...entry, name, plugin };
}
