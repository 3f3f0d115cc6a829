// The plugins of a run: those that settings switch on, and those of the command line.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type HookSettings } from '../core/hooks/hook-settings';
import { type Plugin } from '../core/plugins/plugin';
import { type PluginFeed, pluginFeed } from '../core/plugins/plugin-feed';
import { type PluginCheck } from '../core/ports/plugin-identity';
import { createNodeFileSystem } from '../node/files/node-file-system';
import { activePlugins, loadPlugins, makeDataFolders } from '../node/plugins/load-plugins';
import { createPluginCheck } from '../node/plugins/plugin-check';
import { personalFolder } from '../node/settings-files';
import { type RunSettings } from './run-settings';

export interface RunPluginsRequest {
  given: readonly string[];
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
  shown: { name: string; path: string }[];
}

/** Nobody can be asked: what the user has not agreed to in a window, or named by --plugin-dir, runs nothing. */
export async function openRunPlugins({
  given,
  cwd,
  home,
  environment,
  settings,
  warn,
}: RunPluginsRequest): Promise<RunPlugins> {
  const files = createNodeFileSystem();
  const loaded = await loadPlugins({
    home,
    personalFolder: personalFolder(environment, home),
    files,
    settings: settings.values,
    workspace: [cwd],
    given: given.map((folder) => path.resolve(cwd, folder)),
  });
  const active = activePlugins(loaded);
  for (const problem of loaded.problems) warn(problem);
  for (const { plugin, owner, agreed } of active) {
    if (!agreed)
      warn(
        `The plugin ${plugin.id} runs nothing here: you have not agreed to what it runs now. Open /plugin in VS Code, or name its folder with --plugin-dir.`,
      );
    // Whoever names a folder is writing the plugin.
    if (owner === 'command-line' && isEmpty(plugin)) warn(await emptySentence(plugin.root));
    for (const { file, message } of plugin.faults) warn(`${file}: ${message}`);
  }
  for (const { plugin, on, refused } of loaded.plugins)
    if (on && refused !== undefined) warn(`The plugin ${plugin.id} is not used. ${refused}`);
  await makeDataFolders(active);
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
  const shown = active.map(({ plugin }) => ({ name: plugin.name, path: plugin.root }));
  return { ...pluginFeed(active, refuses), refuses, shown };
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
