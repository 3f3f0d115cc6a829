// The built runner with as many plugins as people have: all of it is there, and what is not used is named with the reason.
import assert from 'node:assert/strict';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { writeFolder } from '../../support/plugin-folders';
import { writePluginSet } from '../../support/plugin-set';

describe('a public set of plugins', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('is loaded whole, and each file that is passed over is named', async () => {
    const set = await writePluginSet(place.home);
    const [first = '', second = ''] = set.folders;
    await writeFolder(first, {
      // Agents put in the place of skills, and an agent that no one can call.
      'skills/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nYou review.\n',
      'agents/nameless.md': 'You have no name.\n',
      'workflows/release.yml': 'steps: []\n',
      'monitors/monitors.json': [],
      'settings.json': {},
    });
    await writeFolder(second, {
      '.claude-plugin/plugin.json': {
        name: 'plugin-1',
        version: '1.0.0',
        lspServers: {},
        userConfig: {},
        dependencies: ['x'],
        settings: {},
        monitors: [],
        workflows: './workflows',
      },
    });
    server.setScript([reply('Hi.')]);
    const end = await place.run(
      ['-p', 'Go', '--output-format', 'stream-json', '--settings', JSON.stringify({ enabledPlugins: set.enabled })],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    const [init] = jsonLines(end.stdout);
    const named = (field: string, pattern: RegExp): number =>
      (init?.[field] as string[]).filter((name) => pattern.test(name)).length;
    assert.equal((init?.['plugins'] as unknown[]).length, set.counts.plugins);
    assert.equal(named('skills', /^plugin-\d+:skill-\d+$/), set.counts.skills);
    assert.equal(named('agents', /^plugin-\d+:agent-\d+$/), set.counts.agents);
    assert.equal(named('slash_commands', /^plugin-\d+:do-\d+$/), set.counts.plugins / 2);
    for (const file of [
      'skills/reviewer.md',
      'agents/nameless.md',
      'workflows',
      'monitors/monitors.json',
      'settings.json',
    ])
      assert.match(end.stderr, new RegExp(`^deft: ${path.join(first, file)}: \\S+ .+\\.$`, 'm'), file);
    for (const field of ['language servers', '`userConfig`', 'its dependencies', 'settings', 'monitors', 'workflows'])
      assert.ok(
        end.stderr
          .split('\n')
          .some((line) => line.includes(path.join(second, '.claude-plugin')) && line.includes(field)),
        `${field}\n${end.stderr.slice(0, 3_000)}`,
      );
    assert.equal(end.stderr.match(/\.lsp\.json: /g)?.length, 9);
  });
});
