// A marketplace's file as data: its plugins, each with where it is fetched from; one entry that is wrong hides no other.
import { defined } from '../../shared/defined';
import { parseConfigText } from '../mcp/config-text';
import { type PluginManifest, readFields } from './manifest';
import { gitSource, type GitSource, hubAddress } from './marketplace-source';
import { isPluginName } from '../ports/plugin-identity';
import { isObject } from '../../shared/plain-object';

export const marketplaceFile = '.claude-plugin/marketplace.json';

export interface MarketplaceEntry {
  name: string;
  description?: string;
  version?: string;
  /** A folder of the marketplace itself, or another repository. */
  source: { kind: 'inside'; path: string } | GitSource;
  /** False: the entry alone says what the plugin contains. */
  strict: boolean;
  /** What it says in addition to the plugin's own manifest. */
  manifest: PluginManifest;
}

export interface Marketplace {
  name: string;
  owner?: string;
  description?: string;
  plugins: readonly MarketplaceEntry[];
  /** Sentences. */
  problems: readonly string[];
}

/** A sentence where it is none. `file` is before the sentences. */
export function readMarketplace(file: string, text: string): Marketplace | string {
  const config = parseConfigText(file, text);
  if (typeof config === 'string') return config.replace(/ Mend it; .*$/, '');
  const value = config.valueAt([]);
  if (!isObject(value)) return `${file}: it must contain an object with \`name\` and \`plugins\`.`;
  const { name, owner, metadata, plugins, description } = value;
  if (typeof name !== 'string' || !isPluginName(name))
    return `${file}: \`name\` must be a name of letters, digits, "-", "_" and ".".`;
  if (!Array.isArray(plugins)) return `${file}: \`plugins\` must be a list.`;
  const problems: string[] = [];
  const base = isObject(metadata) && typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : undefined;
  const found = new Map<string, MarketplaceEntry>();
  plugins.forEach((one: unknown, index) => {
    const entry = readEntry(one, base);
    const called =
      isObject(one) && typeof one['name'] === 'string'
        ? `the plugin ${JSON.stringify(one['name'])}`
        : `plugin ${index + 1}`;
    if (typeof entry === 'string') problems.push(`${file}: ${called}: ${entry}`);
    else if (found.has(entry.name)) problems.push(`${file}: ${called} is listed twice; the first one is used.`);
    else {
      found.set(entry.name, entry.entry);
      problems.push(...entry.problems.map((message) => `${file}: ${called}: ${message}`));
    }
  });
  const about =
    isObject(metadata) && typeof metadata['description'] === 'string'
      ? metadata['description']
      : typeof description === 'string'
        ? description
        : undefined;
  return {
    name,
    ...(isObject(owner) && typeof owner['name'] === 'string' ? { owner: owner['name'] } : {}),
    ...defined({ description: about }),
    plugins: [...found.values()],
    problems,
  };
}

function readEntry(
  value: unknown,
  base: string | undefined,
): { name: string; entry: MarketplaceEntry; problems: string[] } | string {
  if (!isObject(value)) return 'it must be an object.';
  const { name, source, strict = true } = value;
  if (typeof name !== 'string' || !isPluginName(name)) return 'its `name` must have letters, digits, "-", "_" and ".".';
  if (typeof strict !== 'boolean') return '`strict` must be true or false.';
  const from = readSource(source, base);
  if ('problem' in from) return from.problem;
  const { manifest, problems } = readFields(value);
  return {
    name,
    entry: {
      name,
      ...defined({ description: manifest.description, version: manifest.version }),
      source: from.source,
      strict,
      manifest,
    },
    problems: problems.map(({ message }) => message),
  };
}

function readSource(
  source: unknown,
  base: string | undefined,
): { source: MarketplaceEntry['source'] } | { problem: string } {
  if (typeof source === 'string') {
    const isRelative = /^\.(?:\/|$)/.test(source);
    if (!isRelative && base === undefined)
      return { problem: `\`source\` ${JSON.stringify(source)} must begin with "./".` };
    const path = isRelative || base === undefined ? source : `${base.replace(/\/$/, '')}/${source}`;
    return /^[\\/~]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)
      ? { problem: `\`source\` ${JSON.stringify(source)} points outside the marketplace.` }
      : { source: { kind: 'inside', path } };
  }
  if (!isObject(source)) return { problem: 'it has no `source`.' };
  const text = (key: string): string | undefined => (typeof source[key] === 'string' ? source[key] : undefined);
  const more = { ref: text('ref'), sha: text('sha') };
  const [repo, url, path] = [text('repo'), text('url'), text('path')];
  if (source['source'] === 'github' && repo !== undefined) return gitSource(hubAddress(repo), more);
  if (source['source'] === 'url' && url !== undefined) return gitSource(url, more);
  if (source['source'] === 'git-subdir' && url !== undefined && path !== undefined)
    return gitSource(/^[\w.-]+\/[\w.-]+$/.test(url) ? hubAddress(url) : url, { ...more, folder: path });
  if (source['source'] === 'npm')
    return { problem: 'a plugin from npm is not supported: ask its author for a git repository.' };
  return {
    problem: `a \`source\` of the kind ${JSON.stringify(source['source'])} is unknown, or lacks its URL.`,
  };
}
