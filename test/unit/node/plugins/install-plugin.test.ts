// Plugins installed from folders and from real git repositories: what is copied, what git may do, what is kept and what goes again.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTypedSource, type FetchSource } from '../../../../src/core/plugins/marketplace-source';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { fetchRepository } from '../../../../src/node/plugins/fetch-repository';
import {
  discardPlugin,
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
} from '../../../../src/node/plugins/install-plugin';
import { activePlugins, loadPlugins, type LoadedPlugins } from '../../../../src/node/plugins/load-plugins';
import { dataFolder, pluginsFolder, recordsFile } from '../../../../src/node/plugins/plugin-records';
import { commitAll, wholePlugin, writeFolder } from '../../../support/plugin-folders';

describe('installing plugins', function () {
  this.timeout(60_000);
  let root: string;
  let home: string;
  let host: InstallHost;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-plugins-')));
    home = path.join(root, 'home');
    await mkdir(home);
    host = { home, files: createNodeFileSystem(), environment: { ...process.env, HOME: home } };
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const load = (
    enabled: Record<string, unknown>,
    more: Partial<Parameters<typeof loadPlugins>[0]['settings']> = {},
  ): Promise<LoadedPlugins> =>
    loadPlugins({
      home,
      personalFolder: path.join(home, '.claude'),
      files: createNodeFileSystem(),
      settings: { enabledPlugins: enabled, ...more },
      workspace: ['/w'],
    });
  const ready = (prepared: PreparedPlugin | { problem: string }): PreparedPlugin =>
    'problem' in prepared ? assert.fail(prepared.problem) : prepared;
  const leftovers = async (): Promise<string[]> =>
    (await readdir(pluginsFolder(home)).catch(() => [])).filter((name) => name.startsWith('new-'));
  const market = async (folder: string, plugins: unknown[]): Promise<string> =>
    writeFolder(folder, { '.claude-plugin/marketplace.json': { name: 'tools', owner: { name: 'Ann' }, plugins } });
  const typed = (text: string): FetchSource => {
    const parsed = parseTypedSource(text, home);
    return 'source' in parsed ? parsed.source : assert.fail(parsed.problem);
  };

  it('copies a folder: what the user saw is what is kept, whatever becomes of the folder', async () => {
    const source = await writeFolder(path.join(root, 'shout'), { ...wholePlugin(), '.git/config': 'x' });
    const prepared = ready(await prepareFolder(source, host));
    await writeFile(path.join(source, 'note.sh'), 'changed');
    assert.equal(await keepPlugin(prepared, host), undefined);
    const [state] = (await load({ 'shout@folder': true })).plugins;
    assert.ok(state);
    assert.deepEqual([state.on, state.agreed, state.from, state.plugin.version], [true, true, source, '1.2.0']);
    assert.ok(state.plugin.root.startsWith(path.join(home, '.deft/plugins/installed/folder/shout/')));
    assert.match(await readFile(path.join(state.plugin.root, 'note.sh'), 'utf8'), /The hook of the plugin ran/);
    assert.equal((await stat(path.join(state.plugin.root, 'bin/shout-it'))).mode & 0o111, 0o111);
    await assert.rejects(stat(path.join(state.plugin.root, '.git')));
    assert.deepEqual([await leftovers(), (await load({})).plugins.map(({ on }) => on)], [[], [false]]);
    assert.equal((await stat(recordsFile(home))).mode & 0o777, 0o600);
  });

  it('leaves out links that lead out, follows those within, and ends on loops and pipes', async () => {
    const source = await writeFolder(path.join(root, 'p'), {
      '.claude-plugin/plugin.json': { name: 'p' },
      'skills/a/SKILL.md': 'A',
    });
    await writeFile(path.join(root, 'secret'), 'secret');
    await symlink(path.join(root, 'secret'), path.join(source, 'out'));
    await symlink('../..', path.join(source, 'skills/up'));
    await symlink('.', path.join(source, 'skills/loop'));
    await symlink('a/SKILL.md', path.join(source, 'skills/within.md'));
    await symlink('nowhere', path.join(source, 'dangling'));
    const prepared = ready(await prepareFolder(source, host));
    assert.deepEqual(prepared.leftOut, ['dangling', 'out', 'skills/loop', 'skills/up']);
    assert.equal(await readFile(path.join(prepared.staged, 'skills/within.md'), 'utf8'), 'A');
    await discardPlugin(prepared);
    assert.deepEqual(await leftovers(), []);
  });

  it('says where there is no plugin', async () => {
    await mkdir(path.join(root, 'empty'));
    assert.match(JSON.stringify(await prepareFolder(path.join(root, 'empty'), host)), /There is no plugin in/);
    assert.match(JSON.stringify(await prepareFolder(path.join(root, 'none'), host)), /There is no folder/);
    await writeFolder(path.join(root, '-- --'), { 'commands/a.md': 'A' });
    assert.match(JSON.stringify(await prepareFolder(path.join(root, '-- --'), host)), /has no name/);
    assert.match(
      JSON.stringify(await prepareMarketplace({ kind: 'folder', path: path.join(root, 'empty') }, host)),
      /it is not a marketplace/,
    );
    assert.deepEqual(await leftovers(), []);
  });

  it('a git marketplace: added, browsed, its plugins installed, updated, asked about again where they run other things, and removed', async () => {
    const repository = await market(path.join(root, 'repo'), [
      { name: 'shout', source: './plugins/shout', description: 'Loud' },
      { name: 'gone', source: './plugins/gone' },
    ]);
    await writeFolder(path.join(repository, 'plugins/shout'), wholePlugin());
    commitAll(repository);
    const source = typed(`file://${repository}`);
    const added = await prepareMarketplace(source, host);
    assert.ok('marketplace' in added, JSON.stringify(added));
    assert.equal(await keepMarketplace(added, host), undefined);
    const known = async () => (await load({ 'shout@tools': true })).marketplaces[0] ?? assert.fail('no marketplace');
    const marketplace = await known();
    assert.deepEqual([marketplace.name, marketplace.source, marketplace.owner], ['tools', source, 'deft']);
    await assert.rejects(stat(path.join(marketplace.root, '.git')));
    const offered = async () => {
      const read = await readMarketplaceFolder((await known()).root);
      return typeof read === 'string' ? assert.fail(read) : read.plugins;
    };
    const [shout, gone] = await offered();
    assert.ok(shout && gone);
    assert.match(JSON.stringify(await prepareEntry(gone, marketplace, host)), /has no folder \.\/plugins\/gone/);
    assert.deepEqual((await load({ 'shout@tools': true })).missing, ['shout@tools']);
    const first = ready(await prepareEntry(shout, marketplace, host));
    assert.equal(await keepPlugin(first, host), undefined);
    const state = async () => (await load({ 'shout@tools': true })).plugins[0] ?? assert.fail('no plugin');
    const before = await state();
    assert.deepEqual([before.agreed, before.plugin.name, before.from], [true, 'shout', `file://${repository}`]);

    // Words change, then what runs does.
    const update = async (): Promise<PreparedPlugin> => {
      commitAll(repository);
      const again = await prepareMarketplace(source, host);
      assert.ok('marketplace' in again, JSON.stringify(again));
      assert.equal(await keepMarketplace(again, host), undefined);
      const [entry] = await offered();
      return ready(await prepareEntry(entry ?? assert.fail(), await known(), host));
    };
    await writeFile(path.join(repository, 'plugins/shout/commands/whisper.md'), 'Whisper softly');
    const words = await update();
    assert.equal(words.fingerprint, before.fingerprint, 'words run nothing');
    assert.equal(await keepPlugin(words, host), undefined);
    await assert.rejects(stat(before.plugin.root), 'the old copy goes');
    await writeFile(path.join(repository, 'plugins/shout/bin/shout-it'), '#!/bin/sh\nother\n');
    const code = await update();
    assert.notEqual(code.fingerprint, before.fingerprint, 'a program that is another one');
    await discardPlugin(code);

    await mkdir(dataFolder(home, 'shout@tools'), { recursive: true });
    const { root: installed } = (await state()).plugin;
    assert.equal(await removePlugin('shout@tools', host), undefined);
    assert.equal(await forgetMarketplace('tools', host), undefined);
    await assert.rejects(stat(installed));
    await assert.rejects(stat(dataFolder(home, 'shout@tools')));
    assert.deepEqual(await load({}), { plugins: [], marketplaces: [], missing: [], problems: [] });
    assert.match((await removePlugin('shout@tools', host)) ?? '', /Deft has not installed/);
  });

  it('a plugin in a repository of its own: a branch, a commit, a folder, and none that is not there', async () => {
    const repository = await writeFolder(path.join(root, 'own'), { 'tools/p/skills/a/SKILL.md': 'First' });
    const first = commitAll(repository);
    await writeFolder(repository, { 'tools/p/skills/a/SKILL.md': 'Second' });
    const second = commitAll(repository);
    const url = `file://${repository}`;
    const marketplace = { name: 'tools', root, source: { kind: 'folder', path: root } as const };
    const entry = (more: object) => ({
      name: 'p',
      strict: false,
      manifest: {},
      source: { kind: 'git' as const, url, folder: 'tools/p', ...more },
    });
    const textOf = async (more: object): Promise<[string, string | undefined]> => {
      const prepared = ready(await prepareEntry(entry(more), marketplace, host));
      const text = await readFile(path.join(prepared.staged, 'skills/a/SKILL.md'), 'utf8');
      await discardPlugin(prepared);
      return [text, prepared.stored.commit];
    };
    assert.deepEqual(await textOf({}), ['Second', second]);
    assert.deepEqual(await textOf({ ref: 'main' }), ['Second', second]);
    assert.deepEqual(await textOf({ sha: first }), ['First', first]);
    for (const [more, why] of [
      [{ ref: 'nowhere' }, /couldn't find remote ref nowhere/],
      [{ sha: 'f'.repeat(40) }, /was not fetched/],
      [{ folder: 'other' }, /has no folder other/],
      [{ url: `file://${root}/none` }, /was not fetched: fatal: .*not appear to be a git repository|does not exist/],
    ] as const)
      assert.match(JSON.stringify(await prepareEntry(entry(more), marketplace, host)), why);
    assert.deepEqual(await leftovers(), []);
  });

  it('runs nothing of a repository nor of templates, and fetches no submodules', async () => {
    const marker = path.join(root, 'ran');
    const script = `#!/bin/sh\ntouch ${marker}\n`;
    const inner = await writeFolder(path.join(root, 'inner'), { 'a.txt': 'a' });
    commitAll(inner);
    const repository = await writeFolder(path.join(root, 'own'), {
      'skills/a/SKILL.md': 'A',
      '.gitmodules': `[submodule "inner"]\n\tpath = inner\n\turl = file://${inner}\n`,
      '.gitattributes': '* filter=evil\n',
    });
    commitAll(repository);
    const template = await writeFolder(path.join(root, 'template'), { 'hooks/post-checkout.sh': script });
    await writeFile(path.join(template, 'hooks/post-checkout'), script);
    await chmod(path.join(template, 'hooks/post-checkout'), 0o755);
    await writeFolder(home, {
      '.gitconfig': `[init]\n\ttemplateDir = ${template}\n[core]\n\thooksPath = ${path.join(template, 'hooks')}\n[submodule]\n\trecurse = true\n`,
    });
    const into = path.join(root, 'into');
    const fetched = await fetchRepository({ kind: 'git', url: `file://${repository}` }, into, {
      environment: { ...host.environment, GIT_DIR: path.join(root, 'elsewhere'), GIT_TEMPLATE_DIR: template },
    });
    assert.ok('commit' in fetched, JSON.stringify(fetched));
    assert.deepEqual((await readdir(into)).sort(), ['.gitattributes', '.gitmodules', 'skills']);
    await assert.rejects(stat(marker));
  });

  it('starts git from a whole folder of PATH alone, never from one that counts from where Deft stands', async () => {
    const repository = await writeFolder(path.join(root, 'own'), { 'a.txt': 'a' });
    commitAll(repository);
    const into = path.join(root, 'into');
    const marker = path.join(root, 'ran');
    const evil = await writeFolder(path.join(root, 'evil'), { 'bin/git': `#!/bin/sh\ntouch ${marker}\n` });
    const fetch = (PATH: string) =>
      fetchRepository({ kind: 'git', url: `file://${repository}` }, into, {
        environment: { ...host.environment, PATH },
      });
    const near = path.relative(process.cwd(), path.join(evil, 'bin'));
    const fetched = await fetch([near, '.', process.env['PATH']].join(path.delimiter));
    assert.ok('commit' in fetched, JSON.stringify(fetched));
    await assert.rejects(stat(marker));
    await rm(into, { recursive: true });
    assert.match(
      JSON.stringify(await fetch(near)),
      /there is no git on this machine\. Install it, or install from a folder/,
    );
    await assert.rejects(stat(marker));
  });

  it('asks by no other protocol than the one typed, and no longer than it may', async () => {
    const repository = await writeFolder(path.join(root, 'own'), { 'a.txt': 'a' });
    commitAll(repository);
    // A setting of the machine leads an address elsewhere.
    await writeFolder(home, {
      '.gitconfig': `[url "file://${repository}"]\n\tinsteadOf = https://example.invalid/r\n`,
    });
    const into = path.join(root, 'into');
    assert.match(
      JSON.stringify(await fetchRepository({ kind: 'git', url: 'https://example.invalid/r' }, into, host)),
      /transport 'file' not allowed/,
    );
    assert.match(
      JSON.stringify(await fetchRepository({ kind: 'git', url: 'ext::sh -c date' }, into, host)),
      /is not an address that Deft fetches from/,
    );
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const waited = await fetchRepository({ kind: 'git', url: `https://127.0.0.1:${port}/r` }, into, {
      ...host,
      timeoutMs: 1_000,
    });
    silent.close();
    assert.match(JSON.stringify(waited), /it took too long/);
    await assert.rejects(stat(into));
  });

  it('reads what another program has installed, writes nothing of it, and prefers its own', async () => {
    const theirs = path.join(home, '.claude/plugins');
    const place = await writeFolder(path.join(theirs, 'cache/tools/shout/1.0.0'), wholePlugin());
    await market(path.join(theirs, 'marketplaces/tools'), [
      { name: 'shout', source: './x', strict: true, outputStyles: './note.sh' },
    ]);
    await writeFolder(theirs, {
      'installed_plugins.json': {
        version: 2,
        plugins: {
          'shout@tools': [
            { scope: 'project', projectPath: '/other', installPath: '/nowhere' },
            { scope: 'user', installPath: place, version: '1.0.0' },
          ],
          odd: 3,
          'up@../x': [{ installPath: '/' }],
          'off@tools': { installPath: '/not/there' },
        },
      },
      'known_marketplaces.json': {
        tools: { source: { source: 'github', repo: 'o/r' }, installLocation: path.join(theirs, 'marketplaces/tools') },
        bad: 1,
      },
    });
    const before = JSON.stringify(await readdir(theirs, { recursive: true }));
    const loaded = await load({ 'shout@tools': ['^1.0.0'] });
    const [state] = loaded.plugins;
    assert.deepEqual(
      [loaded.plugins.length, state?.owner, state?.on, state?.agreed, state?.from],
      [1, 'other', true, false, 'https://github.com/o/r.git'],
    );
    assert.deepEqual(state?.plugin.outputStyles, [path.join(place, 'note.sh')], "its marketplace's entry counts");
    assert.match(
      (await load({ 'shout@tools': true }, { blockedMarketplaces: [{ source: 'github', repo: 'o/*' }] })).plugins[0]
        ?.refused ?? '',
      /blockedMarketplaces/,
    );
    assert.deepEqual(activePlugins(await load({ 'shout@tools': true }, { strictKnownMarketplaces: [] })), []);
    const prepared = ready(await prepareFolder(place, host));
    assert.equal(await keepPlugin({ ...prepared, plugin: { ...prepared.plugin, id: 'shout@tools' } }, host), undefined);
    assert.deepEqual(
      (await load({ 'shout@tools': true })).plugins.map(({ owner }) => owner),
      ['deft'],
    );
    assert.equal(JSON.stringify(await readdir(theirs, { recursive: true })), before);
  });

  it('of two that are on and have one name the first counts; a broken list of its own is told and not written over', async () => {
    const source = await writeFolder(path.join(root, 'shout'), wholePlugin());
    for (const id of ['shout@folder', 'shout@tools']) {
      const prepared = ready(await prepareFolder(source, host));
      assert.equal(await keepPlugin({ ...prepared, plugin: { ...prepared.plugin, id } }, host), undefined);
    }
    const both = await load({ 'shout@folder': true, 'shout@tools': true });
    assert.deepEqual(
      activePlugins(both).map(({ plugin }) => plugin.id),
      ['shout@folder'],
    );
    await writeFile(recordsFile(home), '{ broken');
    const loaded = await load({});
    assert.match(loaded.problems.join(), /cannot be read, so no plugin that Deft installed is used/);
    assert.match(
      (await keepMarketplace(
        {
          marketplace: { name: 'x', plugins: [], problems: [] },
          source: { kind: 'folder', path: root },
          root,
          staged: false,
        },
        host,
      )) ?? '',
      /cannot be read/,
    );
    assert.equal(await readFile(recordsFile(home), 'utf8'), '{ broken');
  });

  it('a missing or impossible ~/.deft is silent until something is to be installed, and then told', async () => {
    const nothing = { plugins: [], marketplaces: [], missing: [], problems: [] };
    assert.deepEqual(await load({}), nothing);
    await writeFile(path.join(home, '.deft'), 'a file');
    assert.deepEqual(await load({}), nothing);
    const source = await writeFolder(path.join(root, 'shout'), wholePlugin());
    assert.match(JSON.stringify(await prepareFolder(source, host)), /"problem".*cannot be copied: ENOTDIR/);
    const repository = await market(path.join(root, 'repo'), []);
    commitAll(repository);
    assert.match(
      JSON.stringify(await prepareMarketplace(typed(`file://${repository}`), host)),
      /"problem".*cannot be created: ENOTDIR/,
    );
  });

  it('keeps two marketplaces of one name apart, and knows a folder that is one', async () => {
    const [one, two] = [await market(path.join(root, 'one'), []), await market(path.join(root, 'two'), [])];
    assert.deepEqual([await isMarketplaceFolder(one), await isMarketplaceFolder(root)], [true, false]);
    const keep = async (folder: string): Promise<string | undefined> => {
      const prepared = await prepareMarketplace({ kind: 'folder', path: folder }, host);
      return 'problem' in prepared ? assert.fail(prepared.problem) : keepMarketplace(prepared, host);
    };
    assert.equal(await keep(one), undefined);
    assert.match((await keep(two)) ?? '', /Another marketplace is already called tools/);
    assert.equal((await load({})).marketplaces[0]?.root, one);
    assert.equal(await forgetMarketplace('tools', host), undefined);
    assert.ok(await isMarketplaceFolder(one), "a folder of the user's stays");
  });
});
