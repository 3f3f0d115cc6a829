// What an organization locks in the sandbox, by source, and the notes about keys that Deft does not read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { sandboxPlan } from '../../../../src/core/sandbox/sandbox-policy';
import { sandboxSettings } from '../../../../src/core/sandbox/sandbox-settings';
import { keyNoteLines } from '../../../../src/core/settings/key-notes';
import { keyAliases, unusedKeys } from '../../../../src/core/settings/known-keys';
import { loadSettings, type LoadedSettings } from '../../../../src/core/settings/load-settings';
import { settingsKeys } from '../../../../src/core/settings/settings-keys';
import { acceptedLocksKey, stopKeys, stopSentence } from '../../../../src/core/settings/start-stops';
import { type RuleSource } from '../../../../src/shared/permission';
import { context } from '../permissions/permission-table';

function load(files: Partial<Record<RuleSource, unknown>>): LoadedSettings {
  return loadSettings(
    Object.entries(files).map(([source, value]) => ({
      source: source as RuleSource,
      file: `/${source}.json`,
      root: '/',
      home: '/h',
      text: JSON.stringify(value, null, 1),
    })),
    { trusted: true, projectSetsMode: false },
  );
}

const wide = {
  permissions: { allow: ['WebFetch(domain:own.test)'], deny: ['WebFetch(domain:bad.test)'] },
  sandbox: {
    filesystem: { allowRead: ['/own'], denyRead: ['/secret'] },
    network: { allowedDomains: ['own.test'], deniedDomains: ['worse.test'] },
  },
};

describe("an organization's locks on the sandbox", () => {
  const planOf = (files: Partial<Record<RuleSource, unknown>>) => {
    const { values, rules } = load(files);
    return sandboxPlan(sandboxSettings(values.sandbox), { ...context('default'), rules }).policy;
  };
  const managed = (locks: { network?: unknown; filesystem?: unknown }) => ({
    permissions: { allow: ['WebFetch(domain:rule.test)'] },
    sandbox: {
      network: { allowedDomains: ['firm.test'], allowManagedDomainsOnly: locks.network },
      filesystem: { allowRead: ['/firm'], allowManagedReadPathsOnly: locks.filesystem },
    },
  });

  for (const source of ['userSettings', 'projectSettings', 'localSettings', 'commandLine'] as const) {
    it(`leave what ${source} forbids, and take what it allows`, () => {
      for (const lock of [true, 'a mistake']) {
        const policy = planOf({ managedSettings: managed({ network: lock, filesystem: lock }), [source]: wide });
        assert.deepEqual(policy.allowedDomains, ['firm.test', 'rule.test']);
        assert.deepEqual(policy.allowRead, ['/firm']);
        assert.deepEqual(policy.deniedDomains, ['worse.test', 'bad.test']);
        assert.deepEqual(policy.denyRead, ['/secret']);
      }
    });

    it(`are no locks in ${source}, and none where they are false`, () => {
      const locked = { ...wide, sandbox: managed({ network: true, filesystem: true }).sandbox };
      const policy = planOf({ managedSettings: managed({ network: false }), [source]: locked, userSettings: wide });
      assert.ok(policy.allowedDomains.includes('own.test') && policy.allowRead.includes('/own'));
    });
  }

  it('name the file that requires one: the first that has a say', () => {
    const requires = (failIfUnavailable: boolean) => ({ sandbox: { enabled: true, failIfUnavailable } });
    assert.equal(load({ userSettings: requires(true) }).sandboxRequiredBy, '/userSettings.json');
    const both = load({ userSettings: requires(true), managedSettings: requires(false) });
    assert.equal(sandboxSettings(both.values.sandbox).required, false);
  });
});

describe('locks that stop the start', () => {
  it('do not concern who signs in to a cloud where they are about accounts', () => {
    const { stops } = load({ managedSettings: { forceLoginMethod: 'claudeai', policyHelper: {} } });
    assert.match(stopSentence(stops, false) ?? '', /`forceLoginMethod` in .*`policyHelper` in /);
    assert.doesNotMatch(stopSentence(stops, true) ?? '', /forceLoginMethod/);
    assert.equal(stopSentence(load({ managedSettings: { forceLoginMethod: 'claudeai' } }).stops, true), undefined);
  });
});

describe('what switches hooks off', () => {
  const statusLine = { type: 'command', command: 'x' };

  for (const [name, files, command] of [
    ['a lock', { managedSettings: { allowManagedHooksOnly: true }, userSettings: { statusLine } }, undefined],
    ['the user', { userSettings: { statusLine, disableAllHooks: true } }, undefined],
    ['nobody', { userSettings: { statusLine } }, 'x'],
    ['an organization', { managedSettings: { disableAllHooks: true, statusLine } }, undefined],
    [
      'the user, not the organization',
      { managedSettings: { statusLine }, userSettings: { disableAllHooks: true } },
      'x',
    ],
    ['a project, for its own', { projectSettings: { disableAllHooks: true }, userSettings: { statusLine } }, 'x'],
  ] as const)
    it(`switches the status line off too: ${name}`, () =>
      assert.equal(load(files).values.statusLine?.command, command));
});

describe('notes about keys', () => {
  const lines = (files: Partial<Record<RuleSource, unknown>>): string[] => keyNoteLines(load(files).notes);

  it('name an unknown key with its line, and what is near or elsewhere', () => {
    assert.deepEqual(
      lines({ userSettings: { model: 'opus', permissions: { alow: [] }, defaultMode: 'plan', zzz: 1 } }),
      [
        '/userSettings.json, line 4: Deft does not know the key `permissions.alow`. Did you mean `permissions.allow`?',
        '/userSettings.json, line 6: Deft does not know the key `defaultMode`. Did you mean `permissions.defaultMode`?',
        '/userSettings.json, line 7: Deft does not know the key `zzz`.',
      ],
    );
  });

  it('list what has no effect once a file', () => {
    assert.deepEqual(lines({ userSettings: { theme: 'x', sandbox: { ripgrep: {} } }, managedSettings: { tui: 1 } }), [
      '/managedSettings.json: `tui` has no effect in Deft.',
      '/userSettings.json: `theme`, `sandbox.ripgrep` have no effect in Deft.',
    ]);
  });

  it('say of a lock whether it holds, and of a key in the wrong file that it does not', () => {
    const [holds, misplaced, own] = lines({
      managedSettings: { allowManagedHooksOnly: true, disableSideloadFlags: false },
      projectSettings: { allowManagedHooksOnly: true, apiKeyHelper: 'x' },
    });
    assert.match(holds ?? '', /managedSettings\.json, line 2: Your organization sets `allowManagedHooksOnly`/);
    assert.match(misplaced ?? '', /`allowManagedHooksOnly` has no effect here/);
    assert.match(own ?? '', /`apiKeyHelper` has no effect in a project's file/);
  });

  it('say nothing of keys that Deft reads, by whichever of their names', () => {
    assert.deepEqual(
      lines({
        userSettings: { $schema: 'x', env: {}, hooks: {}, additionalMarketplaces: {}, sandbox: { enabled: true } },
      }),
      [],
    );
    const { values } = load({
      managedSettings: { allowedMarketplaces: [] },
      userSettings: { additionalMarketplaces: { a: 1 } },
    });
    assert.deepEqual([values.strictKnownMarketplaces, values.extraKnownMarketplaces], [[], { a: 1 }]);
  });
});

describe('docs/settings.md', () => {
  const text = readFileSync('docs/settings.md', 'utf8');
  const names = [
    ...stopKeys,
    acceptedLocksKey,
    ...Object.keys(keyAliases),
    ...Object.entries(settingsKeys).flatMap(([name, { by }]) => (by === 'managed' ? [name] : [])),
    ...Object.entries(unusedKeys).flatMap(([parent, keys]) =>
      keys.map((key) => (parent === '' ? key : `${parent}.${key}`)),
    ),
  ];
  it(`names all ${names.length} keys that lock, and those that have no effect`, () => {
    assert.ok(names.length > 100);
    assert.deepEqual(
      names.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});
