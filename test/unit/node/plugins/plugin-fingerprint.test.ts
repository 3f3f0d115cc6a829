// The fingerprint of a plugin that starts something: all of its folder but words, whichever of its files holds the code; bounded, and read in pieces.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPluginParts } from '../../../../src/core/plugins/plugin-parts';
import { readPlugin } from '../../../../src/core/plugins/read-plugin';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { contentHash, lookThrough } from '../../../../src/node/plugins/folder-content';
import { pluginFingerprint } from '../../../../src/node/plugins/plugin-fingerprint';
import { type FolderText, writeFolder } from '../../../support/plugin-folders';

const hook = (command: string): object => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });

describe('the fingerprint of a plugin', function () {
  this.timeout(30_000);
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-fingerprint-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const held = async (folder = root, limits?: Parameters<typeof pluginFingerprint>[2]) => {
    const files = createNodeFileSystem();
    const plugin = await readPlugin({ id: 'p@m', name: 'p', root: folder, data: '/data/p' }, files);
    return pluginFingerprint(plugin, await readPluginParts(plugin, files), limits);
  };
  const print = async (folder = root): Promise<string> => {
    const found = await held(folder);
    return 'problem' in found ? assert.fail(found.problem) : found.fingerprint;
  };

  const plain: FolderText = {
    'dist/hook.js': 'require("./lib")',
    'dist/lib.js': '1',
    'README.md': 'Words',
    'skills/a/SKILL.md': 'A',
  };
  const starting: [title: string, files: FolderText][] = [
    ['a hook', { ...plain, 'hooks/hooks.json': hook('node ${CLAUDE_PLUGIN_ROOT}/dist/hook.js') }],
    [
      'a server',
      {
        ...plain,
        '.mcp.json': { mcpServers: { s: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/dist/hook.js'] } } },
      },
    ],
    [
      'the helper of a remote server',
      {
        ...plain,
        '.mcp.json': {
          mcpServers: {
            s: {
              type: 'http',
              url: 'https://example.invalid',
              headersHelper: 'node ${CLAUDE_PLUGIN_ROOT}/dist/hook.js',
            },
          },
        },
      },
    ],
    ['a program', { ...plain, 'bin/tool': '#!/usr/bin/env node\nrequire("../dist/hook")' }],
    [
      'leave for commands',
      { ...plain, 'skills/b/SKILL.md': '---\ndescription: B\nallowed-tools: Bash(node *)\n---\nB' },
    ],
    ['a command of a skill', { ...plain, 'skills/b/SKILL.md': 'B: !`node ${CLAUDE_PLUGIN_ROOT}/dist/hook.js`' }],
  ];
  for (const [title, files] of starting) {
    it(`is another one where a script behind ${title} changes, and not by words, a version or git`, async () => {
      await writeFolder(root, { ...files, '.claude-plugin/plugin.json': { name: 'p', version: '1.0.0' } });
      const before = await print();
      await writeFolder(root, {
        '.claude-plugin/plugin.json': { name: 'p', version: '1.0.1', description: 'Other' },
        'README.md': 'Other words',
        'docs/new.md': 'New',
        '.git/config': 'x',
      });
      assert.equal(await print(), before);
      await writeFile(path.join(root, 'dist/lib.js'), '2');
      const changed = await print();
      assert.notEqual(changed, before, 'of the same length, a moment later');
      await writeFile(path.join(root, 'dist/more.js'), '');
      assert.notEqual(await print(), changed, 'a new file');
    });
  }

  it('counts the commands of skills, and Markdown where a command names some', async () => {
    await writeFolder(root, { 'skills/a/SKILL.md': 'Now: !`date`' });
    const before = await print();
    await writeFolder(root, { 'skills/a/SKILL.md': 'Now, in other words: !`date`' });
    assert.equal(await print(), before);
    await writeFolder(root, { 'skills/a/SKILL.md': 'Now: !`curl example.invalid`' });
    assert.notEqual(await print(), before);
    await writeFolder(root, { 'skills/a/SKILL.md': 'Now: !`bash ${CLAUDE_PLUGIN_ROOT}/run.md`', 'run.md': 'date' });
    const running = await print();
    await writeFolder(root, { 'run.md': 'other' });
    assert.notEqual(await print(), running);
  });

  it('is empty where nothing runs, and leaves the files be where nothing starts', async () => {
    await writeFolder(root, plain);
    assert.equal(await print(), '');
    await writeFolder(root, { '.mcp.json': { mcpServers: { s: { type: 'http', url: 'https://example.invalid' } } } });
    const before = await print();
    await writeFile(path.join(root, 'dist/lib.js'), '2');
    assert.equal(await print(), before);
  });

  it('is not given where the folder holds too much, or leads to a folder elsewhere', async () => {
    await writeFolder(root, { 'bin/tool': 'x', 'a/b/c/d.js': 'x', 'big.bin': 'x'.repeat(5_000) });
    const limits = { files: 10, bytes: 100_000, depth: 5 };
    assert.ok('fingerprint' in (await held(root, limits)));
    for (const [less, why] of [
      [{ files: 2 }, /more than 2 files/],
      [{ bytes: 1024 }, /more than 0\.\d+ MB/],
      [{ depth: 1 }, /nested more than 1 deep/],
    ] as const) {
      assert.match(JSON.stringify(await held(root, { ...limits, ...less })), why);
    }
    await symlink('a', path.join(root, 'within'));
    assert.ok('fingerprint' in (await held(root, limits)));
    const elsewhere = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-elsewhere-')));
    try {
      await symlink(elsewhere, path.join(root, 'lib'));
      assert.match(JSON.stringify(await held(root, limits)), /lib is a symlink to a folder outside its own/);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('follows a link to a file: what it leads to runs', async () => {
    await mkdir(path.join(root, 'p'));
    await writeFolder(root, { 'p/bin/tool': 'x', 'other.js': '1' });
    await symlink('../other.js', path.join(root, 'p/lib.js'));
    const before = await print(path.join(root, 'p'));
    await writeFile(path.join(root, 'other.js'), '2');
    assert.notEqual(await print(path.join(root, 'p')), before);
  });

  it('is not deceived by a file that has its old size and time again', async () => {
    await writeFolder(root, { 'bin/tool': 'one' });
    const old = new Date('2020-01-01T00:00:00Z');
    await utimes(path.join(root, 'bin/tool'), old, old);
    const before = await print();
    await writeFile(path.join(root, 'bin/tool'), 'two');
    await utimes(path.join(root, 'bin/tool'), old, old);
    assert.notEqual(await print(), before);
  });

  it('is read in pieces: other work goes on between them', async () => {
    await writeFolder(root, { 'big.bin': 'x'.repeat(8 * 1024 * 1024) });
    const look = await lookThrough(root);
    assert.ok('files' in look);
    let turns = 0;
    let over = false;
    const count = (): void => void (!over && (turns++, setImmediate(count)));
    setImmediate(count);
    await contentHash(look, () => true);
    over = true;
    assert.ok(turns >= 16, `${turns} turns of the event loop for 8 MB`);
  });
});
