// The plugins of a run: those that settings switch on, and those of the command line.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type HookSettings } from '../core/hooks/hook-settings';
import { type Plugin } from '../core/plugins/plugin';
import { noFeed, type PluginFeed, pluginFeed } from '../core/plugins/plugin-feed';
import { type PluginCheck } from '../core/ports/plugin-identity';
import { defined } from '../shared/defined';
import { createNodeFileSystem } from '../node/files/node-file-system';
import { portPath } from '../node/files/port-path';
import { activePlugins, loadPlugins, makeDataFolders, type PluginState } from '../node/plugins/load-plugins';
import { createPluginCheck } from '../node/plugins/plugin-check';
import { personalFolder } from '../node/settings-files';
import { type RunSettings } from './run-settings';

export interface RunPluginsRequest {
  given: readonly string[];
  /** Those of them whose MCP servers are left out. */
  withoutServers: readonly string[];
  cwd: string;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  settings: Pick<RunSettings, 'values'>;
  warn(message: string): void;
}

export interface RunPlugins extends PluginFeed {
  /** Called before something of one is used: files may change during a run. */
  refuses: PluginCheck;
  /** For the init message. */
  shown: ShownPlugin[];
  /** Reads them anew, and `more` with them: nothing changes until `apply`. */
  reread(
    settings: Pick<RunSettings, 'values'>,
    more: Pick<RunPluginsRequest, 'given' | 'withoutServers'>,
  ): Promise<ReadAnew>;
}

export interface ShownPlugin {
  name: string;
  path: string;
  version?: string;
}

export interface ReadAnew {
  feed: PluginFeed;
  /** What is wrong with them. */
  problems: readonly string[];
  /** From now on the run has these. */
  apply(): Promise<void>;
}

/** Nobody can be asked: what the user has not agreed to in a window, or named by --plugin-dir, runs nothing. */
export async function openRunPlugins(request: RunPluginsRequest): Promise<RunPlugins> {
  const { warn } = request;
  const files = createNodeFileSystem();
  let active: readonly PluginState[] = [];
  const reported = new Set<string>();
  const check = createPluginCheck({ files, active: () => active, changed: () => undefined });
  const refuses: PluginCheck = async (plugin) => {
    const refused = await check(plugin);
    if (refused !== undefined && !reported.has(refused)) {
      reported.add(refused);
      warn(refused);
    }
    return refused;
  };
  let given = request;
  const plugins: RunPlugins = {
    ...noFeed,
    refuses,
    shown: [],
    async reread(settings, more) {
      const now: RunPluginsRequest = {
        ...given,
        settings,
        given: [...given.given, ...more.given],
        withoutServers: [...given.withoutServers, ...more.withoutServers],
      };
      const found = await readActive(now);
      const feed = pluginFeed(found.active, refuses);
      return {
        ...{ feed, problems: found.problems },
        async apply() {
          given = now;
          ({ active } = found);
          const shown = active.map(({ plugin: { name, root, version } }) => ({
            ...{ name, path: root },
            ...defined({ version }),
          }));
          // Whoever has the object reads the parts of it when they are needed.
          Object.assign(plugins, feed, { shown });
          await makeDataFolders(active);
        },
      };
    },
  };
  const first = await plugins.reread(request.settings, { given: [], withoutServers: [] });
  for (const problem of first.problems) warn(problem);
  await first.apply();
  return plugins;
}

async function readActive({
  given,
  withoutServers,
  cwd,
  home,
  environment,
  settings,
}: RunPluginsRequest): Promise<{ active: readonly PluginState[]; problems: readonly string[] }> {
  const loaded = await loadPlugins({
    home,
    personalFolder: personalFolder(environment, home),
    files: createNodeFileSystem(),
    settings: settings.values,
    workspace: [cwd],
    given: [...new Set(given.map((folder) => path.resolve(cwd, folder)))],
  });
  const without = new Set(
    await Promise.all(
      withoutServers.map(async (folder) => {
        const whole = path.resolve(cwd, folder);
        return portPath(await realpath(whole).catch(() => whole));
      }),
    ),
  );
  const active = activePlugins(loaded).map((state) =>
    state.owner === 'command-line' && without.has(state.plugin.root)
      ? { ...state, plugin: { ...state.plugin, servers: [] } }
      : state,
  );
  const problems = [...loaded.problems];
  for (const { plugin, owner, agreed } of active) {
    if (!agreed)
      problems.push(
        `The plugin ${plugin.id} runs nothing here: you have not agreed to what it runs now. Open /plugin in VS Code, or name its folder with --plugin-dir.`,
      );
    // Whoever names a folder is writing the plugin.
    if (owner === 'command-line' && !without.has(plugin.root) && isEmpty(plugin))
      problems.push(await emptySentence(plugin.root));
    for (const { file, message } of plugin.faults) problems.push(`${file}: ${message}`);
  }
  for (const { plugin, on, refused } of loaded.plugins)
    if (on && refused !== undefined) problems.push(`The plugin ${plugin.id} is not used. ${refused}`);
  return { active, problems };
}

export function withPluginHooks(settings: HookSettings, { hooks }: PluginFeed): HookSettings {
  return { ...settings, entries: [...settings.entries, ...hooks] };
}

/** Behind the user's own. */
export function withPluginPath(environment: NodeJS.ProcessEnv, { path: programs }: PluginFeed): NodeJS.ProcessEnv {
  return programs.length === 0
    ? environment
    : {
        ...environment,
        PATH: [environment['PATH'], ...programs.map(({ folder }) => folder)]
          .filter((one) => one !== undefined && one !== '')
          .join(path.delimiter),
      };
}

function isEmpty({ skills, agents, hooks, servers, bin, outputStyles }: Plugin): boolean {
  return bin === undefined && [skills, agents, hooks, servers, outputStyles].every(({ length }) => length === 0);
}

/** Most often one names the folder above the plugin. */
async function emptySentence(root: string): Promise<string> {
  const isMarketplace = await stat(path.join(root, '.claude-plugin', 'marketplace.json')).then(
    () => true,
    () => false,
  );
  if (isMarketplace) return `--plugin-dir: ${root} is a marketplace. Name the folder of one plugin in it.`;
  return `--plugin-dir: ${root} contains nothing that a plugin can supply: no skills, commands, agents, hooks, MCP servers, output styles or programs. Name the folder that contains .claude-plugin, skills or similar.`;
}
