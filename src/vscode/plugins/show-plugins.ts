// "/plugin": keyboard lists for all actions on plugins and marketplaces; a page shows a plugin's contents before anything is installed.
import { counted } from '../../shared/counted';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import {
  countedParts,
  describePlugin,
  describePlugins,
  type DescribedPlugin,
} from '../../core/plugins/describe-plugins';
import { type MarketplaceEntry } from '../../core/plugins/marketplace';
import { parseTypedSource, readMarketplaceSource, sourceText } from '../../core/plugins/marketplace-source';
import { parsePluginId } from '../../core/ports/plugin-identity';
import { visible } from '../../core/settings/grant-text';
import {
  folderMarketplace,
  type PreparedPlugin,
  readMarketplaceFolder,
  readOffers,
} from '../../node/plugins/install-plugin';
import { type KnownMarketplace, type PluginState } from '../../node/plugins/load-plugins';
import { shortened } from '../../shared/cut-text';
import { showPage } from '../host/pages';
import { type RuleSource } from '../session/rule-source';
import { type PluginActions, type Prepared, type PluginScope } from './plugin-actions';
import { pluginScopes, type ScopeChoice } from './plugin-scopes';
import { type WindowPlugins } from './window-plugins';

export interface PluginWindow {
  plugins: WindowPlugins;
  actions: PluginActions;
  rules: Pick<RuleSource, 'values' | 'target'>;
}

interface Choice extends vscode.QuickPickItem {
  run?: () => Promise<unknown> | void;
}

/** What became of a list: something of it was done, the user went back, or left for what was opened. */
type Choosing = 'done' | 'back' | 'leave';

/** Until the user leaves the list, by Escape or for a page or a folder. */
export async function showPlugins(window: PluginWindow): Promise<void> {
  while ((await listPlugins(window)) === 'done');
}

async function listPlugins(window: PluginWindow): Promise<Choosing> {
  await window.plugins.refresh();
  const { plugins, missing, problems, marketplaces } = window.plugins.all();
  const described = plugins.map(describedState);
  return choose('Plugins', 'Choose a plugin, or what to do', [
    ...plugins.map((state): Choice => ({
      label: `$(${iconOf(state)}) ${visible(state.plugin.name)}`,
      description: `${stateText(state)} · ${state.plugin.id}`,
      detail: shortened(
        `${state.plugin.description === undefined ? '' : `${visible(state.plugin.description)} · `}${countedParts(state)}${faultText(state)}`,
        200,
      ),
      run: () => showPlugin(state, window),
    })),
    ...missing.map((id): Choice => ({
      label: `$(cloud-download) ${visible(id)}`,
      description: 'named by settings, not installed',
      run: () => installMissing(id, window),
    })),
    separator('Do'),
    {
      label: '$(extensions) Install from a marketplace…',
      description: counted(marketplaces.length, 'marketplace'),
      run: () => browse(window),
    },
    { label: '$(folder-opened) Install from a folder…', run: () => fromFolder(window) },
    {
      label: '$(add) Add a marketplace…',
      description: 'owner/repository, a git address, or a folder',
      run: () => addMarketplace(window),
    },
    ...(marketplaces.length === 0
      ? []
      : [{ label: '$(list-unordered) Marketplaces…', run: () => showMarketplaces(window) }]),
    {
      label: '$(book) Show all on a page',
      run: () => left(showPage('Plugins', describePlugins(described, missing, problems))),
    },
  ]);
}

async function showPlugin(state: PluginState, window: PluginWindow): Promise<Choosing> {
  const { actions } = window;
  const { plugin, on, agreed, owner, refused } = state;
  const done =
    (sentence: string) =>
    async (problem: Promise<string | undefined>): Promise<void> =>
      showOutcome((await problem) ?? undefined, sentence);
  return choose(visible(plugin.id), stateText(state), [
    ...(on && !agreed && refused === undefined
      ? [{ label: '$(shield) Read what it runs, and agree…', run: () => agree(state, window) }]
      : []),
    ...scopes(window).map(({ label, description, scope }): Choice =>
      on
        ? {
            label: `$(circle-slash) Switch off: ${label}`,
            description,
            run: () => done(`${plugin.name} is off.`)(actions.switch(plugin.id, false, scope)),
          }
        : { label: `$(check) Switch on: ${label}`, description, run: () => switchOn(state, scope, window) },
    ),
    {
      label: '$(book) Show its contents',
      run: () => left(showPage(pageName(plugin.name), describePlugin(describedState(state)))),
    },
    ...(owner === 'deft' ? [{ label: '$(sync) Update…', run: () => update(state, window) }] : []),
    {
      label: '$(folder) Open its folder',
      run: () => left(vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(plugin.root))),
    },
    ...(owner === 'deft'
      ? [{ label: '$(trash) Remove…', run: () => remove(state, window) }]
      : [{ label: '$(info) Installed by another program', description: 'update and remove it there' }]),
  ]);
}

/** What it runs is read first, also where it was installed long ago. */
async function switchOn(state: PluginState, scope: PluginScope, window: PluginWindow): Promise<void> {
  const { actions } = window;
  if (!state.agreed && !(await agree(state, window))) return;
  showOutcome(await actions.switch(state.plugin.id, true, scope), `${state.plugin.name} is on.`);
}

async function agree(state: PluginState, { actions }: PluginWindow): Promise<boolean> {
  await showPage(pageName(state.plugin.name), describePlugin(describedState(state)));
  const answer = await pick(`Let ${state.plugin.name} run this?`, 'Read the page first: all of it may run by itself', [
    { label: '$(close) Not now', value: false },
    { label: '$(check) Agree', description: countedParts(state), value: true },
  ]);
  if (answer !== true) return false;
  const problem = await actions.agree(state);
  showOutcome(problem, `${state.plugin.name} may run what the page shows.`);
  return problem === undefined;
}

async function update(state: PluginState, window: PluginWindow): Promise<void> {
  const { actions } = window;
  const prepared = await working(`Looking for a newer ${state.plugin.name}`, actions.newest(state));
  if ('problem' in prepared) return showOutcome(prepared.problem);
  // Only what runs is asked about again.
  const same = prepared.fingerprint === state.fingerprint && state.agreed;
  if (!same && !(await review(prepared, window, [{ label: '$(check) Update', value: 'userSettings' }])))
    return actions.discard(prepared);
  showOutcome(
    await actions.update(prepared),
    `${state.plugin.name} is${prepared.plugin.version === undefined ? '' : ` version ${prepared.plugin.version}`} as its source has it now.`,
  );
}

async function remove({ plugin }: PluginState, { actions }: PluginWindow): Promise<void> {
  const detail =
    'This deletes its copy, what it has written into its own folder, and its entry in your settings. Project settings stay unchanged.';
  if (
    (await vscode.window.showWarningMessage(
      `Remove the plugin ${visible(plugin.id)}?`,
      { modal: true, detail },
      'Remove',
    )) !== 'Remove'
  )
    return;
  showOutcome(await actions.remove(plugin.id), `${plugin.name} is removed.`);
}

async function browse(window: PluginWindow, only?: string): Promise<void> {
  const { marketplaces, plugins } = window.plugins.all();
  const chosen = marketplaces.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) return addMarketplace(window);
  const offers = (await readOffers(chosen)).flatMap(({ marketplace, read }): Choice[] => {
    if (typeof read === 'string')
      return [separator(marketplace.name), { label: `$(warning) ${marketplace.name}`, detail: read }];
    const isInstalled = (entry: MarketplaceEntry): boolean =>
      plugins.some(({ plugin }) => plugin.id === `${entry.name}@${marketplace.name}`);
    return [
      separator(`${marketplace.name}${read.owner === undefined ? '' : ` by ${visible(read.owner)}`}`),
      ...read.plugins.map((entry): Choice => ({
        label: `$(extensions) ${entry.name}`,
        description: [entry.version, isInstalled(entry) ? 'installed' : undefined]
          .filter((one) => one !== undefined)
          .join(' · '),
        ...(entry.description === undefined ? {} : { detail: visible(entry.description) }),
        run: () => installEntry(entry, marketplace, window),
      })),
      ...read.problems.map((problem): Choice => ({ label: '$(warning) Not offered', detail: problem })),
    ];
  });
  await choose('Install a Plugin', 'Choose one to see its contents', offers);
}

async function installEntry(
  entry: MarketplaceEntry,
  marketplace: KnownMarketplace,
  window: PluginWindow,
): Promise<void> {
  await install(await working(`Fetching ${entry.name}`, window.actions.fromEntry(entry, marketplace)), window);
}

async function fromFolder(window: PluginWindow): Promise<void> {
  const folder = await vscode.window.showInputBox({
    title: 'Install a Plugin from a Folder',
    prompt: 'The folder of a plugin, or of a marketplace. It is copied.',
    placeHolder: '~/plugins/name',
    ignoreFocusOut: true,
  });
  if (folder === undefined || folder.trim() === '') return;
  const at = parseTypedSource(/^[~./\\]|^[A-Za-z]:/.test(folder.trim()) ? folder : `./${folder.trim()}`, homeFolder());
  if ('problem' in at || at.source.kind !== 'folder')
    return showOutcome('problem' in at ? at.problem : 'Type the path of a folder.');
  const path = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const absolute = at.source.path.startsWith('.') && path !== undefined ? `${path}/${at.source.path}` : at.source.path;
  const prepared = await working('Reading the folder', window.actions.fromFolder(absolute));
  if ('marketplace' in prepared) return browse(window, prepared.marketplace);
  await install(prepared, window);
}

async function install(prepared: Prepared, window: PluginWindow): Promise<void> {
  if ('problem' in prepared) return showOutcome(prepared.problem);
  const shared = parsePluginId(prepared.plugin.id)?.marketplace !== folderMarketplace;
  const choices = scopes(window).filter(({ scope }) => shared || scope !== 'projectSettings');
  const scope = await review(
    prepared,
    window,
    choices.map(({ label, description, scope }) => ({
      label: `$(check) Install: ${label}`,
      description,
      value: scope,
    })),
  );
  if (scope === undefined) return window.actions.discard(prepared);
  showOutcome(
    await window.actions.install(prepared, scope),
    `${prepared.plugin.name} is installed: ${countedParts(prepared)}.`,
  );
}

/** The page is before the user while they choose; Enter alone installs nothing. */
async function review(
  prepared: PreparedPlugin,
  _window: PluginWindow,
  choices: readonly { label: string; description?: string; value: PluginScope }[],
): Promise<PluginScope | undefined> {
  const { plugin, parts, leftOut, stored } = prepared;
  await showPage(
    pageName(plugin.name),
    describePlugin({ plugin, parts, leftOut, from: sourceText(stored.source), state: 'Not installed yet' }),
  );
  const placeHolder =
    parts.runs.length === 0
      ? 'Nothing in it runs automatically'
      : `Read the page first: ${parts.runs.length === 1 ? 'one part of it runs or allows something' : `${parts.runs.length} parts of it run or allow something`}`;
  return pick(`${visible(plugin.name)}: ${countedParts(prepared)}`, placeHolder, [
    { label: '$(close) Do not install', value: undefined },
    ...choices,
  ]);
}

async function addMarketplace(window: PluginWindow, suggested = ''): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: 'Add a Marketplace',
    value: suggested,
    prompt:
      'owner/repository of GitHub, the address of a git repository (https, ssh, file), or a folder; #branch may follow',
    ignoreFocusOut: true,
  });
  if (typed === undefined || typed.trim() === '') return;
  const parsed = parseTypedSource(typed, homeFolder());
  if ('problem' in parsed) return showOutcome(parsed.problem);
  const added = await working(`Fetching ${sourceText(parsed.source)}`, window.actions.addMarketplace(parsed.source));
  if ('problem' in added) return showOutcome(added.problem);
  await browse(window, added.name);
}

async function showMarketplaces(window: PluginWindow): Promise<void> {
  const { actions } = window;
  const items = window.plugins.all().marketplaces.map((marketplace): Choice => ({
    label: `$(list-unordered) ${marketplace.name}`,
    description: sourceText(marketplace.source),
    run: () =>
      choose(marketplace.name, sourceText(marketplace.source), [
        { label: '$(extensions) Browse', run: () => browse(window, marketplace.name) },
        ...(marketplace.owner === 'other'
          ? [{ label: '$(info) Added by another program', description: 'update and remove it there' }]
          : [
              {
                label: '$(sync) Update',
                run: async () =>
                  showOutcome(
                    await working(`Fetching ${marketplace.name}`, actions.updateMarketplace(marketplace)),
                    `${marketplace.name} is up to date. Update each plugin to have its new version.`,
                  ),
              },
              {
                label: '$(trash) Remove',
                description: 'its plugins stay',
                run: async () =>
                  showOutcome(await actions.removeMarketplace(marketplace.name), `${marketplace.name} is removed.`),
              },
            ]),
      ]),
  }));
  await choose('Marketplaces', 'Choose one', items);
}

/** Settings may say where its marketplace is: an offer, which the user takes or leaves. */
async function installMissing(id: string, window: PluginWindow): Promise<void> {
  const { name, marketplace } = parsePluginId(id) ?? { name: id, marketplace: '' };
  const known = window.plugins.all().marketplaces.find((one) => one.name === marketplace);
  if (known === undefined) {
    const written = window.rules.values().extraKnownMarketplaces?.[marketplace];
    const read = readMarketplaceSource((written as { source?: unknown } | undefined)?.source);
    return addMarketplace(
      window,
      'problem' in read ? '' : `${sourceText({ ...read.source })}`.replace(/ at (.*)$/, '#$1'),
    );
  }
  const read = await readMarketplaceFolder(known.root);
  const entry = typeof read === 'string' ? undefined : read.plugins.find((one) => one.name === name);
  return entry === undefined
    ? showOutcome(typeof read === 'string' ? read : `The marketplace ${marketplace} does not offer ${name}.`)
    : installEntry(entry, known, window);
}

function scopes({ rules }: PluginWindow): ScopeChoice[] {
  return pluginScopes(rules, vscode.workspace.isTrusted);
}

function describedState(state: PluginState): DescribedPlugin {
  return { plugin: state.plugin, parts: state.parts, from: state.from, state: stateText(state) };
}

function stateText({ on, agreed, refused }: PluginState): string {
  if (refused !== undefined) return `Not used. ${refused}`;
  if (!on) return 'Off';
  return agreed ? 'On' : 'On, but runs nothing: you have not agreed to what it runs now';
}

function iconOf({ on, agreed, refused }: PluginState): string {
  return refused !== undefined ? 'error' : !on ? 'circle-outline' : agreed ? 'pass-filled' : 'warning';
}

function faultText({ plugin, parts }: PluginState): string {
  const count = plugin.faults.length + parts.faults.length;
  return count === 0 ? '' : ` · ${count === 1 ? '1 entry is' : `${count} entries are`} ignored`;
}

function pageName(name: string): string {
  return `Plugin ${name}`;
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function choose(title: string, placeHolder: string, items: readonly Choice[]): Promise<Choosing> {
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return 'back';
  return (await picked.run?.()) === 'leave' ? 'leave' : 'done';
}

/** The list stays away: there is something to read. */
async function left(shown: PromiseLike<unknown>): Promise<Choosing> {
  await shown;
  return 'leave';
}

/** It stays while the user reads the page behind it. */
async function pick<Value>(
  title: string,
  placeHolder: string,
  items: readonly { label: string; description?: string; value: Value }[],
): Promise<Value | undefined> {
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

function working<Value>(title: string, task: Promise<Value>): Promise<Value> {
  return Promise.resolve(
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Deft: ${title}…` },
      () => task,
    ),
  );
}

function showOutcome(problem: string | undefined, done?: string): void {
  if (problem !== undefined) void vscode.window.showWarningMessage(`Deft: ${problem}`);
  else if (done !== undefined) void vscode.window.showInformationMessage(`Deft: ${done}`);
}
