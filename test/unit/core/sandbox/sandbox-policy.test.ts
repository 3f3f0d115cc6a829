// Settings and permission rules as what commands in the sandbox may do.
import assert from 'node:assert/strict';
import { sandboxPlan, type SandboxPlan } from '../../../../src/core/sandbox/sandbox-policy';
import { sandboxSettings } from '../../../../src/core/sandbox/sandbox-settings';
import { context } from '../permissions/permission-table';

function plan(settings: unknown, rules: string[] = [], folders = ['/ws']): SandboxPlan {
  return sandboxPlan(sandboxSettings(settings), context('default', rules, { folders }));
}

describe('sandboxPlan', () => {
  it('lets the workspace be written, and no host be reached', () => {
    const { policy, unheld } = plan({ enabled: true });
    assert.deepEqual(
      [
        policy.root,
        policy.allowWrite,
        policy.denyRead,
        policy.allowRead,
        policy.allowedDomains,
        policy.deniedDomains,
        unheld,
      ],
      ['/ws', ['/ws'], [], [], [], [], []],
    );
    assert.ok(policy.denyWrite.includes('/ws/.husky'));
  });

  it('protects in every folder what steers tools', () => {
    const { policy } = plan({}, [], ['/ws', '/other']);
    assert.deepEqual(policy.allowWrite, ['/ws', '/other']);
    for (const path of [
      '/other/.git/hooks',
      '/other/.vscode',
      '/other/.claude',
      '/other/.envrc',
      '/ws/.envrc',
      '/ws/.deft/plugins',
      '/ws/.deft/code-cache',
    ])
      assert.ok(policy.denyWrite.includes(path), path);
  });

  it('protects what ties the worktree of an agent to its repository', () => {
    const own = {
      ...context('default', [], { folders: ['/ws/.claude/worktrees/a'] }),
      worktree: '/ws/.claude/worktrees/a',
    };
    assert.ok(sandboxPlan(sandboxSettings({}), own).policy.denyWrite.includes('/ws/.claude/worktrees/a/.git'));
    assert.ok(!plan({}).policy.denyWrite.includes('/ws/.git'), 'a commit of the conversation writes there');
  });

  it('reads paths of settings as rules are written', () => {
    const { policy } = plan({
      filesystem: {
        allowWrite: ['~/.cache', '//var/x', '/abs', './rel/../to'],
        denyRead: ['~'],
        allowRead: ['~/docs'],
        denyWrite: ['gen'],
      },
    });
    assert.deepEqual(policy.allowWrite, ['/ws', '/home/u/.cache', '/var/x', '/abs', '/ws/to']);
    assert.deepEqual([policy.denyRead, policy.allowRead], [['/home/u'], ['/home/u/docs']]);
    assert.ok(policy.denyWrite.includes('/ws/gen'));
  });

  const reads: [string, string[]][] = [
    ['deny Read(//etc/secret)', ['/etc/secret']],
    ['deny Read(~/.ssh/**)', ['/home/u/.ssh']],
    ['deny Read(/config/x) @ /project', ['/project/config/x']],
    ['deny Read(.env)', ['/ws/.env', '/ws/**/.env']],
    ['deny Read(./.env)', ['/ws/.env']],
    ['deny Read(secrets/*.pem)', ['/ws/secrets/*.pem']],
    ['allow Read(~/x)', []],
    ['ask Read(~/x)', []],
    ['deny Grep(~/x)', []],
  ];
  for (const [rule, expected] of reads)
    it(`hides by ${rule}`, () => assert.deepEqual(plan({}, [rule]).policy.denyRead, expected));

  it('holds Edit rules with a plain path, and names those that it cannot hold', () => {
    const { policy, unheld } = plan({}, ['deny Edit(/src/gen) @ /ws', 'deny Edit(*.lock)', 'deny Edit(notes.md)']);
    assert.ok(policy.denyWrite.includes('/ws/src/gen'));
    assert.deepEqual(
      unheld.map(({ value }) => value.ruleContent),
      ['*.lock', 'notes.md'],
    );
  });

  it('lets nothing be written where no edit is allowed at all', () => {
    assert.deepEqual(plan({ filesystem: { allowWrite: ['~/x'] } }, ['deny Edit']).policy.allowWrite, []);
    assert.deepEqual(plan({}, ['deny Read']).policy.allowWrite, []);
  });

  it('takes hosts of WebFetch rules; what the proxy cannot match gives nothing and denies all', () => {
    const { policy } = plan({ network: { allowedDomains: ['a.test'], deniedDomains: ['b.test'] } }, [
      'allow WebFetch(domain:docs.test)',
      'allow WebFetch(domain:*.deep.test)',
      'allow WebFetch(domain:*.test)',
      'allow WebFetch(domain:*)',
      'allow WebFetch',
      'ask WebFetch(domain:asked.test)',
      'deny WebFetch(domain:evil.test)',
    ]);
    assert.deepEqual(
      [policy.allowedDomains, policy.deniedDomains],
      [
        ['a.test', 'docs.test', '*.deep.test'],
        ['b.test', 'evil.test'],
      ],
    );
    assert.deepEqual(plan({}, ['deny WebFetch(domain:x.*.test)']).policy.deniedDomains, ['*']);
  });
});
