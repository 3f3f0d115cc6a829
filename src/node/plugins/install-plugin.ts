// Installs plugins: fetched or copied next to the others first, so that the user sees their contents; exactly that is then put in place.
import { defined } from '../../shared/defined';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import {
  type Marketplace,
  type MarketplaceEntry,
  marketplaceFile,
  readMarketplace,
} from '../../core/plugins/marketplace';
import { type FetchSource } from '../../core/plugins/marketplace-source';
import { type Plugin } from '../../core/plugins/plugin';
import { type PluginDisk } from '../../core/context/plugin-files';
import { type PluginParts, readPluginParts } from '../../core/plugins/plugin-parts';
import { isPluginName } from '../../core/ports/plugin-identity';
import { manifestFile, readPlugin } from '../../core/plugins/read-plugin';
import { portPath } from '../files/port-path';
import { copyPlugin } from './copy-plugin';
import { fetchRepository } from './fetch-repository';
import { type KnownMarketplace } from './load-plugins';
import { pluginFingerprint } from './plugin-fingerprint';
import { changeRecords, dataFolder, pluginsFolder, readRecords, type StoredPlugin } from './plugin-records';

export interface InstallHost {
  home: string;
  files: PluginDisk;
  environment: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** The name that follows "@" for a plugin that came from a folder of its own. */
export const folderMarketplace = 'folder';

/** It lies in a folder of its own and does nothing yet. */
export interface PreparedPlugin {
  plugin: Plugin;
  parts: PluginParts;
  fingerprint: string;
  /** What the copy does without: links that lead out of it. */
  leftOut: readonly string[];
  stored: Omit<StoredPlugin, 'root' | 'installedAt'>;
  staged: string;
}

type Problem = { problem: string };

/** A marketplace in its own folder, before it is kept. */
export interface PreparedMarketplace {
  marketplace: Marketplace;
  source: FetchSource;
  root: string;
  /** Fetched, and to be put in place; a folder of the user's stays where it is. */
  staged: boolean;
}

export async function prepareMarketplace(
  source: FetchSource,
  host: InstallHost,
): Promise<PreparedMarketplace | Problem> {
  const staged = source.kind === 'git' ? stagingFolder(host.home) : undefined;
  if (source.kind === 'git') {
    const fetched = await fetchInto(source, staged ?? '', host);
    if ('problem' in fetched) return fetched;
  }
  const root = staged ?? (source.kind === 'folder' ? path.resolve(source.path) : '');
  const read = await readMarketplaceFolder(root);
  if (typeof read !== 'string')
    return {
      marketplace: read,
      source: source.kind === 'folder' ? { kind: 'folder', path: root } : source,
      root,
      staged: staged !== undefined,
    };
  if (staged !== undefined) await rm(staged, { recursive: true, force: true });
  return { problem: read };
}

/** What it offers now; a sentence where it is none. */
export async function readMarketplaceFolder(root: string): Promise<Marketplace | string> {
  const file = path.join(root, marketplaceFile);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined
    ? `There is no ${marketplaceFile} in ${root}: it is not a marketplace.`
    : readMarketplace(portPath(file), text);
}

/** What several offer, in order; a sentence for one that cannot be read. */
export function readOffers(
  marketplaces: readonly KnownMarketplace[],
): Promise<{ marketplace: KnownMarketplace; read: Marketplace | string }[]> {
  return Promise.all(
    marketplaces.map(async (marketplace) => ({ marketplace, read: await readMarketplaceFolder(marketplace.root) })),
  );
}

/** The folder holds a marketplace, not one plugin. */
export function isMarketplaceFolder(folder: string): Promise<boolean> {
  return stat(path.join(folder, marketplaceFile)).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A sentence where it was not kept. */
export async function keepMarketplace(
  { marketplace: { name }, source, root, staged }: PreparedMarketplace,
  { home }: InstallHost,
): Promise<string | undefined> {
  const records = await readRecords(home);
  if (typeof records === 'string') return records;
  const before = records.marketplaces[name];
  if (
    name === folderMarketplace ||
    (before !== undefined && JSON.stringify(before.source) !== JSON.stringify(source))
  ) {
    if (staged) await rm(root, { recursive: true, force: true });
    return `Another marketplace is already called ${name}. Remove that one first.`;
  }
  const place = staged ? path.join(pluginsFolder(home), 'marketplaces', name) : root;
  if (staged) {
    const moved = await putInPlace(root, place);
    if (moved !== undefined) return moved;
  }
  return changeRecords(
    home,
    ({ marketplaces }) => void (marketplaces[name] = { source, root: place, updatedAt: new Date().toISOString() }),
  );
}

/** Its plugins stay installed. */
export async function forgetMarketplace(name: string, { home }: InstallHost): Promise<string | undefined> {
  const problem = await changeRecords(home, ({ marketplaces }) => void delete marketplaces[name]);
  if (problem === undefined && isPluginName(name))
    await rm(path.join(pluginsFolder(home), 'marketplaces', name), { recursive: true, force: true });
  return problem;
}

/** A plugin that lies in a folder of the user's. */
export async function prepareFolder(folder: string, host: InstallHost): Promise<PreparedPlugin | Problem> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return { problem: `There is no folder ${folder}.` };
  const parts = [
    'skills',
    'commands',
    'agents',
    'hooks',
    '.mcp.json',
    'output-styles',
    'bin',
    'SKILL.md',
    manifestFile,
  ];
  const found = await Promise.all(
    parts.map((part) =>
      stat(path.join(root, part)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!found.includes(true))
    return {
      problem: `There is no plugin in ${root}: it has neither ${manifestFile} nor a folder such as skills, commands, agents or hooks.`,
    };
  const name = await ownName(root, host);
  if (name === undefined)
    return {
      problem: `The plugin in ${root} has no name: write one into ${manifestFile}, of letters, digits, "-", "_" and ".".`,
    };
  return prepare(root, { id: `${name}@${folderMarketplace}`, name }, { source: { kind: 'folder', path: root } }, host);
}

/** A plugin that a marketplace offers. */
export async function prepareEntry(
  entry: MarketplaceEntry,
  marketplace: Pick<KnownMarketplace, 'name' | 'root' | 'source'>,
  host: InstallHost,
): Promise<PreparedPlugin | Problem> {
  const called = { id: `${entry.name}@${marketplace.name}`, name: entry.name };
  const own = { strict: entry.strict, manifest: entry.manifest };
  if (entry.source.kind === 'inside') {
    const [root, folder] = await Promise.all(
      [realpath(marketplace.root), realpath(path.join(marketplace.root, entry.source.path))].map((one) =>
        one.catch(() => undefined),
      ),
    );
    if (root === undefined || folder === undefined)
      return {
        problem: `The marketplace has no folder ${entry.source.path}. Update the marketplace, or tell its owner.`,
      };
    if (folder !== root && !folder.startsWith(root + path.sep))
      return { problem: `The folder ${entry.source.path} points outside the marketplace.` };
    return prepare(folder, called, { source: marketplace.source, entry: own }, host);
  }
  const fetched = stagingFolder(host.home);
  const end = await fetchInto(entry.source, fetched, host);
  if ('problem' in end) return end;
  try {
    const [root, folder] = await Promise.all(
      [realpath(fetched), realpath(path.join(fetched, entry.source.folder ?? '.'))].map((one) =>
        one.catch(() => undefined),
      ),
    );
    if (root === undefined || folder === undefined)
      return { problem: `${entry.source.url} has no folder ${entry.source.folder ?? ''}.` };
    if (folder !== root && !folder.startsWith(root + path.sep))
      return { problem: `The folder ${entry.source.folder ?? ''} points outside the repository.` };
    return await prepare(folder, called, { source: entry.source, commit: end.commit, entry: own }, host);
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

async function prepare(
  from: string,
  called: { id: string; name: string },
  stored: PreparedPlugin['stored'],
  host: InstallHost,
): Promise<PreparedPlugin | Problem> {
  const staged = stagingFolder(host.home);
  const copied = await copyPlugin(from, staged);
  if ('problem' in copied) {
    // Where Deft's own folder is none, there is nothing to remove either.
    await rm(staged, { recursive: true, force: true }).catch(() => undefined);
    return copied;
  }
  const plugin = await readPlugin(
    { ...called, root: portPath(staged), data: portPath(dataFolder(host.home, called.id)), entry: stored.entry },
    host.files,
  );
  const parts = await readPluginParts(plugin, host.files);
  const held = await pluginFingerprint(plugin, parts);
  if (!('problem' in held))
    return { plugin, parts, fingerprint: held.fingerprint, leftOut: copied.leftOut, stored, staged };
  await rm(staged, { recursive: true, force: true });
  return held;
}

/** With what the user has agreed to. A sentence where it did not work; the one that was there stays then. */
export async function keepPlugin(
  { plugin, fingerprint, stored, staged }: PreparedPlugin,
  { home }: InstallHost,
): Promise<string | undefined> {
  const records = await readRecords(home);
  if (typeof records === 'string') return records;
  const [name = '', marketplace = ''] = plugin.id.split('@');
  // A folder of its own for each: sessions that run keep the files that they began with until then.
  const root = path.join(pluginsFolder(home), 'installed', marketplace, name, randomBytes(6).toString('hex'));
  const before = records.plugins[plugin.id]?.root;
  const moved = await putInPlace(staged, root);
  if (moved !== undefined) return moved;
  const problem = await changeRecords(home, (now) => {
    now.plugins[plugin.id] = { ...stored, root, installedAt: new Date().toISOString() };
    now.agreed[plugin.id] = fingerprint;
  });
  await removeOwn(problem === undefined ? before : root, home);
  return problem;
}

export function discardPlugin({ staged }: PreparedPlugin): Promise<void> {
  return rm(staged, { recursive: true, force: true });
}

/** What the plugin has written of its own goes too. */
export async function removePlugin(id: string, { home }: InstallHost): Promise<string | undefined> {
  const records = await readRecords(home);
  if (typeof records === 'string') return records;
  const stored = records.plugins[id];
  if (stored === undefined) return `Deft has not installed ${id}.`;
  const problem = await changeRecords(home, (now) => {
    delete now.plugins[id];
    delete now.agreed[id];
  });
  if (problem !== undefined) return problem;
  await removeOwn(stored.root, home);
  await rm(dataFolder(home, id), { recursive: true, force: true });
  return undefined;
}

/** The user has read what it runs. */
export function agreeTo(
  id: string,
  fingerprint: string,
  { home }: Pick<InstallHost, 'home'>,
): Promise<string | undefined> {
  return changeRecords(home, ({ agreed }) => void (agreed[id] = fingerprint));
}

/** Only what lies in Deft's own folder of plugins. */
async function removeOwn(root: string | undefined, home: string): Promise<void> {
  if (root !== undefined && root.startsWith(path.join(pluginsFolder(home), 'installed') + path.sep))
    await rm(root, { recursive: true, force: true });
}

function stagingFolder(home: string): string {
  return path.join(pluginsFolder(home), `new-${randomBytes(6).toString('hex')}`);
}

async function fetchInto(
  source: Extract<FetchSource, { kind: 'git' }>,
  into: string,
  { home, environment, signal, timeoutMs }: InstallHost,
): Promise<{ commit: string } | Problem> {
  try {
    await mkdir(pluginsFolder(home), { recursive: true, mode: 0o700 });
  } catch (error) {
    return { problem: `${pluginsFolder(home)} cannot be created: ${messageOf(error)}` };
  }
  return fetchRepository(source, into, { environment, signal, ...defined({ timeoutMs }) });
}

/** The old one goes only once the new one is there. */
async function putInPlace(from: string, to: string): Promise<string | undefined> {
  const old = `${to}.old-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const had = await rename(to, old).then(
      () => true,
      () => false,
    );
    try {
      await rename(from, to);
    } catch (error) {
      if (had) await rename(old, to);
      throw error;
    }
    await rm(old, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    await rm(from, { recursive: true, force: true });
    return `${to} could not be written: ${messageOf(error)}`;
  }
}

async function ownName(root: string, { files }: InstallHost): Promise<string | undefined> {
  const { name } = await readPlugin({ id: '', name: path.basename(root), root: portPath(root), data: '' }, files);
  return isPluginName(name) ? name : undefined;
}
