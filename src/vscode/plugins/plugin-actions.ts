// What a user does with plugins: install, switch on and off, agree, update and remove; each reports in a sentence what did not work.
import * as path from 'node:path';
import { defined } from '../../shared/defined';
import { getNodeValue, parseTree } from 'jsonc-parser';
import { type MarketplaceEntry } from '../../core/plugins/marketplace';
import { sourceRefusal } from '../../core/plugins/marketplace-policy';
import { type FetchSource, writtenSource } from '../../core/plugins/marketplace-source';
import { parsePluginId } from '../../core/ports/plugin-identity';
import { type FileSystem } from '../../core/ports/files';
import { type PluginSwitch, switchPlugin } from '../../core/settings/edit-plugin';
import { type Grant, visible } from '../../core/settings/grant-text';
import { saveEdit } from '../../core/settings/save-update';
import {
  agreeTo,
  discardPlugin,
  folderMarketplace,
  forgetMarketplace,
  type InstallHost,
  isMarketplaceFolder,
  keepMarketplace,
  keepPlugin,
  prepareEntry,
  prepareFolder,
  prepareMarketplace,
  type PreparedPlugin,
  readMarketplaceFolder,
  removePlugin,
} from '../../node/plugins/install-plugin';
import { type KnownMarketplace, type PluginState } from '../../node/plugins/load-plugins';
import { readRecords } from '../../node/plugins/plugin-records';
import type { RuleSource } from '../session/rule-source';
import type { WindowPlugins } from './window-plugins';

/** Where a plugin is switched on. */
export type PluginScope = 'userSettings' | 'localSettings' | 'projectSettings';

export interface PluginActionOptions {
  plugins: Pick<WindowPlugins, 'all' | 'refresh' | 'ready'>;
  rules: Pick<RuleSource, 'values' | 'target' | 'reload'> & {
    grants: Pick<RuleSource['grants'], 'answer' | 'agreed' | 'waiting'>;
  };
  /** The workspace: nothing is written into one that is not, and nothing of it counts. */
  trusted: () => boolean;
  files: FileSystem;
  home: string;
  /** For git. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  signal?: AbortSignal;
}

export type Prepared = PreparedPlugin | { problem: string };

export interface PluginActions {
  /** A marketplace's folder is added, not installed: `marketplace` is its name then. */
  fromFolder(folder: string): Promise<Prepared | { marketplace: string }>;
  fromEntry(entry: MarketplaceEntry, marketplace: KnownMarketplace): Promise<Prepared>;
  /** A sentence, where it did not work: that of an installed one stays then. */
  install(prepared: PreparedPlugin, scope: PluginScope): Promise<string | undefined>;
  /** Of one that is installed: as its source has it now. */
  newest(state: PluginState): Promise<Prepared>;
  update(prepared: PreparedPlugin): Promise<string | undefined>;
  discard(prepared: PreparedPlugin): Promise<void>;
  agree(state: PluginState): Promise<string | undefined>;
  switch(id: string, on: boolean, scope: PluginScope): Promise<string | undefined>;
  remove(id: string): Promise<string | undefined>;
  addMarketplace(source: FetchSource): Promise<{ name: string } | { problem: string }>;
  updateMarketplace(marketplace: KnownMarketplace): Promise<string | undefined>;
  removeMarketplace(name: string): Promise<string | undefined>;
}

export function createPluginActions(options: PluginActionOptions): PluginActions {
  return new Actions(options);
}

class Actions implements PluginActions {
  readonly #options: PluginActionOptions;
  readonly #plugins: PluginActionOptions['plugins'];
  readonly #rules: PluginActionOptions['rules'];
  readonly discard = discardPlugin;

  constructor(options: PluginActionOptions) {
    this.#options = options;
    const { plugins, rules } = options;
    this.#plugins = plugins;
    this.#rules = rules;
  }

  async fromFolder(folder: string): Promise<Prepared | { marketplace: string }> {
    const source: FetchSource = { kind: 'folder', path: path.resolve(folder) };
    const refused = this.#refusal(source);
    if (refused !== undefined) return { problem: refused };
    if (!(await isMarketplaceFolder(folder))) return prepareFolder(folder, await this.#host());
    const added = await this.addMarketplace(source);
    return 'problem' in added ? added : { marketplace: added.name };
  }

  async fromEntry(entry: MarketplaceEntry, marketplace: KnownMarketplace): Promise<Prepared> {
    const refused = this.#refusal(marketplace.source);
    return refused === undefined ? prepareEntry(entry, marketplace, await this.#host()) : { problem: refused };
  }

  async install(prepared: PreparedPlugin, scope: PluginScope): Promise<string | undefined> {
    const problem = await keepPlugin(prepared, await this.#host());
    if (problem !== undefined) return this.#refreshed(problem);
    await this.#plugins.refresh();
    const off = await this.switch(prepared.plugin.id, true, scope);
    return off === undefined ? undefined : `${prepared.plugin.name} is installed, but off: ${off}`;
  }

  async newest({ plugin: { id } }: PluginState): Promise<Prepared> {
    const records = await readRecords(this.#options.home);
    if (typeof records === 'string') return { problem: records };
    const stored = records.plugins[id];
    if (stored === undefined) return { problem: `Another program has installed ${id}: update it there.` };
    const parsed = parsePluginId(id);
    if (parsed?.marketplace === folderMarketplace)
      return stored.source.kind === 'folder'
        ? prepareFolder(stored.source.path, await this.#host())
        : { problem: `${id} has no folder.` };
    const marketplace = this.#marketplaceOf(id);
    if (marketplace === undefined)
      return { problem: `The marketplace ${parsed?.marketplace ?? ''} is no longer known. Add it again.` };
    const problem = marketplace.owner === 'deft' ? await this.updateMarketplace(marketplace) : undefined;
    if (problem !== undefined) return { problem };
    const read = await readMarketplaceFolder(marketplace.root);
    if (typeof read === 'string') return { problem: read };
    const entry = read.plugins.find(({ name }) => name === parsed?.name);
    return entry === undefined
      ? { problem: `The marketplace ${marketplace.name} no longer offers ${parsed?.name ?? ''}.` }
      : this.fromEntry(entry, marketplace);
  }

  async update(prepared: PreparedPlugin): Promise<string | undefined> {
    return this.#refreshed(await keepPlugin(prepared, await this.#host()));
  }

  async agree({ plugin, fingerprint }: PluginState): Promise<string | undefined> {
    return this.#refreshed(await agreeTo(plugin.id, fingerprint, { home: this.#options.home }));
  }

  async switch(id: string, on: boolean, scope: PluginScope): Promise<string | undefined> {
    const source = this.#plugins.all().marketplaces.find(({ name }) => name === parsePluginId(id)?.marketplace)?.source;
    // Others who have the project learn where it is from; a folder of this machine is of no use to them.
    const marketplace =
      scope === 'projectSettings' && on && source?.kind === 'git'
        ? { marketplace: { name: parsePluginId(id)?.marketplace ?? '', source: writtenSource(source) } }
        : {};
    const problem = await this.#save(scope, { id, on, ...marketplace });
    if (problem !== undefined || this.#isOn(id) === on) return this.#refreshed(problem);
    // A higher file says otherwise: the user's own file of this project has the last word, where it counts.
    const above =
      scope === 'localSettings' || !this.#options.trusted() || this.#rules.target('localSettings') === undefined
        ? undefined
        : await this.#save('localSettings', { id, on });
    return this.#refreshed(above ?? (this.#isOn(id) === on ? undefined : this.#whyNot()));
  }

  async remove(id: string): Promise<string | undefined> {
    const problem = await removePlugin(id, await this.#host());
    if (problem !== undefined) return problem;
    for (const scope of ['userSettings', 'localSettings'] as const)
      if (this.#rules.target(scope) !== undefined) await this.#save(scope, { id, on: undefined });
    return this.#refreshed(undefined);
  }

  async addMarketplace(source: FetchSource): Promise<{ name: string } | { problem: string }> {
    const refused = this.#refusal(source);
    if (refused !== undefined) return { problem: refused };
    const prepared = await prepareMarketplace(source, await this.#host());
    if ('problem' in prepared) return prepared;
    const problem = await this.#refreshed(await keepMarketplace(prepared, await this.#host()));
    return problem === undefined ? { name: prepared.marketplace.name } : { problem };
  }

  async updateMarketplace({ source }: KnownMarketplace): Promise<string | undefined> {
    const added = await this.addMarketplace(source);
    return 'problem' in added ? added.problem : undefined;
  }

  async removeMarketplace(name: string): Promise<string | undefined> {
    return this.#refreshed(await forgetMarketplace(name, await this.#host()));
  }

  async #host(): Promise<InstallHost> {
    return {
      home: this.#options.home,
      files: this.#options.files,
      environment: await this.#options.environment(),
      ...defined({ signal: this.#options.signal }),
    };
  }

  #refusal(source: FetchSource): string | undefined {
    return sourceRefusal(source, this.#rules.values());
  }

  async #refreshed(problem: string | undefined): Promise<string | undefined> {
    await this.#plugins.refresh();
    return problem;
  }

  async #save(scope: PluginScope, change: PluginSwitch): Promise<string | undefined> {
    const target = this.#rules.target(scope);
    if (scope !== 'userSettings' && !this.#options.trusted())
      return 'Project settings do not apply in Restricted Mode: choose everywhere, or trust the workspace.';
    if (target === undefined) return 'No folder is open: choose everywhere.';
    let [earlier, text] = ['', ''];
    const saved = await saveEdit(
      (before) => {
        const edit = switchPlugin(before, change);
        earlier = before;
        text = edit.outcome === 'changed' ? edit.text : before;
        return edit;
      },
      target,
      this.#options.files,
    );
    if (!saved.saved) return saved.message;
    if (target.inside === undefined) {
      await this.#rules.reload();
      return undefined;
    }
    const root = target.inside;
    const line = (of: string, key: string): Grant | undefined => grantOf(of, key, root, target.file);
    // The user's own click needs no second consent; everything else that waits for their consent there still waits.
    const own = ['enabledPlugins', 'extraKnownMarketplaces'].flatMap((key) => {
      const before = line(earlier, key);
      return before === undefined || this.#rules.grants.agreed(before) ? (line(text, key) ?? []) : [];
    });
    await this.#rules.grants.answer(own, true);
    return undefined;
  }

  #isOn(id: string): boolean {
    return this.#rules.values().enabledPlugins?.[id] === true;
  }

  #whyNot(): string {
    return this.#rules.grants.waiting().some(({ text }) => text.startsWith('enabledPlugins:'))
      ? 'What this project\'s settings say of plugins waits for you: run "Deft: Review Project Settings".'
      : 'A settings file of your organization decides.';
  }

  #marketplaceOf(id: string): KnownMarketplace | undefined {
    return this.#plugins.all().marketplaces.find(({ name }) => name === parsePluginId(id)?.marketplace);
  }
}

/** The line that the user would be asked about. */
function grantOf(text: string, key: string, root: string, file: string): Grant | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const value = tree === undefined ? undefined : (getNodeValue(tree) as Record<string, unknown>)[key];
  return value === undefined ? undefined : { root, file, text: `${key}: ${visible(JSON.stringify(value))}` };
}
