// The settings as the agent sees them: where each value comes from, and which it may set.
import assert from 'node:assert/strict';
import { createConfiguration, type Manifest } from '../../../../src/vscode/agent/configuration-port';
import { type PermissionRule } from '../../../../src/shared/permission';
import { shownManifest } from '../../../support/shown-manifest';

const manifest = shownManifest<Manifest>();
type Values = Partial<Record<'defaultValue' | 'globalValue' | 'workspaceValue' | 'workspaceFolderValue', unknown>>;

describe('configuration port', () => {
  function make(values: Record<string, Values> = {}, rules: PermissionRule[] = []) {
    const updates: unknown[][] = [];
    const settings = {
      inspect: <T>(key: string) => ({ key: `deft.${key}`, ...values[key] }) as { key: string } & Record<string, T>,
      update: async (...update: unknown[]) => {
        if (update[1] === 'refuse') throw new Error('Read-only.');
        updates.push(update);
      },
    };
    const configuration = createConfiguration(
      manifest,
      () => settings as never,
      () => rules,
    );
    const of = (key: string) => {
      const entry = configuration.list().find((one) => one.key === key);
      return [entry?.value, entry?.source];
    };
    return { configuration, updates, of };
  }

  const sources: [string, string, Values, unknown[]][] = [
    ['nobody has set', 'effort', { defaultValue: 'default' }, ['default', 'default']],
    ['the user has set', 'effort', { defaultValue: 'default', globalValue: 'low' }, ['low', 'user']],
    ['the workspace has set', 'effort', { globalValue: 'low', workspaceValue: 'high' }, ['high', 'workspace']],
    [
      'a folder has set',
      'effort',
      { workspaceValue: 'high', workspaceFolderValue: 'max' },
      ['max', 'workspace folder'],
    ],
    [
      'a workspace may not set',
      'baseUrl',
      { globalValue: 'https://mine', workspaceValue: 'https://theirs' },
      ['https://mine', 'user'],
    ],
    [
      'a workspace may not set either',
      'sessions.directory',
      { defaultValue: '~/s', workspaceValue: '/tmp' },
      ['~/s', 'default'],
    ],
    ['may hold credentials', 'terminal.env', { globalValue: { TOKEN: 'secret' } }, [['TOKEN'], 'user']],
  ];
  for (const [name, key, values, expected] of sources)
    it(`reads what ${name}`, () => assert.deepEqual(make({ [key]: values }).of(key), expected));

  it('lists every setting of the manifest with what it is for', () => {
    const keys = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace('deft.', ''));
    const listed = make().configuration.list();
    assert.deepEqual(
      listed.map(({ key }) => key),
      [...keys, 'permissions.allow', 'permissions.ask', 'permissions.deny'],
    );
    assert.deepEqual(
      listed.filter(({ description }) => description === ''),
      [],
    );
  });

  it('names the file of each permission rule', () => {
    const rule = (behavior: PermissionRule['behavior'], toolName: string): PermissionRule => ({
      behavior,
      value: { toolName, ruleContent: 'x *' },
      source: 'projectSettings',
      root: '/w',
      file: '/w/.claude/settings.json',
    });
    const { of } = make({}, [rule('allow', 'Bash'), rule('deny', 'Read')]);
    assert.deepEqual(of('permissions.allow'), [['`Bash(x *)` (/w/.claude/settings.json)'], 'settings files']);
    assert.deepEqual(of('permissions.deny')[0], ['`Read(x *)` (/w/.claude/settings.json)']);
    assert.deepEqual(of('permissions.ask')[0], []);
  });

  it('lets the agent set harmless settings alone, each of which there is', () => {
    const writable = make()
      .configuration.list()
      .filter((entry) => entry.writable)
      .map(({ key }) => key);
    assert.deepEqual(writable.sort(), [
      'autosave',
      'chat.location',
      'chat.sendWith',
      'diagnostics.delay',
      'effort',
      'log.level',
      'model',
      'notificationSound',
      'notifications',
      'review.reveal',
    ]);
  });

  it('writes into the user settings', async () => {
    const { configuration, updates } = make();
    await configuration.set('effort', 'high');
    assert.deepEqual(updates, [['effort', 'high', true]]);
  });

  for (const key of [
    'baseUrl',
    'provider',
    'allowBypassPermissions',
    'initialPermissionMode',
    'terminal.env',
    'terminal.strategy',
    'sessions.directory',
    'permissions.allow',
    'editor.fontSize',
    '__proto__',
  ]) {
    it(`never sets ${key}`, async () => {
      const { configuration, updates } = make();
      await assert.rejects(configuration.set(key, 'x'), { code: 'not-writable' });
      assert.deepEqual(updates, []);
    });
  }

  it('tells why VS Code refused', async () => {
    await assert.rejects(make().configuration.set('model', 'refuse'), {
      code: 'settings-refused',
      message: 'Read-only.',
    });
  });
});
