// All plugins of this machine as they are now: Deft's own, another program's, those of the command line; which are on, and what the user has agreed to.
import { defined } from '../../shared/defined';
import { mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { sourceRefusal } from '../../core/plugins/marketplace-policy';
import { type FetchSource, sourceText } from '../../core/plugins/marketplace-source';
import { type Plugin } from '../../core/plugins/plugin';
import { type PluginDisk } from '../../core/context/plugin-files';
import { parsePluginId } from '../../core/ports/plugin-identity';
import { type PluginParts, readPluginParts } from '../../core/plugins/plugin-parts';
import { readPlugin, type ReadPluginRequest } from '../../core/plugins/read-plugin';
import { type SettingsValues } from '../../core/settings/settings-keys';
import { fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';
import { type ExternalMarketplace, readExternalPlugins } from './external-plugins';
import { pluginFingerprint } from './plugin-fingerprint';
import { dataFolder, readRecords } from './plugin-records';

export type PluginOwner = 'deft' | 'other' | 'command-line';

export interface PluginState {
  plugin: Plugin;
  parts: PluginParts;
  owner: PluginOwner;
  /** Where it came from, for the user. */
  from: string;
  /** Settings switch it on. */
  on: boolean;
  /** The user has agreed to all that it runs and allows as it is now. */
  agreed: boolean;
  fingerprint: string;
  /** How it was read, to read it again. */
  request: ReadPluginRequest;
  /** A sentence: settings forbid where it came from, or nobody can look at all that it runs. */
  refused?: string;
}

export interface KnownMarketplace {
  name: string;
  source: FetchSource;
  /** Native. */
  root: string;
  owner: 'deft' | 'other';
}

export interface LoadedPlugins {
  plugins: readonly PluginState[];
  marketplaces: readonly KnownMarketplace[];
  /** Ids that settings switch on, and that are not installed. */
  missing: readonly string[];
  /** Sentences. */
  problems: readonly string[];
}

export interface LoadPluginsRequest {
  home: string;
  /** The user's `.claude`. */
  personalFolder: string;
  files: PluginDisk;
  settings: Pick<SettingsValues, 'enabledPlugins' | 'strictKnownMarketplaces' | 'blockedMarketplaces'>;
  /** Native paths. */
  workspace: readonly string[];
  /** Folders of `--plugin-dir`: read where they are, on, and agreed to. */
  given?: readonly string[];
}

export const noPlugins: LoadedPlugins = { plugins: [], marketplaces: [], missing: [], problems: [] };

interface Place {
  request: Omit<ReadPluginRequest, 'data'>;
  owner: PluginOwner;
  source?: FetchSource | undefined;
}

/** Never rejects. */
export async function loadPlugins({
  home,
  personalFolder,
  files,
  settings,
  workspace,
  given = [],
}: LoadPluginsRequest): Promise<LoadedPlugins> {
  const [records, external] = await Promise.all([readRecords(home), readExternalPlugins(personalFolder, workspace)]);
  const problems = typeof records === 'string' ? [records] : [];
  const own = typeof records === 'string' ? { marketplaces: {}, plugins: {}, agreed: {} } : records;
  const marketplaces: KnownMarketplace[] = [
    ...Object.entries(own.marketplaces).map(([name, { source, root }]): KnownMarketplace => ({
      name,
      source,
      root,
      owner: 'deft',
    })),
    ...external.marketplaces
      .filter(({ name }) => !Object.hasOwn(own.marketplaces, name))
      .map((one: ExternalMarketplace): KnownMarketplace => ({ ...one, owner: 'other' })),
  ];
  const sourceOf = (id: string): FetchSource | undefined =>
    marketplaces.find(({ name }) => name === parsePluginId(id)?.marketplace)?.source;
  const places: Place[] = [
    ...(await Promise.all(given.map(async (folder) => givenPlace(folder, problems)))).flat(),
    ...Object.entries(own.plugins).flatMap(([id, { root, entry, source }]): Place[] => {
      const parsed = parsePluginId(id);
      return parsed === undefined
        ? []
        : [
            {
              request: { id, name: parsed.name, root: portPath(root), entry },
              owner: 'deft',
              source: sourceOf(id) ?? source,
            },
          ];
    }),
    ...external.plugins.map(({ id, root, entry }): Place => ({
      request: { id, name: parsePluginId(id)?.name ?? id, root: portPath(root), entry },
      owner: 'other',
      source: sourceOf(id),
    })),
  ];
  const states: PluginState[] = [];
  for (const { request, owner, source } of places.filter(
    ({ request: { id } }, index) => places.findIndex((other) => other.request.id === id) === index,
  )) {
    const isThere = await stat(request.root).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) {
      if (isOn(settings, request.id))
        problems.push(`The plugin ${request.id} is no longer in ${request.root}. Install it again, or remove it.`);
      continue;
    }
    const whole: ReadPluginRequest = { ...request, data: portPath(dataFolder(home, request.id)) };
    const plugin = await readPlugin(whole, files);
    const parts = await readPluginParts(plugin, files);
    // Whoever named the folder is writing it: nothing of it is compared.
    const held = owner === 'command-line' ? { fingerprint: '' } : await pluginFingerprint(plugin, parts);
    const { fingerprint, tooMuch } =
      'problem' in held ? { fingerprint: '', tooMuch: held.problem } : { ...held, tooMuch: undefined };
    const refused = (source === undefined ? undefined : sourceRefusal(source, settings)) ?? tooMuch;
    states.push({
      plugin,
      parts,
      owner,
      from: owner === 'command-line' ? '--plugin-dir' : source === undefined ? plugin.root : sourceText(source),
      on: owner === 'command-line' || isOn(settings, request.id),
      agreed:
        owner === 'command-line' ||
        (tooMuch === undefined && (fingerprint === '' || own.agreed[request.id] === fingerprint)),
      fingerprint,
      request: whole,
      ...defined({ refused }),
    });
  }
  const missing = Object.keys(settings.enabledPlugins ?? {}).filter(
    (id) => isOn(settings, id) && parsePluginId(id) !== undefined && !places.some(({ request }) => request.id === id),
  );
  return { plugins: states, marketplaces, missing, problems };
}

/** Of those that are on, one of each name: their parts are called by it. */
export function activePlugins({ plugins }: LoadedPlugins): PluginState[] {
  const on = plugins.filter((state) => state.on && state.refused === undefined);
  return on.filter(({ plugin: { name } }, index) => on.findIndex((other) => other.plugin.name === name) === index);
}

/** What a plugin writes of its own has a folder by the time that something of it runs. */
export async function makeDataFolders(states: readonly PluginState[]): Promise<void> {
  await Promise.all(
    states
      .filter(({ agreed, parts }) => agreed && parts.code !== '')
      .map(({ plugin }) => mkdir(plugin.data, { recursive: true, mode: 0o700 }).catch(() => undefined)),
  );
}

function isOn({ enabledPlugins }: LoadPluginsRequest['settings'], id: string): boolean {
  const value = enabledPlugins !== undefined && Object.hasOwn(enabledPlugins, id) ? enabledPlugins[id] : undefined;
  // A list names the versions that are wanted: Deft has the one that is installed.
  return value === true || Array.isArray(value);
}

async function givenPlace(folder: string, problems: string[]): Promise<Place[]> {
  try {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    const name =
      path
        .basename(root)
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .replace(/^[^A-Za-z0-9]+/, '') || 'plugin';
    return [{ request: { id: `${name}@inline`, name, root: portPath(root) }, owner: 'command-line' }];
  } catch (error) {
    problems.push(`--plugin-dir: ${fileErrorSentence(error, folder, 'read')}`);
    return [];
  }
}
