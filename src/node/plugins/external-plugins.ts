// Plugins and marketplaces that another program has installed: only read, and a list of another shape counts for nothing.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { marketplaceFile, readMarketplace, type MarketplaceEntry } from '../../core/plugins/marketplace';
import { type FetchSource, readMarketplaceSource } from '../../core/plugins/marketplace-source';
import { parsePluginId } from '../../core/ports/plugin-identity';
import { isObject } from '../../shared/plain-object';

export interface ExternalPlugin {
  id: string;
  root: string;
  entry?: Pick<MarketplaceEntry, 'strict' | 'manifest'>;
}

export interface ExternalMarketplace {
  name: string;
  source: FetchSource;
  root: string;
}

/** `folder` is the user's `.claude`; `workspace` are native paths. */
export async function readExternalPlugins(
  folder: string,
  workspace: readonly string[],
): Promise<{ plugins: ExternalPlugin[]; marketplaces: ExternalMarketplace[] }> {
  const [installed, known] = await Promise.all([
    readJson(path.join(folder, 'plugins/installed_plugins.json')),
    readJson(path.join(folder, 'plugins/known_marketplaces.json')),
  ]);
  const marketplaces = Object.entries(known).flatMap(([name, value]): ExternalMarketplace[] => {
    if (!isObject(value)) return [];
    const read = readMarketplaceSource(value['source']);
    const root = value['installLocation'];
    return 'problem' in read || typeof root !== 'string' || !path.isAbsolute(root)
      ? []
      : [{ name, source: read.source, root }];
  });
  const places = Object.entries(isObject(installed['plugins']) ? installed['plugins'] : {}).flatMap(
    ([id, value]): ExternalPlugin[] => {
      // One entry in older files, one for each scope in newer ones.
      const entries = (Array.isArray(value) ? value : [value]).filter(isObject);
      const counts =
        entries.find(({ projectPath }) => typeof projectPath === 'string' && workspace.includes(projectPath)) ??
        entries.find(({ projectPath }) => projectPath === undefined);
      const root = counts?.['installPath'];
      return parsePluginId(id) === undefined || typeof root !== 'string' || !path.isAbsolute(root)
        ? []
        : [{ id, root }];
    },
  );
  const plugins = await Promise.all(
    places.map(async (place) => ({ ...place, ...(await entryOf(place.id, marketplaces)) })),
  );
  return { plugins, marketplaces };
}

async function entryOf(
  id: string,
  marketplaces: readonly ExternalMarketplace[],
): Promise<Pick<ExternalPlugin, 'entry'>> {
  const parsed = parsePluginId(id);
  const root = marketplaces.find(({ name }) => name === parsed?.marketplace)?.root;
  if (root === undefined) return {};
  const text = await readFile(path.join(root, marketplaceFile), 'utf8').catch(() => undefined);
  const read = text === undefined ? undefined : readMarketplace(marketplaceFile, text);
  const entry = typeof read === 'object' ? read.plugins.find(({ name }) => name === parsed?.name) : undefined;
  return entry === undefined ? {} : { entry: { strict: entry.strict, manifest: entry.manifest } };
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
