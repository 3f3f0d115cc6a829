// What a plugin is, compared again when something of it is used: hooks, skills, servers and programs do not run once it has changed.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runHandler } from '../../../../src/core/hooks/run-handler';
import { type PluginFeed, pluginFeed, searchedFolders } from '../../../../src/core/plugins/plugin-feed';
import { type PluginCheck } from '../../../../src/core/ports/plugin-identity';
import { readMcpConfig } from '../../../../src/core/mcp/read-config';
import { createSkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { findSkill, type SkillList } from '../../../../src/core/skills/skill';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { agreeTo, keepPlugin, prepareFolder } from '../../../../src/node/plugins/install-plugin';
import { activePlugins, loadPlugins, type PluginState } from '../../../../src/node/plugins/load-plugins';
import { createPluginCheck } from '../../../../src/node/plugins/plugin-check';
import { oddServer } from '../../../support/mcp/run-servers';
import { wholePlugin, writeFolder } from '../../../support/plugin-folders';

describe('a plugin that is used', function () {
  this.timeout(60_000);
  const files = createNodeFileSystem();
  let root: string;
  let home: string;
  let active: PluginState[];
  let feed: PluginFeed;
  let check: PluginCheck;
  /** How often it was said to have changed, and how many of its texts were read. */
  let changes: number;
  let reads: number;

  const load = async (): Promise<void> => {
    active = activePlugins(
      await loadPlugins({
        home,
        personalFolder: path.join(home, '.claude'),
        files,
        settings: { enabledPlugins: { 'shout@folder': true } },
        workspace: [],
      }),
    );
    feed = pluginFeed(active, (plugin) => check(plugin));
  };
  const one = (): PluginState => active[0] ?? assert.fail('no plugin');
  const at = (name: string): string => path.join(one().plugin.root, name);

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-check-')));
    home = path.join(root, 'home');
    await mkdir(home);
    const source = await writeFolder(path.join(root, 'shout'), {
      ...wholePlugin({ odd: oddServer('plain') }),
      'note.sh': '#!/bin/bash\nsource "$(dirname "$0")/lib/words.sh"\n',
      'lib/words.sh': 'echo first\n',
    });
    const host = { home, files, environment: process.env };
    const prepared = await prepareFolder(source, host);
    assert.ok('plugin' in prepared, JSON.stringify(prepared));
    assert.equal(await keepPlugin(prepared, host), undefined);
    [changes, reads] = [0, 0];
    const counted = {
      ...files,
      readText: (...args: Parameters<typeof files.readText>) => (reads++, files.readText(...args)),
    };
    check = createPluginCheck({ files: counted, active: () => active, changed: () => void changes++ });
    await load();
    assert.equal(one().agreed, true);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const hook = async (): Promise<string> => {
    const entry = feed.hooks[0] ?? assert.fail('no hook');
    const services = {
      hooks: () => ({ active: feed.hooks, refuses: async () => entry.plugin && check(entry.plugin) }),
      handlers: createNodeHookHandlers({ environment: async () => process.env }),
      askModel: () => assert.fail(),
      variables: () => ({}),
    };
    const result = await runHandler(
      entry,
      { ...services, input: JSON.stringify({ cwd: root }), environmentFile: undefined, onLine: () => undefined },
      new AbortController().signal,
    );
    return result.kind === 'ended' ? result.stdout.trim() : 'message' in result ? result.message : result.kind;
  };
  const skills = (): Promise<SkillList> =>
    createSkillCatalogue({
      files,
      folders: () => [],
      workspace: () => [],
      trusted: () => true,
      plugins: async () => feed.skills,
    }).list();

  it('runs its hook as long as it is what was agreed to; a script that its script loads stops it, and the user is to be asked anew', async () => {
    assert.equal(await hook(), 'first');
    await writeFile(at('README.md'), 'More words');
    assert.deepEqual([await hook(), changes], ['first', 0]);
    await writeFile(at('lib/words.sh'), 'echo other\n');
    assert.match(await hook(), /^The plugin shout@folder has changed since you agreed to what it runs\. Type \/plugin/);
    assert.equal(changes, 1);
    await load();
    assert.deepEqual([one().agreed, feed.hooks.length], [false, 0]);
    await agreeTo('shout@folder', one().fingerprint, { home });
    await load();
    assert.equal(await hook(), 'other');
  });

  it('a skill neither allows nor hooks nor runs what was written into it later; its words stay', async () => {
    const before = findSkill(await skills(), 'shout:loud') ?? assert.fail();
    assert.deepEqual([before.allowedTools.length, before.commandsWait], [1, undefined]);
    await writeFile(
      at('commands/whisper.md'),
      '---\nallowed-tools: Bash(*)\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: date\n---\nWhisper !`date`\n',
    );
    const list = await skills();
    const whisper = findSkill(list, 'shout:whisper') ?? assert.fail();
    assert.deepEqual([whisper.allowedTools, whisper.hooks, whisper.commandsWait], [[], undefined, true]);
    assert.deepEqual(findSkill(list, 'shout:loud')?.allowedTools, [], 'nor does another part of it');
    assert.match(list.problems.map(({ message }) => message).join(), /has changed since you agreed/);
    assert.ok(changes > 0);
  });

  it('a skill whose command alone was changed does not run it', async () => {
    await writeFile(
      at('skills/loud/SKILL.md'),
      (await readFile(at('skills/loud/SKILL.md'), 'utf8')).replace('shout-it hello', 'shout-it other'),
    );
    assert.equal(findSkill(await skills(), 'shout:loud')?.commandsWait, true);
  });

  it('a server is neither started nor asked', async () => {
    const { entries } = readMcpConfig(feed.servers, process.env);
    const servers = createMcpServers({
      configuration: async () => ({ entries, problems: [] }),
      standing: () => ({ kind: 'allowed' }),
      times: { connectMs: 20_000, callMs: 20_000, silentMs: 20_000, retryMs: 1_000 },
      projectFolder: root,
      folders: () => [],
      environment: async () => process.env,
      version: '1',
      refuses: async ({ plugin }) => plugin && check(plugin),
    });
    try {
      const { signal } = new AbortController();
      await servers.settled(20_000, signal);
      const call = async (): Promise<string> =>
        JSON.stringify(await servers.callTool('plugin:shout:odd', 'ping', {}, { signal, onProgress: () => undefined }));
      assert.match(await call(), /pong/);
      await writeFile(at('lib/words.sh'), 'echo other\n');
      assert.match(await call(), /was not asked\. The plugin shout@folder has changed/);
      await servers.reconnect('plugin:shout:odd');
      await servers.settled(20_000, signal);
      assert.match(JSON.stringify(servers.list()[0]?.state), /"failed".*has changed since you agreed/);
    } finally {
      await servers.dispose();
    }
  });

  it('its programs are not found by commands', async () => {
    assert.deepEqual(await searchedFolders(feed, check), [at('bin')]);
    await writeFile(at('bin/shout-it'), '#!/bin/bash\necho other\n');
    assert.deepEqual(await searchedFolders(feed, check), []);
  });

  it('is only looked at, not read, while sizes and times stay; a version that is gone is not used', async () => {
    const { plugin } = one();
    // Longer ago than any clock is coarse, as after a day.
    const later = Date.now() + 60_000;
    const now = Date.now;
    Date.now = () => later;
    try {
      assert.equal(await check(plugin), undefined);
      const once = reads;
      assert.ok(once > 0);
      assert.deepEqual([await check(plugin), await check(plugin), reads], [undefined, undefined, once]);
      await utimes(at('note.sh'), new Date(), new Date());
      assert.deepEqual([await check(plugin), reads > once], [undefined, true], 'touched, and the same');
      await writeFile(at('note.sh'), 'echo other\n');
      assert.match((await check(plugin)) ?? '', /has changed/);
    } finally {
      Date.now = now;
    }
    assert.match(
      (await check({ id: plugin.id, root: '/elsewhere' })) ?? '',
      /is no longer on, or another version of it is/,
    );
  });
});
