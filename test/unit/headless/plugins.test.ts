// Plugins in the built runner: one of --plugin-dir runs whole; one that settings enable runs only what the user has agreed to.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadPlugins } from '../../../src/node/plugins/load-plugins';
import { agreeTo, keepPlugin, prepareFolder } from '../../../src/node/plugins/install-plugin';
import { dataFolder } from '../../../src/node/plugins/plugin-records';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { oddServer } from '../../support/mcp/run-servers';
import { wholePlugin, writeFolder } from '../../support/plugin-folders';

describe('headless plugins', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const json = ['--output-format', 'stream-json'];
  const sent = (): string => JSON.stringify(server.requests.map(({ body }) => body));

  it('of --plugin-dir bring a skill, a command, an agent, a hook, a server and a program', async () => {
    const root = await writeFolder(
      path.join(path.dirname(place.workspace), 'shout'),
      wholePlugin({ odd: oddServer('plain') }),
    );
    server.setScript([
      reply(
        toolUse('ToolSearch', { query: '+ping' }, 's1'),
        toolUse('Agent', { description: 'Cry', prompt: 'Cry it', subagent_type: 'shout:crier' }, 'a1'),
      ),
      reply('I cry.'),
      reply(toolUse('mcp__plugin_shout_odd__ping', {}, 'p1')),
      reply('Done.'),
    ]);
    const end = await place.run(
      ['-p', '/shout:loud twice', ...json, '--plugin-dir', root, '--allowedTools', 'mcp__plugin_shout_odd'],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    const init = jsonLines(end.stdout).find(({ subtype }) => subtype === 'init');
    assert.deepEqual(init?.['mcp_servers'], [{ name: 'plugin:shout:odd', status: 'connected' }]);
    assert.deepEqual(
      (init?.['slash_commands'] as string[]).filter((name) => name.startsWith('shout')),
      ['shout:loud', 'shout:whisper'],
    );
    const first = JSON.stringify(server.requests[0]?.body['messages']);
    assert.ok(first.includes(`Shout twice from ${root}: HELLO!`), first);
    assert.match(first, /The hook of the plugin ran\./);
    assert.match(first, /- shout:loud: Says a word loudly/);
    assert.ok(sent().includes(`You are the crier of ${root}.`), 'the agent got its prompt');
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /pong/);
    assert.equal(await readFile(path.join(dataFolder(place.home, 'shout@inline'), 'notes.txt'), 'utf8'), 'noted\n');
  });

  it('run nothing until the user has agreed, and again once what they run has changed', async () => {
    const source = await writeFolder(path.join(path.dirname(place.workspace), 'shout'), wholePlugin());
    const host = { home: place.home, files: createNodeFileSystem(), environment: process.env };
    const prepared = await prepareFolder(source, host);
    assert.ok('plugin' in prepared, JSON.stringify(prepared));
    assert.equal(await keepPlugin(prepared, host), undefined);
    await writeFolder(place.home, { '.claude/settings.json': { enabledPlugins: { 'shout@folder': true } } });
    const ran = async (): Promise<{ hook: boolean; listed: boolean; warned: boolean }> => {
      const before = server.requests.length;
      server.setScript([reply('Hi.')]);
      const end = await place.run(['-p', 'Go'], { url: server.url });
      assert.equal(end.code, 0, end.stderr);
      const request = JSON.stringify(server.requests.slice(before)[0]?.body);
      return {
        hook: request.includes('The hook of the plugin ran.'),
        listed: request.includes('- shout:loud'),
        warned: end.stderr.includes('runs nothing here: you have not agreed'),
      };
    };
    assert.deepEqual(await ran(), { hook: true, listed: true, warned: false });
    const load = () =>
      loadPlugins({
        home: place.home,
        personalFolder: path.join(place.home, '.claude'),
        files: createNodeFileSystem(),
        settings: { enabledPlugins: { 'shout@folder': true } },
        workspace: [],
      });
    const [installed] = (await load()).plugins;
    assert.ok(installed);
    await writeFile(
      path.join(installed.plugin.root, 'note.sh'),
      '#!/bin/bash\necho "The hook of the plugin ran."; echo other\n',
    );
    assert.deepEqual(await ran(), { hook: false, listed: true, warned: true }, 'a script that it names has changed');
    const [changed] = (await load()).plugins;
    await agreeTo('shout@folder', changed?.fingerprint ?? '', host);
    assert.deepEqual(await ran(), { hook: true, listed: true, warned: false });
  });

  it('that settings forbid, or that are broken, are told and hold nothing up', async () => {
    const root = await writeFolder(path.join(place.workspace, 'bad'), {
      '.claude-plugin/plugin.json': '{ "name": ',
      'skills/fine/SKILL.md': 'Fine.',
    });
    server.setScript([reply('Hi.')]);
    const empty = await writeFolder(path.join(place.workspace, 'empty'), { 'inner/skills/x/SKILL.md': 'X.' });
    const market = await writeFolder(path.join(place.workspace, 'market'), { '.claude-plugin/marketplace.json': '{}' });
    const end = await place.run(
      ['-p', 'Go', ...[root, 'nowhere', empty, market].flatMap((one) => ['--plugin-dir', one])],
      { url: server.url },
    );
    assert.ok(end.stderr.includes(`--plugin-dir: ${empty} contains nothing that a plugin can supply`), end.stderr);
    assert.ok(
      end.stderr.includes(`--plugin-dir: ${market} is a marketplace. Name the folder of one plugin in it.`),
      end.stderr,
    );
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stderr, /plugin\.json: .*not valid JSON/);
    assert.match(end.stderr, /--plugin-dir: .*nowhere/);
    assert.match(sent(), /- bad:fine: Fine\./);
  });
});
