// Writing permission updates into settings files: what changes in the text, and what is never touched.
import assert from 'node:assert/strict';
import { readSettingsFile } from '../../../../src/core/settings/settings-file';
import { editSettings } from '../../../../src/core/settings/edit-settings';
import { saveUpdate } from '../../../../src/core/settings/save-update';
import { type PermissionUpdate } from '../../../../src/shared/permission';
import { createMemoryFiles } from '../../../support/memory-files';

const bash = (ruleContent: string) => ({ toolName: 'Bash', ruleContent });
const add = (...contents: string[]): PermissionUpdate => ({
  type: 'addRules',
  behavior: 'allow',
  rules: contents.map(bash),
  destination: 'localSettings',
});
const remove = (...contents: string[]): PermissionUpdate =>
  ({ ...add(...contents), type: 'removeRules' }) as PermissionUpdate;
const replace = (...contents: string[]): PermissionUpdate =>
  ({ ...add(...contents), type: 'replaceRules' }) as PermissionUpdate;
const folders = (type: 'addDirectories' | 'removeDirectories', ...directories: string[]): PermissionUpdate => ({
  type,
  directories,
  destination: 'localSettings',
});

describe('an edit of a settings file', () => {
  const table: [title: string, before: string, update: PermissionUpdate, after: string][] = [
    [
      'an empty file',
      '',
      add('npm test'),
      '{\n  "permissions": {\n    "allow": [\n      "Bash(npm test)"\n    ]\n  }\n}\n',
    ],
    [
      'a file with other keys',
      '{\n  "model": "x"\n}\n',
      add('a'),
      '{\n  "model": "x",\n  "permissions": {\n    "allow": [\n      "Bash(a)"\n    ]\n  }\n}\n',
    ],
    [
      'comments, order and trailing commas',
      '{\n  // mine\n  "permissions": {\n    "deny": ["Read(.env)"], /* never */\n    "allow": [\n      "Bash(a)", // often\n    ],\n  },\n}\n',
      add('b'),
      '{\n  // mine\n  "permissions": {\n    "deny": ["Read(.env)"], /* never */\n    "allow": [\n      "Bash(a)",\n      "Bash(b)", // often\n    ],\n  },\n}\n',
    ],
    [
      'tabs and Windows line endings',
      '{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Bash(a)"\r\n\t\t]\r\n\t}\r\n}\r\n',
      add('b'),
      '{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Bash(a)",\r\n\t\t\t"Bash(b)"\r\n\t\t]\r\n\t}\r\n}\r\n',
    ],
    [
      'a byte order mark',
      '\ufeff{}',
      add('a'),
      '\ufeff{\n  "permissions": {\n    "allow": [\n      "Bash(a)"\n    ]\n  }\n}',
    ],
    [
      'only what is missing',
      '{"permissions":{"allow":["Bash(a)"]}}',
      add('a', 'b'),
      '{\n  "permissions": {\n    "allow": [\n      "Bash(a)",\n      "Bash(b)"\n    ]\n  }\n}',
    ],
    [
      'several at once, in order',
      '{"permissions":{"allow":[]}}',
      add('a', 'b', 'a'),
      '{\n  "permissions": {\n    "allow": [\n      "Bash(a)",\n      "Bash(b)"\n    ]\n  }\n}',
    ],
    [
      'rules taken out',
      '{\n  "permissions": {\n    "allow": [\n      "Bash(a)",\n      "Bash(b)",\n      "Bash(c)"\n    ]\n  }\n}\n',
      remove('a', 'c'),
      '{\n  "permissions": {\n    "allow": [\n      "Bash(b)"\n    ]\n  }\n}\n',
    ],
    [
      'an older name of the same tool',
      '{"permissions":{"allow":["bash(a)"]}}',
      remove('a'),
      '{\n  "permissions": {\n    "allow": []\n  }\n}',
    ],
    [
      'rules replaced',
      '{"permissions":{"allow":["Bash(a)"]}}',
      replace('b'),
      '{"permissions":{"allow":[\n      "Bash(b)"\n    ]}}',
    ],
    [
      'a folder',
      '{"permissions":{"additionalDirectories":["/a"]}}',
      folders('addDirectories', '/a', '/b'),
      '{\n  "permissions": {\n    "additionalDirectories": [\n      "/a",\n      "/b"\n    ]\n  }\n}',
    ],
    [
      'a folder taken out',
      '{"permissions":{"additionalDirectories":["/a","/b"]}}',
      folders('removeDirectories', '/a'),
      '{\n  "permissions": {\n    "additionalDirectories": [\n      "/b"\n    ]\n  }\n}',
    ],
    [
      'the mode',
      '{"permissions":{"defaultMode":"plan"}}',
      { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
      '{"permissions":{"defaultMode":"acceptEdits"}}',
    ],
  ];
  for (const [title, before, update, after] of table) {
    it(`writes ${title}`, () => {
      const edit = editSettings(before, update);
      assert.equal(edit.outcome === 'changed' ? edit.text : edit.outcome, after);
      assert.deepEqual(editSettings(after, update), { outcome: 'same' }, 'and nothing twice');
      assert.equal(
        readSettingsFile({ file: 'f', source: 'userSettings', root: '/', home: '/', text: after }).broken,
        false,
      );
    });
  }

  const refusals: [string, string][] = [
    ['{"permissions": {"allow": ["Bash(a)"', 'it is not valid JSON'],
    ['[]', 'it is not valid JSON'],
    ['{"permissions": []}', 'its `permissions` is not an object'],
    ['{"permissions": {"allow": "Bash"}}', 'its `permissions.allow` is not a list'],
    ['{"permissions": {}, "permissions": {}}', 'it has `permissions` twice'],
    ['{"permissions": {"allow": [], "allow": []}}', 'it has `permissions.allow` twice'],
  ];
  for (const [before, message] of refusals)
    it(`refuses: ${message}: ${before}`, () =>
      assert.deepEqual(editSettings(before, add('a')), { outcome: 'refused', message }));

  it('nothing to take out of an empty file', () =>
    assert.deepEqual(editSettings('', remove('a')), { outcome: 'same' }));
});

describe('saving an update', () => {
  const file = '/ws/.claude/settings.local.json';
  const target = { file, inside: '/ws' };

  it('makes the file and its folder, and keeps encoding and mark', async () => {
    const files = createMemoryFiles({ '/ws/a': '' });
    assert.deepEqual(await saveUpdate(add('a'), target, files), { saved: true });
    assert.deepEqual(JSON.parse(files.text(file) ?? ''), { permissions: { allow: ['Bash(a)'] } });
    files.put(file, '\ufeff{}');
    await saveUpdate(add('b'), target, files);
    assert.match(files.text(file) ?? '', /^\ufeff\{\s*"permissions"/);
  });

  it('writes nothing where the file says so already', async () => {
    const files = createMemoryFiles({ [file]: '{"permissions":{"allow":["Bash(a)"]}}' });
    assert.deepEqual(await saveUpdate(add('a'), target, files), { saved: true });
    assert.deepEqual(
      files.calls.filter((call) => call.startsWith('write')),
      [],
    );
  });

  it('adds to what another program wrote meanwhile', async () => {
    const files = createMemoryFiles({ [file]: '{"permissions":{"allow":["Bash(a)"]}}' });
    files.beforeWrite(() => files.put(file, '{"permissions":{"allow":["Bash(x)"]}}'));
    assert.deepEqual(await saveUpdate(add('b'), target, files), { saved: true });
    assert.deepEqual(JSON.parse(files.text(file) ?? ''), { permissions: { allow: ['Bash(x)', 'Bash(b)'] } });
  });

  it('never touches a file that does not parse', async () => {
    const broken = '{"permissions": {"deny": ["Read(.env)"]';
    const files = createMemoryFiles({ [file]: broken });
    assert.deepEqual(await saveUpdate(add('a'), target, files), {
      saved: false,
      message: `${file} was not changed: it is not valid JSON.`,
    });
    assert.equal(files.text(file), broken);
  });

  it('goes through no link that leads out of the project', async () => {
    for (const link of ['/ws/.claude', file]) {
      const files = createMemoryFiles({
        [link]: { link: link === file ? '/home/u/.bashrc' : '/home/u' },
        '/home/u/.bashrc': '',
        '/home/u/settings.local.json': '{}',
      });
      const before = files.all();
      const outcome = await saveUpdate(add('a'), target, files);
      assert.match(outcome.saved ? 'saved' : outcome.message, /points outside the project, to \/home\/u\//, link);
      assert.deepEqual(files.all(), before);
    }
    const own = createMemoryFiles({
      '/home/u/.claude/settings.json': { link: '/home/u/dotfiles/settings.json' },
      '/home/u/dotfiles/settings.json': '{}',
    });
    assert.deepEqual(
      await saveUpdate(add('a'), { file: '/home/u/.claude/settings.json' }, own),
      { saved: true },
      "the user's own file may be a link",
    );
    assert.match(own.text('/home/u/dotfiles/settings.json') ?? '', /Bash\(a\)/);
  });

  it('says what the disk refuses', async () => {
    const files = createMemoryFiles({ [file]: '{}' });
    files.refuse(file, 'readonly');
    const outcome = await saveUpdate(add('a'), target, files);
    assert.ok(!outcome.saved && outcome.message !== '');
    files.refuseReading(file, 'permission');
    const unread = await saveUpdate(add('a'), target, files);
    assert.match(unread.saved ? '' : unread.message, /Nothing was saved\.$/);
  });
});
