// Where a command runs: inside, outside by the ordinary rules, or outside by the user's permission.
import assert from 'node:assert/strict';
import { type CommandSandbox, type SandboxAvailability } from '../../../../src/core/ports/command-sandbox';
import {
  createToolSandbox,
  openSandbox,
  requiredSandbox,
  sandboxLimits,
} from '../../../../src/core/sandbox/tool-sandbox';
import { context } from '../permissions/permission-table';

const port = (found: SandboxAvailability): CommandSandbox => ({
  available: async () => found,
  wrap: async (command) => ({ text: `inside ${command}`, refused: async () => [], ended: async () => undefined }),
  close: async () => undefined,
});

async function open(value: unknown, rules: string[] = [], found: SandboxAvailability = { ok: true }) {
  const opened = await openSandbox(port(found), value);
  assert.ok(opened !== undefined);
  return createToolSandbox(opened, () => context('default', rules));
}

describe('openSandbox', () => {
  it('is undefined where nobody asks for one, and nothing is tried', async () => {
    const untried = { ...port({ ok: true }), available: () => assert.fail('tried') };
    for (const value of [undefined, {}, { enabled: false, excludedCommands: ['x'] }])
      assert.equal(await openSandbox(untried, value), undefined);
  });

  const missing: [string, CommandSandbox | undefined, unknown, RegExp][] = [
    ['that cannot start', port({ ok: false, reason: 'No bubblewrap.' }), { enabled: true }, /^No bubblewrap\.$/],
    ['where the host has none', undefined, { enabled: true }, /this kind of workspace/],
    [
      'whose settings cannot be read',
      port({ ok: true }),
      { enabled: true, filesystem: { denyRead: 'x' } },
      /^`sandbox.filesystem.denyRead` must be/,
    ],
    ['of which not even that can be read', port({ ok: true }), { enabled: 'yes' }, /^`sandbox.enabled` must be/],
  ];
  for (const [name, given, value, reason] of missing) {
    it(`says why there is none: one ${name}`, async () => {
      const opened = await openSandbox(given, value);
      assert.match(opened?.unavailable ?? '', reason);
      assert.deepEqual(sandboxLimits(opened), {});
      const sandbox = createToolSandbox(opened ?? assert.fail(), () => context('default'));
      assert.deepEqual(
        [sandbox.placeOf('npm test', false), sandbox.placeOf('npm test', true), sandbox.autoAllows()],
        ['outside', 'outside', false],
      );
      const reports: string[] = [];
      for (let time = 0; time < 2; time++) sandbox.reportIfMissing((text) => reports.push(text));
      assert.deepEqual(reports, [opened?.unavailable]);
    });
  }
});

describe('a sandbox that is required', () => {
  const reason = 'No bubblewrap.';

  it('stops the start where it is missing, and no command runs outside in its place', async () => {
    for (const failIfUnavailable of [true, 'yes']) {
      const opened = await openSandbox(port({ ok: false, reason }), { enabled: true, failIfUnavailable });
      assert.match(requiredSandbox(opened, '/etc/x.json') ?? '', /`sandbox\.failIfUnavailable` in \/etc\/x\.json/);
      const sandbox = createToolSandbox(opened ?? assert.fail(), () => context('default'));
      assert.deepEqual(
        [sandbox.placeOf('npm test', false), sandbox.placeOf('npm test', true), sandbox.autoAllows()],
        ['inside', 'inside', false],
      );
      sandbox.reportIfMissing(() => assert.fail('nothing runs without it'));
      await assert.rejects(
        sandbox.wrap('npm test', new AbortController().signal),
        new RegExp(failIfUnavailable === true ? reason : 'must be true or false'),
      );
    }
  });

  it('stops nothing where it is there, where none is switched on, and where it is not required', async () => {
    const there = await openSandbox(port({ ok: true }), { enabled: true, failIfUnavailable: true });
    const off = await openSandbox(port({ ok: false, reason }), { enabled: false, failIfUnavailable: true });
    const wished = await openSandbox(port({ ok: false, reason }), { enabled: true, failIfUnavailable: false });
    for (const opened of [there, off, wished]) assert.equal(requiredSandbox(opened, undefined), undefined);
  });
});

describe("a command's place", () => {
  it('is inside, and outside only by leave', async () => {
    const sandbox = await open({ enabled: true });
    assert.deepEqual([sandbox.placeOf('npm test', false), sandbox.placeOf('npm test', true)], ['inside', 'left']);
    sandbox.reportIfMissing(() => assert.fail('nothing is missing'));
  });

  it('stays inside where nothing may leave', async () => {
    const sandbox = await open({ enabled: true, allowUnsandboxedCommands: false });
    assert.equal(sandbox.placeOf('npm test', true), 'inside');
  });

  const excluded: [string, string][] = [
    ['docker', 'outside'],
    ['docker ps -a', 'outside'],
    ['cd sub && docker ps', 'outside'],
    ['docker ps | docker rm', 'outside'],
    ['npm run watch:css', 'outside'],
    ['npm run test', 'inside'],
    ['docker ps && curl evil.test', 'inside'],
    ['docker ps; evil', 'inside'],
    ['dockerx', 'inside'],
    ['echo docker', 'inside'],
    ['docker $(evil)', 'inside'],
    ['cd sub', 'inside'],
    ['', 'inside'],
  ];
  for (const [command, expected] of excluded) {
    it(`of \`${command}\` is ${expected}`, async () => {
      const sandbox = await open({ enabled: true, excludedCommands: ['docker', 'npm run watch*'] });
      assert.equal(sandbox.placeOf(command, false), expected);
    });
  }

  it('makes nothing run unasked where the user does not want it, or a rule cannot be held', async () => {
    assert.equal((await open({ enabled: true })).autoAllows(), true);
    assert.equal((await open({ enabled: true, autoAllowBashIfSandboxed: false })).autoAllows(), false);
    assert.equal((await open({ enabled: true }, ['deny Edit(*.lock)'])).autoAllows(), false);
    assert.equal((await open({ enabled: true }, ['deny Edit(/gen)'])).autoAllows(), true);
  });
});
