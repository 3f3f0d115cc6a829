// The MCP servers of a run: those of the command line, of the person, and of the project where settings enable them.
import path from 'node:path';
import { readMcpConfig } from '../core/mcp/read-config';
import { timesFromVariables } from '../core/mcp/limits';
import { standingOf } from '../core/mcp/standing';
import { withoutCredentials } from '../core/credentials';
import { type McpConfigSource } from '../core/mcp/config-source';
import { type SettingsValues } from '../core/settings/settings-keys';
import { createMcpServers, type RunningMcpServers } from '../node/mcp/create-mcp-servers';
import { findMcpFiles } from '../node/mcp/find-config';
import { portPath } from '../node/port-path';
import { cleanEnvironment } from '../node/terminal/command-environment';

export interface RunMcpOptions {
  given: readonly string[];
  cwd: string;
  /** Native; the first is the main one. */
  folders: readonly string[];
  home: string;
  environment: NodeJS.ProcessEnv;
  settings: SettingsValues;
  version: string;
  plugins: readonly McpConfigSource[];
}

/** Nobody can be asked: what a project names runs only where settings say so. */
export function createRunMcp({ given, cwd, folders, home, environment, settings, version, plugins }: RunMcpOptions): RunningMcpServers {
  const variables = { ...withoutCredentials(environment), CLAUDE_PROJECT_DIR: cwd };
  return createMcpServers({
    async configuration() {
      const { sources, problems } = await findMcpFiles({ folders: [cwd], home, environment, given, editor: false });
      const read = readMcpConfig([...sources, ...plugins], variables);
      return { entries: read.entries, problems: [...problems, ...read.problems] };
    },
    standing: (entry) => standingOf(entry, { settings, trusted: true, approved: () => false, switchedOff: () => false }),
    times: timesFromVariables(environment),
    projectFolder: path.resolve(cwd),
    // `npx` and its like run what lies in their folder, and a run does not ask whether it is trusted: only what belongs to the folder starts there.
    startFolder: ({ scope }) => (scope === 'project' || scope === 'local' || scope === 'command-line' ? path.resolve(cwd) : home),
    folders: () => folders.map(portPath),
    environment: async () => cleanEnvironment(environment),
    version,
  });
}
