// A text that names servers, and where in it they stand.
import { type PluginIdentity } from '../ports/plugin-identity';
import { type McpScope } from '../ports/mcp';
import { type Path } from '../ports/path';

export interface McpConfigSource {
  scope: McpScope;
  /** For sentences: a path, or "--mcp-config". */
  name: string;
  file?: Path;
  text: string;
  /** Where in the text the servers are: `mcpServers`, `servers`, or `projects`, a folder, `mcpServers`. */
  at: readonly string[];
  /** The plugin that supplies them: each server is called `plugin:<plugin>:<server>`. */
  plugin?: PluginIdentity;
}
