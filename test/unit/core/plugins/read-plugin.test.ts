// What of a plugin's folder counts: usual folders, what a manifest names, and nothing that leads out of it.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { pluginFeed } from '../../../../src/core/plugins/plugin-feed';
import { readPluginParts } from '../../../../src/core/plugins/plugin-parts';
import { readPlugin } from '../../../../src/core/plugins/read-plugin';
import { countedParts, describePlugin } from '../../../../src/core/plugins/describe-plugins';
import { readMcpConfig } from '../../../../src/core/mcp/read-config';
import { createSkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { loadAgents } from '../../../../src/core/subagents/load-agents';
import { createMemoryFiles, type MemoryEntry } from '../../../support/memory-files';

const still = async (): Promise<undefined> => undefined;
const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nDo it.\n`;
const agent = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does it\n${more}---\nYou work in \${CLAUDE_PLUGIN_ROOT}.\n`;
const hooks = (command: string): string =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });

async function read(
  entries: Record<string, MemoryEntry>,
  manifest: object | string | undefined = { name: 'p' },
  more: { root?: string; strict?: boolean; entry?: object } = {},
) {
  const root = more.root ?? '/plugins/p';
  const text = typeof manifest === 'object' ? JSON.stringify(manifest) : manifest;
  const files = createMemoryFiles({
    ...Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name.startsWith('/') ? name : `${root}/${name}`, entry]),
    ),
    ...defined({ [`${root}/.claude-plugin/plugin.json`]: text }),
  });
  const entry = more.entry === undefined ? {} : { entry: { strict: more.strict ?? true, manifest: more.entry } };
  const plugin = await readPlugin({ id: 'p@m', name: 'p', root, data: '/data/p', ...entry }, files);
  return {
    plugin,
    files,
    faults: plugin.faults.map(({ file, message }) => `${file.replace(`${root}/`, '')}: ${message}`),
  };
}

describe('the folder of a plugin', () => {
  it('brings what lies in the usual folders, with or without a manifest', async () => {
    const entries = {
      'skills/a/SKILL.md': skill('a'),
      'commands/b.md': 'B',
      'commands/deep/c.md': 'C',
      'agents/d.md': agent('d'),
      'hooks/hooks.json': hooks('date'),
      '.mcp.json': '{"mcpServers":{"s":{"command":"x"}}}',
      'bin/tool': '#!/bin/sh',
      'output-styles/o.md': 'O',
    };
    for (const manifest of [{ name: 'p' }, undefined]) {
      const { plugin, faults } = await read(entries, manifest);
      assert.deepEqual(
        plugin.skills.map(({ name, kind, within = '' }) => [name, kind, within]),
        [
          ['a', 'skill', ''],
          ['b', 'command', ''],
          ['c', 'command', 'deep'],
        ],
      );
      assert.deepEqual(
        [plugin.agents, plugin.hooks.length, plugin.servers.length, plugin.bin, plugin.outputStyles, faults],
        [
          ['/plugins/p/agents'],
          1,
          1,
          { folder: '/plugins/p/bin', programs: ['tool'] },
          ['/plugins/p/output-styles'],
          [],
        ],
      );
    }
  });

  it('brings what its manifest names: skills beside the usual ones, commands and agents in their place, hooks and servers on top', async () => {
    const { plugin, faults } = await read(
      {
        'skills/a/SKILL.md': skill('a'),
        'more/b/SKILL.md': skill('b'),
        'one/SKILL.md': skill('one'),
        'commands/gone.md': 'x',
        'cmd/c.md': 'C',
        'single.md': 'S',
        'agents/gone.md': agent('gone'),
        'people/d.md': agent('d'),
        'hooks/hooks.json': hooks('date'),
        'other-hooks.json': hooks('"${CLAUDE_PLUGIN_ROOT}/x"'),
        '.mcp.json': '{"s":{"command":"first"}}',
        'servers.json': '{"mcpServers":{"t":{"command":"t"}}}',
      },
      {
        name: 'p',
        skills: ['./more', './one'],
        commands: { say: { source: './single.md' }, all: { source: './cmd' }, inline: { content: 'x' } },
        agents: ['./people/d.md'],
        hooks: ['./other-hooks.json', { Stop: [{ hooks: [{ type: 'command', command: 'inline' }] }] }],
        mcpServers: ['./servers.json', { s: { command: 'last' } }],
      },
    );
    assert.deepEqual(
      plugin.skills.map(({ name }) => name),
      ['a', 'b', 'one', 'say', 'c'],
    );
    assert.deepEqual(plugin.agents, ['/plugins/p/people/d.md']);
    assert.deepEqual(
      plugin.hooks.map(({ handler }) => handler.type === 'command' && handler.command),
      ['date', '"/plugins/p/x"', 'inline'],
    );
    const { entries } = readMcpConfig(plugin.servers, {});
    assert.deepEqual(
      entries.map(({ name, config }) => [name, config.type === 'stdio' && config.command]),
      [
        ['plugin:p:s', 'last'],
        ['plugin:p:t', 't'],
      ],
    );
    assert.deepEqual(faults, [
      '.claude-plugin/plugin.json: `commands.inline` names no file in `source`, so it is ignored.',
    ]);
  });

  it('is one skill itself where it holds one and no folder of them', async () => {
    const { plugin } = await read({ 'SKILL.md': skill('whole') });
    assert.deepEqual(
      plugin.skills.map(({ name, folder }) => [name, folder]),
      [['p', '/plugins/p']],
    );
  });

  for (const [title, entries, manifest, fault] of [
    ['a path above', {}, { skills: '../other' }, /`skills`: "\.\.\/other" is not a path within the plugin/],
    ['an absolute path', {}, { commands: '/etc/passwd' }, /is not a path within the plugin/],
    ['the home', {}, { hooks: '~/hooks.json' }, /is not a path within the plugin/],
    ['a path that hides its way', {}, { agents: './a/../../x' }, /is not a path within the plugin/],
    ['nothing there', {}, { agents: './none' }, /"\.\/none" does not exist/],
    [
      'a link that leads out',
      { '/etc/secret.md': agent('x'), 'a.md': { link: '/etc/secret.md' } },
      { agents: './a.md' },
      /points outside the plugin's folder, to \/etc\/secret\.md/,
    ],
    [
      'hooks that are linked',
      { '/etc/hooks.json': hooks('evil'), 'hooks/hooks.json': { link: '/etc/hooks.json' } },
      {},
      /hooks\/hooks\.json: It is not read: it points outside/,
    ],
    [
      'servers that are linked',
      { '/etc/mcp.json': '{"mcpServers":{"x":{"command":"evil"}}}', '.mcp.json': { link: '/etc/mcp.json' } },
      {},
      /\.mcp\.json: It is not read: it points outside/,
    ],
    ['hooks that are no JSON', { 'hooks/hooks.json': '{' }, {}, /hooks\/hooks\.json: It is not valid JSON/],
    [
      'an event that is none',
      { 'hooks/hooks.json': '{"hooks":{\n"Never":[]}}' },
      {},
      /hooks\.json: line 2: `Never` is not a hook event/,
    ],
    ['servers that are no JSON', { '.mcp.json': '{' }, {}, /\.mcp\.json: line 1: this is not valid JSON/],
    ['packed servers', {}, { mcpServers: './x.mcpb' }, /packed servers/],
    ['language servers', { '.lsp.json': '{}' }, {}, /\.lsp\.json: Language servers of plugins are not used/],
  ] as const) {
    it(`leaves out and tells: ${title}`, async () => {
      const { plugin, faults } = await read(entries, { name: 'p', ...manifest });
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', fault);
      assert.deepEqual([plugin.skills, plugin.agents, plugin.hooks], [[], [], []]);
      assert.deepEqual(readMcpConfig(plugin.servers, {}).entries, []);
    });
  }

  it('runs no line of a shell from a folder whose name a shell would read', async () => {
    const { plugin, faults } = await read(
      {
        'hooks/hooks.json': JSON.stringify({
          hooks: {
            Stop: [
              {
                hooks: [
                  { type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/x' },
                  { type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/x', args: [] },
                ],
              },
            ],
          },
        }),
      },
      { name: 'p' },
      { root: '/plugins/$(date)' },
    );
    assert.deepEqual(
      plugin.hooks.map(({ handler }) => handler),
      [{ type: 'command', command: '/plugins/$(date)/x', args: [] }],
    );
    assert.match(faults.join(), /Its commands do not run/);
  });

  it('gives each part its name; what nobody has agreed to allows and runs nothing', async () => {
    const { plugin, files } = await read({
      'skills/a/SKILL.md': skill(
        'a',
        'allowed-tools: Bash(ls *)\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${CLAUDE_PLUGIN_ROOT}/s\n',
      ),
      '/home/secret.md': 'x',
      'skills/b/SKILL.md': { link: '/home/secret.md' },
      'commands/a.md': 'A',
      'commands/deep/c.md': 'C',
      'agents/team/d.md': agent('d', 'permissionMode: acceptEdits\n'),
      'hooks/hooks.json': hooks('date'),
      '.mcp.json':
        '{"mcpServers":{"s":{"command":"${CLAUDE_PLUGIN_ROOT}/s","args":["${HOME_OF}"],"env":{"A":"${CLAUDE_PLUGIN_DATA}"}}}}',
      'bin/tool': 'x',
      'output-styles/o.md': 'O',
    });
    const skills = async (agreed: boolean) =>
      (
        await createSkillCatalogue({
          files,
          folders: () => [],
          workspace: () => [],
          trusted: () => true,
          plugins: async () => pluginFeed([{ plugin, agreed }], still).skills,
        }).list()
      ).skills.filter(({ source }) => source === 'plugin');
    const [allowing, silent] = [await skills(true), await skills(false)];
    assert.deepEqual(
      allowing.map(({ name }) => name),
      ['p:a', 'p:deep:c'],
    );
    assert.deepEqual(
      [allowing[0]?.allowedTools, allowing[0]?.hooks?.entries[0]?.handler],
      [['Bash(ls *)'], { type: 'command', command: '/plugins/p/s' }],
    );
    assert.deepEqual([silent[0]?.allowedTools, silent[0]?.hooks], [[], undefined]);
    const none = pluginFeed([{ plugin, agreed: false }], still);
    assert.deepEqual([none.hooks, none.servers, none.path], [[], [], []]);
    const feed = pluginFeed([{ plugin, agreed: true }], still);
    for (const { styles } of [none, feed])
      assert.deepEqual(styles, [{ plugin, places: ['/plugins/p/output-styles'] }], 'words need no consent');
    assert.deepEqual(
      feed.path.map(({ folder }) => folder),
      ['/plugins/p/bin'],
    );
    const [server] = readMcpConfig(feed.servers, {}).entries;
    assert.deepEqual(
      [server?.name, server?.config],
      [
        'plugin:p:s',
        {
          type: 'stdio',
          command: '/plugins/p/s',
          args: ['${HOME_OF}'],
          env: {
            PYTHONDONTWRITEBYTECODE: '1',
            CLAUDE_PLUGIN_ROOT: '/plugins/p',
            CLAUDE_PLUGIN_DATA: '/data/p',
            A: '/data/p',
          },
        },
      ],
    );
    const { agents, problems } = await loadAgents({ files, places: feed.agents, trusted: false });
    const own = agents.find(({ source }) => source === 'plugin');
    assert.deepEqual([own?.name, own?.prompt, own?.permissionMode], ['p:team:d', 'You work in /plugins/p.', undefined]);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ["`permissionMode` of a plugin's agent is ignored."],
    );
  });

  it('says on a page what it brings and what of it runs, and none of its words becomes markup', async () => {
    const { plugin, files } = await read(
      {
        'skills/a/SKILL.md': skill('"[click](command:evil)"', 'allowed-tools: Read\n'),
        'hooks/hooks.json': hooks('echo `id`'),
        'bin/tool': 'x',
        '.mcp.json': '{"mcpServers":{"s":{"command":"node","args":["s.js"]}}}',
      },
      { name: 'p', description: '# Big\u202e', version: '1', author: 'Ann' },
    );
    const parts = await readPluginParts(plugin, files);
    assert.deepEqual(parts.runs, [
      'Hook at Stop: echo `id`',
      'MCP server plugin:p:s: node s.js',
      'Program for commands: tool',
      'The skill p:a allows in its turn: Read',
    ]);
    const page = describePlugin({ plugin, parts, from: '/src', state: 'Not installed yet', leftOut: ['link'] });
    assert.match(page, /^# p\n\n\\# Big\\\\u\{202e\}\n/);
    assert.ok(
      page.includes('- `` Hook at Stop: echo `id` ``') &&
        page.includes('\\[click\\](command:evil)') &&
        page.includes('- `link`'),
      page,
    );
  });

  it('counts output styles, and calls agents and files as the user does', async () => {
    const { plugin, files } = await read({
      'output-styles/pirate.md': 'Say arr.\n',
      'agents/deploy.md': agent('deploy'),
    });
    const parts = await readPluginParts(plugin, files);
    assert.equal(countedParts({ plugin, parts }), '1 agent, output styles');
    const page = describePlugin({ plugin, parts, from: '/src', state: 'On' });
    assert.ok(page.includes('- `p:deploy`') && page.includes('- `output-styles`'), page);
    const single = await read({ 'one.md': 'One.\n' }, { name: 'p', outputStyles: './one.md' });
    assert.equal(
      countedParts({ plugin: single.plugin, parts: await readPluginParts(single.plugin, single.files) }),
      '1 output style',
    );
  });
});
