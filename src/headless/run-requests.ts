// What requests of a program read anew or write while a run goes on: its plugins, and two keys of settings files.
import { readMcpConfig } from '../core/mcp/read-config';
import { type PluginFeed } from '../core/plugins/plugin-feed';
import { type ReloadTarget } from './control/control-reload';
import { type WrittenSettings } from './control/control-settings';
import { type OpenRun } from './open-run';
import { isRead } from './read-sources';
import { readRunSettings, type RunSettings } from './run-settings';

/** The files as they are now; what is wrong in them was said at the start. */
function settingsNow({ basis }: OpenRun, trustProject: boolean): Promise<RunSettings> {
  const { options, cwd, home, host } = basis;
  return readRunSettings({
    ...{ options: { ...options, trustProject }, cwd, home },
    ...{ environment: host.environment, warn: () => undefined },
  });
}

export function pluginReads(run: OpenRun): Pick<ReloadTarget['reload'], 'plugins' | 'readPlugins'> {
  const { basis, connections } = run;
  const { plugins, settings, host, environment, options } = basis;
  const serversOf = ({ servers }: PluginFeed): string[] =>
    readMcpConfig(servers, environment).entries.map(({ name }) => name);
  return {
    plugins: () => plugins.shown,
    async readPlugins(more) {
      if (more.given.length > 0 && settings.values.disableSideloadFlags === true)
        return "Your organization's settings do not allow plugins of the program that runs Deft (disableSideloadFlags).";
      // What settings switch on may be another choice by now. Everything else of them holds until the run ends.
      const { values } = await settingsNow(run, options.trustProject);
      const { feed, problems, apply } = await plugins.reread({ values }, more);
      return {
        servers: { before: serversOf(plugins), after: serversOf(feed) },
        problems,
        async apply() {
          const known = new Set(plugins.path.map(({ folder }) => folder));
          await apply();
          for (const { folder } of plugins.path)
            if (!known.has(folder)) host.warn(`${folder}: commands do not find these programs before the next run.`);
          connections.hooks.reread();
          await connections.rereadServers();
        },
      };
    },
  };
}

export function writtenSettings(run: OpenRun): WrittenSettings {
  const { basis, connections, contents } = run;
  const { options, settings, style } = basis;
  return {
    isRead: (source) => isRead('settings', source, options.settingSources),
    target: (source) => settings.target(source),
    ...{ files: connections.ports.files, styles: contents.styles },
    styleOfFiles: async () => (await settingsNow(run, true)).values.outputStyle,
    chooseStyle: (name) => void (style.chosen = name),
    trustsProject: options.trustProject,
  };
}
