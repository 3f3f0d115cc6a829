// The plugins of this window: looked for anew when settings or lists change, and handed to those who read skills, agents, hooks and servers.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { noFeed, type PluginFeed, pluginFeed, searchedFolders } from '../../core/plugins/plugin-feed';
import { type PluginCheck } from '../../core/ports/plugin-identity';
import { type Log } from '../../core/ports/log';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import {
  activePlugins,
  type LoadedPlugins,
  loadPlugins,
  makeDataFolders,
  noPlugins,
} from '../../node/plugins/load-plugins';
import { createPluginCheck } from '../../node/plugins/plugin-check';
import { recordsFile } from '../../node/plugins/plugin-records';
import { personalFolder, watchSettings } from '../../node/settings-files';
import { type NoticeItem } from '../../shared/chat';
import { type RuleSource } from '../session/rule-source';
import { pluginNotices } from './plugin-notices';

export interface WindowPluginsOptions {
  rules: Pick<RuleSource, 'load' | 'values' | 'onDidChange'>;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Native paths. */
  folders: () => readonly string[];
  log: Pick<Log, 'warn'>;
}

export interface WindowPlugins extends vscode.Disposable {
  /** What those that are on give, as they are now; looked for at the first call. Never rejects. */
  ready(): Promise<PluginFeed>;
  /** As it was last found. */
  feed(): PluginFeed;
  all(): LoadedPlugins;
  refresh(): Promise<void>;
  /** Before something of one is used. Where it has changed, it is read anew, and waits for the user. */
  readonly refuses: PluginCheck;
  /** Folders of programs that are still what the user agreed to. */
  searched(): Promise<string[]>;
  notices(): NoticeItem[];
  readonly onDidChange: vscode.Event<void>;
}

export function createWindowPlugins({ rules, home, environment, folders, log }: WindowPluginsOptions): WindowPlugins {
  const changed = new vscode.EventEmitter<void>();
  const personal = personalFolder(environment, home);
  const files = createNodeFileSystem();
  let loaded: LoadedPlugins = noPlugins;
  let feed = noFeed;
  let known = '';
  let loading: Promise<void> | undefined;
  let readings = 0;

  const load = async (): Promise<void> => {
    const reading = ++readings;
    await rules.load().catch(() => undefined);
    // Before they are read: what changes meanwhile is seen.
    await watch.follow([recordsFile(home), `${personal}/plugins/installed_plugins.json`]);
    const found = await loadPlugins({
      home,
      personalFolder: personal,
      files,
      settings: rules.values(),
      workspace: folders(),
    });
    // A reading that began later knows better.
    if (reading !== readings) return loading;
    const active = activePlugins(found);
    await makeDataFolders(active);
    // Whoever holds the previous lists continues to use them as long as nothing changes.
    const now = JSON.stringify([found, active.map(({ plugin, agreed }) => [plugin.id, agreed])]);
    if (now === known) return;
    known = now;
    loaded = found;
    feed = pluginFeed(active, refuses);
    changed.fire();
  };
  const refresh = (): Promise<void> =>
    (loading = load().catch((error: unknown) => log.warn('The plugins could not be read.', messageOf(error))));
  const refuses = createPluginCheck({ files, active: () => activePlugins(loaded), changed: () => void refresh() });
  const watch = watchSettings(() => void refresh());
  // Nothing is read before somebody needs it.
  const again = (): void => void (loading !== undefined && refresh());
  const subscriptions = [changed, watch, rules.onDidChange(again), vscode.workspace.onDidChangeWorkspaceFolders(again)];
  return {
    async ready() {
      await (loading ?? refresh());
      return feed;
    },
    feed: () => feed,
    all: () => loaded,
    refresh,
    refuses,
    searched: () => searchedFolders(feed, refuses),
    notices: () => pluginNotices(loaded),
    onDidChange: changed.event,
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}
