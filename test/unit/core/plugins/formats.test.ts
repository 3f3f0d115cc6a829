// Tables of the formats of plugins: manifests, marketplaces, sources as users type and files write them, and who may be a source.
import assert from 'node:assert/strict';
import { readFields, readManifest, withEntry } from '../../../../src/core/plugins/manifest';
import { readMarketplace } from '../../../../src/core/plugins/marketplace';
import { sourceRefusal } from '../../../../src/core/plugins/marketplace-policy';
import {
  type FetchSource,
  gitSource,
  parseTypedSource,
  readMarketplaceSource,
  sourceText,
  writtenSource,
} from '../../../../src/core/plugins/marketplace-source';
import { isPluginName, parsePluginId, putPluginFolders } from '../../../../src/core/ports/plugin-identity';
import { switchPlugin } from '../../../../src/core/settings/edit-plugin';

describe('formats of plugins', () => {
  it('a manifest: each field counts or is told, and no wrong one hides another', () => {
    const text = `{
  // Comments are fine.
  "name": "shout", "version": 3, "description": "Loud", "author": "Ann", "skills": ["./more"],
  "agents": { "a": 1 }, "lspServers": {}, "colour": "red", "keywords": ["x"],
}`;
    const { manifest, problems } = readManifest('/p/plugin.json', text);
    assert.deepEqual(manifest, { name: 'shout', description: 'Loud', author: 'Ann', skills: ['./more'] });
    assert.deepEqual(problems, [
      '/p/plugin.json:3:20: `version` has the wrong shape; it is ignored.',
      '/p/plugin.json:4:3: `agents` has the wrong shape; it is ignored.',
      "/p/plugin.json:4:25: language servers of plugins are not used: Deft uses VS Code's.",
      '/p/plugin.json:4:43: `colour` is not a plugin field; it is ignored.',
    ]);
    assert.deepEqual(readManifest('m', '[]').problems, ['m: it must contain an object.']);
    assert.match(
      readManifest('m', '{ "name": ').problems.join(),
      /^m:1:\d+: this is not valid JSON .* are missing until you fix it\.$/,
    );
    for (const name of ['../up', 'a b', '', '-x', 'a@b', 'x'.repeat(65)])
      assert.equal(readFields({ name }).manifest.name, undefined, name);
  });

  it("a marketplace's entry adds to the manifest, or stands alone where it is not strict", () => {
    const own = { name: 'a', version: '1', commands: './own' };
    assert.deepEqual(withEntry(own, { strict: true, manifest: { commands: './theirs', agents: './agents' } }), {
      manifest: { commands: './own', agents: './agents', name: 'a', version: '1' },
    });
    const alone = withEntry(own, { strict: false, manifest: { skills: './s' } });
    assert.deepEqual(alone.manifest, { name: 'a', version: '1', skills: './s' });
    assert.match(alone.problem ?? '', /strict: false.*`commands`/);
  });

  const entry = (source: unknown, more: object = {}): string =>
    JSON.stringify({
      name: 'tools',
      owner: { name: 'Ann' },
      metadata: { description: 'All of them' },
      plugins: [{ name: 'p', source, ...more }],
    });
  const sha = 'a'.repeat(40);

  for (const [title, source, expected] of [
    ['a folder of its own', './plugins/p', { kind: 'inside', path: './plugins/p' }],
    ['itself', './', { kind: 'inside', path: './' }],
    [
      'GitHub',
      { source: 'github', repo: 'o/r', ref: 'v1', sha },
      { kind: 'git', url: 'https://github.com/o/r.git', ref: 'v1', sha },
    ],
    [
      'an address',
      { source: 'url', url: 'https://git.example.org/r.git' },
      { kind: 'git', url: 'https://git.example.org/r.git' },
    ],
    [
      'a folder of a repository',
      { source: 'git-subdir', url: 'o/r', path: 'plugins/p' },
      { kind: 'git', url: 'https://github.com/o/r.git', folder: 'plugins/p' },
    ],
    ['a folder above', './../p', 'points outside the marketplace'],
    ['an absolute folder', '/etc', 'must begin with "./"'],
    ['npm', { source: 'npm', package: 'p' }, 'npm is not supported'],
    ['nothing', undefined, 'has no `source`'],
    ['an unknown kind', { source: 'carrier' }, '"carrier" is unknown'],
    ['a command', { source: 'url', url: 'ext::sh -c whoami' }, 'not a supported git URL'],
    ['plain http', { source: 'url', url: 'http://example.org/r.git' }, 'not a supported git URL'],
    ['an option', { source: 'url', url: '--upload-pack=x' }, 'not a supported git URL'],
    ['an option as a branch', { source: 'github', repo: 'o/r', ref: '--upload-pack=x' }, 'not a branch or tag'],
    ['a password', { source: 'url', url: 'https://ann:secret@example.org/r.git' }, 'A password in the URL'],
    ['half a commit', { source: 'github', repo: 'o/r', sha: 'abc' }, 'not a full commit hash'],
  ] as const) {
    it(`a plugin of a marketplace from ${title}`, () => {
      const read = readMarketplace('m.json', entry(source));
      assert.ok(typeof read === 'object');
      if (typeof expected === 'string') {
        assert.deepEqual(read.plugins, []);
        assert.ok(
          read.problems[0]?.startsWith('m.json: the plugin "p": ') && read.problems[0].includes(expected),
          read.problems[0],
        );
      } else assert.deepEqual([read.plugins[0]?.source, read.problems], [expected, []]);
    });
  }

  it('a marketplace: its facts, plugins named twice, a folder for all, and files that are none', () => {
    const read = readMarketplace(
      'm',
      JSON.stringify({
        name: 'tools',
        owner: { name: 'Ann' },
        metadata: { description: 'All', pluginRoot: './plugins' },
        plugins: [
          { name: 'a', source: 'a', strict: false, skills: './x', version: '2' },
          { name: 'a', source: './b' },
          7,
        ],
      }),
    );
    assert.ok(typeof read === 'object');
    assert.deepEqual([read.owner, read.description], ['Ann', 'All']);
    assert.deepEqual(
      read.plugins.map(({ name, source, strict, version }) => [name, source, strict, version]),
      [['a', { kind: 'inside', path: './plugins/a' }, false, '2']],
    );
    assert.deepEqual(read.problems, [
      'm: the plugin "a" is listed twice; the first one is used.',
      'm: plugin 3: it must be an object.',
    ]);
    assert.match(String(readMarketplace('m', '{"name":"../x","plugins":[]}')), /`name` must be a name/);
    assert.match(String(readMarketplace('m', '{"name":"x"}')), /`plugins` must be a list/);
    assert.match(String(readMarketplace('m', '{')), /this is not valid JSON/);
  });

  for (const [typed, expected] of [
    ['owner/repo', 'https://github.com/owner/repo.git'],
    ['owner/repo@v2', 'https://github.com/owner/repo.git at v2'],
    ['owner/repo#main', 'https://github.com/owner/repo.git at main'],
    ['https://example.org/a/b.git#next', 'https://example.org/a/b.git at next'],
    ['git@example.org:a/b.git', 'git@example.org:a/b.git'],
    ['ssh://git@example.org/a/b', 'ssh://git@example.org/a/b'],
    ['file:///srv/b', 'file:///srv/b'],
    ['~/plugins', '/home/ann/plugins'],
    ['./here', './here'],
    ['/srv/plugins', '/srv/plugins'],
    ['http://example.org/a.git', undefined],
    ['https://example.org/marketplace.json', undefined],
    ['ext::sh -c date', undefined],
    ['-oProxyCommand=x@host:path', undefined],
    ['git@-oProxyCommand=x:path', undefined],
    ['ssh://-oProxyCommand=x/path', undefined],
    ['', undefined],
  ] as const) {
    it(`what a user types: ${JSON.stringify(typed)}`, () => {
      const parsed = parseTypedSource(typed, '/home/ann');
      assert.equal('source' in parsed ? sourceText(parsed.source) : undefined, expected);
      if ('problem' in parsed) assert.match(parsed.problem, /^\S.*\.$/);
    });
  }

  it('a source is written as it is read', () => {
    for (const source of [
      { kind: 'git', url: 'https://github.com/o/r.git', ref: 'main' },
      { kind: 'git', url: 'git@h:o/r.git' },
      { kind: 'folder', path: '/p' },
    ] satisfies FetchSource[]) {
      assert.deepEqual(readMarketplaceSource(writtenSource(source)), { source });
    }
    assert.ok(
      'problem' in readMarketplaceSource({ source: 'npm', package: 'x' }) && 'problem' in readMarketplaceSource('x'),
    );
  });

  const hub = (repo: string, ref?: string): FetchSource => {
    const made = gitSource(`https://github.com/${repo}.git`, { ref });
    return 'source' in made ? made.source : assert.fail(made.problem);
  };
  for (const [title, source, policy, allowed] of [
    ['nothing is said', hub('o/r'), {}, true],
    ['an empty list', hub('o/r'), { strictKnownMarketplaces: [] }, false],
    ['the repository is named', hub('O/r'), { strictKnownMarketplaces: [{ source: 'github', repo: 'o/r' }] }, true],
    ['its owner is named', hub('o/r'), { strictKnownMarketplaces: [{ source: 'github', repo: 'o/*' }] }, true],
    ['another owner', hub('other/r'), { strictKnownMarketplaces: [{ source: 'github', repo: 'o/*' }] }, false],
    [
      'another branch',
      hub('o/r', 'dev'),
      { strictKnownMarketplaces: [{ source: 'github', repo: 'o/r', ref: 'main' }] },
      false,
    ],
    [
      'the host fits',
      { kind: 'git', url: 'git@git.example.org:a/b' },
      { strictKnownMarketplaces: [{ source: 'hostPattern', hostPattern: '^git\\.example\\.org$' }] },
      true,
    ],
    [
      'the folder fits',
      { kind: 'folder', path: '/opt/plugins/a' },
      { strictKnownMarketplaces: [{ source: 'pathPattern', pathPattern: '^/opt/' }] },
      true,
    ],
    [
      'an expression that is none',
      { kind: 'folder', path: '/opt/a' },
      { strictKnownMarketplaces: [{ source: 'pathPattern', pathPattern: '(' }] },
      false,
    ],
    [
      'it is blocked',
      hub('o/r'),
      {
        strictKnownMarketplaces: [{ source: 'github', repo: 'o/r' }],
        blockedMarketplaces: [{ source: 'git', url: 'https://github.com/o/r' }],
      },
      false,
    ],
  ] as [string, FetchSource, Parameters<typeof sourceRefusal>[1], boolean][]) {
    it(`may be a source: ${title}`, () => assert.equal(sourceRefusal(source, policy) === undefined, allowed));
  }

  it('names, ids and folders in texts', () => {
    assert.deepEqual(['a', 'A-b.c_1', '.a', 'a/b', 'a b'].map(isPluginName), [true, true, false, false, false]);
    assert.deepEqual(parsePluginId('a@b'), { name: 'a', marketplace: 'b' });
    assert.deepEqual(['a', 'a@b@c', '../a@b', 'a@'].map(parsePluginId), [undefined, undefined, undefined, undefined]);
    assert.equal(
      putPluginFolders('${CLAUDE_PLUGIN_ROOT}/x ${CLAUDE_PLUGIN_DATA} ${HOME} $CLAUDE_PLUGIN_ROOT', {
        root: '/r$&',
        data: '/d',
      }),
      '/r$&/x /d ${HOME} $CLAUDE_PLUGIN_ROOT',
    );
  });

  for (const [title, before, change, after] of [
    ['into an empty file', '', { id: 'a@b', on: true }, '{\n  "enabledPlugins": {\n    "a@b": true\n  }\n}\n'],
    [
      'beside others, comments kept',
      '{\n  // mine\n  "enabledPlugins": {\n    "x@y": true\n  }\n}\n',
      { id: 'a@b', on: false },
      '{\n  // mine\n  "enabledPlugins": {\n    "x@y": true,\n    "a@b": false\n  }\n}\n',
    ],
    [
      'out of it',
      '{\n  "enabledPlugins": {\n    "a@b": true,\n    "c@d": true\n  }\n}\n',
      { id: 'a@b', on: undefined },
      '{\n  "enabledPlugins": {\n    "c@d": true\n  }\n}\n',
    ],
  ] as const) {
    it(`a switch goes ${title}`, () => {
      const edit = switchPlugin(before, change);
      assert.equal(edit.outcome === 'changed' ? edit.text : edit.outcome, after);
    });
  }

  it('a switch leaves a file alone that it does not understand', () => {
    for (const text of ['{"enabledPlugins":[]}', '{"enabledPlugins":{},"enabledPlugins":{}}', '{ broken'])
      assert.equal(switchPlugin(text, { id: 'a@b', on: true }).outcome, 'refused', text);
    assert.equal(switchPlugin('{"enabledPlugins":{"a@b":true}}', { id: 'a@b', on: true }).outcome, 'same');
    const shared = switchPlugin('{}', {
      id: 'a@b',
      on: true,
      marketplace: { name: 'b', source: { source: 'github', repo: 'o/r' } },
    });
    assert.deepEqual(shared.outcome === 'changed' && JSON.parse(shared.text), {
      enabledPlugins: { 'a@b': true },
      extraKnownMarketplaces: { b: { source: { source: 'github', repo: 'o/r' } } },
    });
  });
});
