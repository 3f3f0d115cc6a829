// What the lists of "/plugin" do, on real settings files and repositories: where a switch is written, what a project's files may say, what settings forbid.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Grant } from '../../../../src/core/settings/grant-text';
import { loadSettings, type LoadedSettings } from '../../../../src/core/settings/load-settings';
import { readSettings } from '../../../../src/core/settings/read-settings';
import { type SettingsTarget } from '../../../../src/core/settings/save-update';
import { type SettingsPlace } from '../../../../src/core/settings/settings-places';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { type PreparedPlugin } from '../../../../src/node/plugins/install-plugin';
import { type LoadedPlugins, loadPlugins, noPlugins } from '../../../../src/node/plugins/load-plugins';
import {
  createPluginActions,
  type PluginActionOptions,
  type PluginActions,
} from '../../../../src/vscode/plugins/plugin-actions';
import { pluginNotices } from '../../../../src/vscode/plugins/plugin-notices';
import { pluginScopes } from '../../../../src/vscode/plugins/plugin-scopes';
import { type PermissionDestination } from '../../../../src/shared/permission';
import { commitAll, wholePlugin, writeFolder } from '../../../support/plugin-folders';

describe('actions on plugins', function () {
  this.timeout(30_000);
  let root: string;
  let loaded: LoadedPlugins;
  let settings: LoadedSettings;
  let agreed: Set<string>;
  let actions: PluginActions;
  let refresh: () => Promise<void>;
  let trusted: boolean;
  let rules: PluginActionOptions['rules'];
  let places: SettingsPlace[];

  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(path.join(root, name), 'utf8'));

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-actions-')));
    const [home, work] = [path.join(root, 'home'), path.join(root, 'work')];
    await Promise.all([mkdir(home), mkdir(work)]);
    const files = createNodeFileSystem();
    agreed = new Set();
    trusted = true;
    loaded = noPlugins;
    const isAgreed = (grant: Grant): boolean => agreed.has(grant.text);
    const targets: Partial<Record<PermissionDestination, SettingsTarget>> = {
      userSettings: { file: path.join(home, '.claude/settings.json') },
      localSettings: { file: path.join(work, '.claude/settings.local.json'), inside: work },
      projectSettings: { file: path.join(work, '.claude/settings.json'), inside: work },
    };
    places = (['localSettings', 'projectSettings', 'userSettings'] as const).map((source) => ({
      source,
      file: targets[source]?.file ?? '',
      root: work,
      home,
    }));
    const reload = async (): Promise<void> => {
      settings = loadSettings(await readSettings(places, files, async () => undefined), {
        trusted,
        agreed: isAgreed,
        projectSetsMode: false,
      });
    };
    refresh = async () => {
      loaded = await loadPlugins({
        home,
        personalFolder: path.join(home, '.claude'),
        files,
        settings: settings.values,
        workspace: [work],
      });
    };
    await reload();
    actions = createPluginActions({
      plugins: { all: () => loaded, refresh, ready: () => assert.fail('nobody asks') },
      rules: (rules = {
        values: () => settings.values,
        target: (destination) => targets[destination],
        reload,
        grants: {
          agreed: isAgreed,
          async answer(grants, yes) {
            for (const { text } of grants) if (yes) agreed.add(text);
            await reload();
          },
          waiting: () => settings.pending,
        },
      }),
      trusted: () => trusted,
      files,
      home,
      environment: async () => ({ ...process.env, HOME: home }),
    });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const prepared = (made: Awaited<ReturnType<PluginActions['fromFolder']>>): PreparedPlugin =>
    'plugin' in made ? made : assert.fail(JSON.stringify(made));
  const repository = async (): Promise<string> => {
    const folder = await writeFolder(path.join(root, 'repo'), {
      '.claude-plugin/marketplace.json': { name: 'tools', plugins: [{ name: 'shout', source: './shout' }] },
    });
    await writeFolder(path.join(folder, 'shout'), wholePlugin());
    commitAll(folder);
    return folder;
  };
  const fromMarket = async (): Promise<PreparedPlugin> => {
    const url = `file://${await repository()}`;
    assert.deepEqual(await actions.addMarketplace({ kind: 'git', url }), { name: 'tools' });
    const marketplace = loaded.marketplaces[0] ?? assert.fail('no marketplace');
    const entry = { name: 'shout', source: { kind: 'inside' as const, path: './shout' }, strict: true, manifest: {} };
    return prepared(await actions.fromEntry(entry, marketplace));
  };

  it('installs from a folder, switches off and on, and takes everything away again', async () => {
    const made = prepared(await actions.fromFolder(await writeFolder(path.join(root, 'shout'), wholePlugin())));
    assert.equal(await actions.install(made, 'userSettings'), undefined);
    assert.deepEqual(
      loaded.plugins.map(({ plugin, on, agreed: may }) => [plugin.id, on, may]),
      [['shout@folder', true, true]],
    );
    assert.deepEqual(await json('home/.claude/settings.json'), { enabledPlugins: { 'shout@folder': true } });
    assert.equal(await actions.switch('shout@folder', false, 'userSettings'), undefined);
    assert.equal(loaded.plugins[0]?.on, false);
    assert.equal(await actions.remove('shout@folder'), undefined);
    assert.deepEqual([loaded.plugins, await json('home/.claude/settings.json')], [[], { enabledPlugins: {} }]);
  });

  it('tells others of the project where a plugin is from, and agrees to nothing that stood there before', async () => {
    await writeFolder(path.join(root, 'work'), { '.claude/settings.json': { enabledPlugins: { 'evil@there': true } } });
    const made = await fromMarket();
    assert.equal(await actions.install(made, 'projectSettings'), undefined);
    assert.deepEqual(await json('work/.claude/settings.json'), {
      enabledPlugins: { 'evil@there': true, 'shout@tools': true },
      extraKnownMarketplaces: { tools: { source: { source: 'git', url: `file://${path.join(root, 'repo')}` } } },
    });
    assert.equal(settings.values.enabledPlugins?.['evil@there'], undefined, 'what waited goes on waiting');
    assert.equal(settings.values.enabledPlugins?.['shout@tools'], true, "the user's own file of the project says it");
    assert.deepEqual(Object.keys(settings.values.extraKnownMarketplaces ?? {}), ['tools']);
    assert.match(settings.pending.map(({ text }) => text).join(), /evil@there/);
  });

  it("switches off in the user's own file of the project where the project switches it on", async () => {
    assert.equal(await actions.install(await fromMarket(), 'projectSettings'), undefined);
    assert.equal(await actions.switch('shout@tools', false, 'userSettings'), undefined);
    assert.equal(loaded.plugins[0]?.on, false);
    assert.deepEqual(await json('work/.claude/settings.local.json'), { enabledPlugins: { 'shout@tools': false } });
  });

  it('updates from where it came, and asks again only where what runs has changed', async () => {
    assert.equal(await actions.install(await fromMarket(), 'userSettings'), undefined);
    const before = loaded.plugins[0] ?? assert.fail('no plugin');
    await writeFile(path.join(root, 'repo/shout/note.sh'), '#!/bin/bash\necho other\n');
    commitAll(path.join(root, 'repo'));
    const newer = await actions.newest(before);
    assert.ok('plugin' in newer, JSON.stringify(newer));
    assert.notEqual(newer.fingerprint, before.fingerprint);
    assert.equal(await actions.update(newer), undefined);
    assert.deepEqual([loaded.plugins[0]?.agreed, loaded.plugins[0]?.fingerprint], [true, newer.fingerprint]);
    assert.equal(await actions.removeMarketplace('tools'), undefined);
    assert.match(JSON.stringify(await actions.newest(before)), /The marketplace tools is no longer known/);
  });

  it('installs nothing that settings forbid, and says in the chat what waits and what is missing', async () => {
    await writeFolder(path.join(root, 'home'), {
      '.claude/settings.json': {
        strictKnownMarketplaces: [{ source: 'github', repo: 'o/*' }],
        enabledPlugins: { 'gone@tools': true },
      },
    });
    await actions.switch('x@y', false, 'userSettings');
    assert.match(JSON.stringify(await actions.fromFolder(root)), /strictKnownMarketplaces/);
    assert.match(
      JSON.stringify(await actions.addMarketplace({ kind: 'git', url: 'https://example.org/r' })),
      /strictKnownMarketplaces/,
    );
    const [missing] = pluginNotices(loaded);
    assert.deepEqual(
      [missing?.id, missing?.detail, missing?.action],
      ['plugins:missing', 'gone@tools', { label: 'Show plugins', command: 'managePlugins' }],
    );
    const place = await writeFolder(path.join(root, 'theirs'), wholePlugin());
    await writeFolder(path.join(root, 'home'), {
      '.claude/settings.json': { enabledPlugins: { 'shout@tools': true } },
      '.claude/plugins/installed_plugins.json': { version: 2, plugins: { 'shout@tools': [{ installPath: place }] } },
    });
    await actions.switch('x@y', true, 'userSettings');
    assert.match(pluginNotices(loaded)[0]?.detail ?? '', /current form you have not agreed to: shout@tools$/);
    assert.equal(await actions.agree(loaded.plugins[0] ?? assert.fail()), undefined);
    assert.deepEqual(
      pluginNotices(loaded).map(({ id }) => id),
      ['plugins:missing'],
    );
  });

  it('writes nothing into a workspace that is not trusted, offers only "everywhere" there, and says why', async () => {
    trusted = false;
    assert.deepEqual(
      pluginScopes(rules, trusted).map(({ label }) => label),
      ['everywhere'],
    );
    assert.deepEqual(
      pluginScopes(rules, true).map(({ scope }) => scope),
      ['userSettings', 'localSettings', 'projectSettings'],
    );
    const folder = await writeFolder(path.join(root, 'shout'), wholePlugin());
    for (const scope of ['localSettings', 'projectSettings'] as const) {
      assert.equal(
        await actions.install(prepared(await actions.fromFolder(folder)), scope),
        'shout is installed, but off: Project settings do not apply in Restricted Mode: choose everywhere, or trust the workspace.',
      );
    }
    assert.equal(await actions.switch('shout@folder', true, 'userSettings'), undefined);
    assert.equal(loaded.plugins[0]?.on, true);
    assert.equal(await actions.remove('shout@folder'), undefined);
    assert.deepEqual(await readdir(path.join(root, 'work')), []);
  });

  it('says what keeps a plugin off that was switched on: consent that is missing, or the organisation', async () => {
    await writeFolder(path.join(root, 'work'), {
      '.claude/settings.json': { enabledPlugins: { 'evil@there': true } },
      '.claude/settings.local.json': { enabledPlugins: { 'other@there': true } },
    });
    await rules.reload();
    const made = prepared(await actions.fromFolder(await writeFolder(path.join(root, 'shout'), wholePlugin())));
    assert.match(
      (await actions.install(made, 'localSettings')) ?? '',
      /^shout is installed, but off: What this project's settings say of plugins waits for you/,
    );
    await writeFolder(root, { 'managed.json': { enabledPlugins: { 'shout@folder': false } } });
    await rm(path.join(root, 'work/.claude'), { recursive: true });
    places.unshift({
      source: 'managedSettings',
      file: path.join(root, 'managed.json'),
      root,
      home: path.join(root, 'home'),
    });
    assert.equal(
      await actions.switch('shout@folder', true, 'userSettings'),
      'A settings file of your organization decides.',
    );
    trusted = false;
    assert.equal(
      await actions.switch('shout@folder', true, 'userSettings'),
      'A settings file of your organization decides.',
    );
  });
});
