// The MCP servers of a run: those of the command line, of the user, and of the project where settings enable them.
import { defined } from '../shared/defined';
import path from 'node:path';
import { type Variables } from '../core/mcp/expand-variables';
import { inlineServers } from '../core/mcp/inline-servers';
import { type McpConfiguration, readMcpConfig } from '../core/mcp/read-config';
import { timesFromVariables } from '../core/mcp/limits';
import { type McpPeople } from '../core/ports/mcp';
import { standingOf } from '../core/mcp/standing';
import { type PluginCheck } from '../core/ports/plugin-identity';
import { withoutCredentials } from '../core/text/credentials';
import { type McpConfigSource } from '../core/mcp/config-source';
import { type SettingsValues } from '../core/settings/settings-keys';
import { type SettingSource } from './command-line/run-options';
import { programEntry } from './control/program-servers';
import { isRead } from './read-sources';
import { createMcpServers, type RunningMcpServers } from '../node/mcp/create-mcp-servers';
import { findMcpFiles, onlyManagedServers } from '../node/mcp/find-config';
import { portPath } from '../node/files/port-path';
import { type ProgramServers } from '../node/mcp/program-transport';
import { cleanEnvironment } from '../node/terminal/command-environment';

export interface RunMcpOptions {
  given: readonly string[];
  /** No others. */
  strict: boolean;
  /** Whose files are read; undefined: everybody's. */
  settingSources: readonly SettingSource[] | undefined;
  /** Of the program that runs Deft, as it names them now: inside it, or as a file would. */
  ofProgram: () => { inside: readonly string[]; named: Readonly<Record<string, unknown>> };
  program: ProgramServers;
  /** Names of servers that the program has switched off. */
  switchedOff: ReadonlySet<string>;
  cwd: string;
  /** Native; the first is the main one. */
  folders: readonly string[];
  home: string;
  environment: NodeJS.ProcessEnv;
  /** Variables that every server inherits though they look like credentials. */
  passed: readonly string[];
  settings: SettingsValues;
  version: string;
  /** Given where hooks answer what servers ask; otherwise servers are informed that nobody does. */
  people?: McpPeople | undefined;
  plugins: { servers: readonly McpConfigSource[]; refuses: PluginCheck };
}

/** Nobody can be asked: what a project names runs only where settings say so. */
export function createRunMcp(options: RunMcpOptions): RunningMcpServers {
  const { cwd, home, environment, given, plugins, strict, settingSources, ofProgram } = options;
  return startServers(options, async () => {
    const { inside, named } = ofProgram();
    const only = await onlyManagedServers();
    const ofIts = only === undefined ? { inside, named } : { inside: [], named: {} };
    const ignored = only === undefined ? [] : ignoredServers([...inside, ...Object.keys(named)], only);
    const text = Object.keys(ofIts.named).length === 0 ? [] : [JSON.stringify({ mcpServers: ofIts.named })];
    const { sources: found, problems } = await findMcpFiles({
      folders: [cwd],
      home,
      environment,
      given: [...text, ...given],
      editor: false,
      plugins: plugins.servers,
    });
    const sources = found.filter(
      ({ scope }) =>
        isRead('servers', scope, settingSources) && (!strict || scope === 'managed' || scope === 'command-line'),
    );
    const read = readMcpConfig(sources, variablesOf(options));
    return {
      entries: [...ofIts.inside.map(programEntry), ...read.entries],
      problems: [...ignored, ...problems, ...read.problems],
    };
  });
}

/** Why the program may not name these servers; undefined where it may. */
export async function programServersRefusal(
  names: readonly string[],
  { disableSideloadFlags }: Pick<SettingsValues, 'disableSideloadFlags'>,
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  if (disableSideloadFlags === true)
    return "Your organization's settings do not allow MCP servers of the program that runs Deft (disableSideloadFlags).";
  const only = await onlyManagedServers();
  return only === undefined ? undefined : ignoredServers(names, only)[0];
}

function ignoredServers(names: readonly string[], only: string): string[] {
  return names.length === 0
    ? []
    : [`MCP servers of the program that runs Deft are ignored (${names.join(', ')}). ${only}`];
}

/** Those of one agent's own file. */
export function agentServers(
  options: RunMcpOptions,
): (servers: Record<string, unknown>, file: string | undefined) => RunningMcpServers {
  return (servers, file) =>
    startServers(options, async () => {
      const only = await onlyManagedServers();
      return only === undefined
        ? inlineServers(servers, file, variablesOf(options))
        : { entries: [], problems: [only] };
    });
}

function variablesOf({ environment, cwd }: RunMcpOptions): Variables {
  return { ...withoutCredentials(environment), CLAUDE_PROJECT_DIR: cwd };
}

function startServers(
  { cwd, folders, home, environment, passed, settings, version, people, plugins, program, switchedOff }: RunMcpOptions,
  configuration: () => Promise<McpConfiguration>,
): RunningMcpServers {
  return createMcpServers({
    configuration,
    standing: (entry) =>
      standingOf(entry, {
        ...{ settings, trusted: true },
        approved: () => false,
        switchedOff: ({ name }) => switchedOff.has(name),
      }),
    times: timesFromVariables(environment),
    projectFolder: path.resolve(cwd),
    // `npx` and its like run what lies in their folder, and a run does not ask whether it is trusted: only what belongs to the folder starts there.
    startFolder: ({ scope }) =>
      scope === 'project' || scope === 'local' || scope === 'command-line' ? path.resolve(cwd) : home,
    folders: () => folders.map(portPath),
    environment: async () => cleanEnvironment(environment),
    passed: () => passed,
    program,
    version,
    refuses: async ({ plugin }) => (plugin === undefined ? undefined : plugins.refuses(plugin)),
    ...defined({ people }),
  });
}
