// The `sandbox` object of settings files: defaults, every key, and what is wrong with it.
import assert from 'node:assert/strict';
import { sandboxSettings } from '../../../../src/core/sandbox/sandbox-settings';

describe('sandboxSettings', () => {
  it('is off where nothing is said, and would allow by itself', () => {
    const settings = sandboxSettings(undefined);
    assert.deepEqual(
      [settings.enabled, settings.autoAllow, settings.allowsUnsandboxed, settings.problems],
      [false, true, true, []],
    );
  });

  it('takes every key, and passes over those that it does not know', () => {
    const settings = sandboxSettings({
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: false,
      allowUnsandboxedCommands: false,
      excludedCommands: ['docker'],
      filesystem: {
        allowWrite: ['~/.cache'],
        denyWrite: ['dist'],
        denyRead: ['~/.ssh'],
        allowRead: ['~/.ssh/known_hosts'],
      },
      network: {
        allowedDomains: ['*.npmjs.org'],
        deniedDomains: ['evil.test'],
        allowUnixSockets: ['/run/x'],
        allowAllUnixSockets: true,
        allowLocalBinding: true,
        allowManagedDomainsOnly: true,
        httpProxyPort: 1,
      },
      credentials: { files: [{ path: '~/.netrc', mode: 'mask' }] },
      enableWeakerNestedSandbox: true,
      somethingNew: 1,
    });
    assert.deepEqual(settings, {
      enabled: true,
      required: true,
      autoAllow: false,
      allowsUnsandboxed: false,
      excludedCommands: ['docker'],
      filesystem: {
        allowWrite: ['~/.cache'],
        denyWrite: ['dist'],
        denyRead: ['~/.ssh'],
        allowRead: ['~/.ssh/known_hosts'],
      },
      network: {
        allowedDomains: ['*.npmjs.org'],
        deniedDomains: ['evil.test'],
        allowUnixSockets: ['/run/x'],
        allowAllUnixSockets: true,
        allowLocalBinding: true,
        managedOnly: true,
      },
      credentials: { files: [{ path: '~/.netrc', mode: 'mask' }] },
      weakerNested: true,
      problems: [],
    });
  });

  const wrong: [string, unknown, string][] = [
    ['a list', [], '`sandbox` must be an object.'],
    ['a word for a flag', { enabled: 'yes' }, '`sandbox.enabled` must be true or false.'],
    [
      'a word for a list',
      { excludedCommands: 'docker' },
      '`sandbox.excludedCommands` must be a list of non-empty strings.',
    ],
    [
      'a number in a list',
      { filesystem: { denyRead: ['a', 1] } },
      '`sandbox.filesystem.denyRead` must be a list of non-empty strings.',
    ],
    ['a list for a group', { network: [] }, '`sandbox.network` must be an object.'],
    ['credentials that are none', { credentials: true }, '`sandbox.credentials` must be an object.'],
  ];
  for (const [name, value, problem] of wrong)
    it(`names ${name}`, () => assert.deepEqual(sandboxSettings(value).problems, [problem]));

  it('keeps the other keys of an object with a wrong one', () => {
    const { enabled, filesystem, problems } = sandboxSettings({
      enabled: true,
      autoAllowBashIfSandboxed: 1,
      filesystem: { denyRead: ['x'] },
    });
    assert.deepEqual([enabled, filesystem.denyRead, problems.length], [true, ['x'], 1]);
  });
});
