// What of the checkout means what in a worktree, however the workspace and its rules name it.
import assert from 'node:assert/strict';
import {
  inWorktree,
  viewWorktree,
  worktreeFolders,
  worktreeRules,
  type WorktreeView,
} from '../../../../src/core/subagents/worktree-view';
import { type PermissionRule } from '../../../../src/shared/permission';

const place = '/real/proj/.claude/worktrees/a';
const links: [named: string, real: string][] = [
  ['/link', '/real'],
  ['/deep', '/real/proj/src/deep'],
];
const realPath = async (path: string): Promise<string> =>
  links.reduce(
    (one, [named, real]) => (one === named || one.startsWith(`${named}/`) ? real + one.slice(named.length) : one),
    path,
  );
const view = (said: string[], ignoreCase = false): Promise<WorktreeView> =>
  viewWorktree({ path: place, checkout: '/real/proj' }, said, { realPath, ignoreCase });
const deny = (ruleContent: string, root: string): PermissionRule => ({
  behavior: 'deny',
  value: { toolName: 'Read', ruleContent },
  source: 'projectSettings',
  root,
});

describe('worktree view', () => {
  it('takes folders that the workspace names by a link for those of the checkout', async () => {
    assert.deepEqual(worktreeFolders(['/link/proj', '/link/other'], await view(['/link/proj'])), [place]);
    assert.deepEqual(
      worktreeFolders(['/link/proj/sub'], await view(['/link/proj/sub'])),
      [`${place}/sub`],
      'not the whole repository',
    );
    assert.deepEqual(worktreeFolders(['/deep'], await view(['/deep'])), [`${place}/src/deep`]);
    assert.deepEqual(worktreeFolders(['/elsewhere'], await view(['/elsewhere'])), []);
    assert.equal(inWorktree('/link/proj/.claude/worktrees/a/x', await view(['/link/proj'])), `${place}/x`);
  });

  it('compares as the file system does', async () => {
    assert.deepEqual(worktreeFolders(['/REAL/Proj/sub'], await view([], true)), [`${place}/sub`]);
    assert.deepEqual(worktreeFolders(['/REAL/Proj/sub'], await view([])), []);
  });

  const rules: [what: string, rule: PermissionRule, said: string[], expected: PermissionRule][] = [
    ['anchored at the link', deny('/secrets/**', '/link/proj'), ['/link/proj'], deny('/secrets/**', place)],
    [
      'anchored above the folder that is open',
      deny('/secrets/**', '/link/proj'),
      ['/link/proj/sub'],
      deny('/secrets/**', place),
    ],
    ['anchored below by a link', deny('./key', '/deep'), ['/deep'], deny('./key', `${place}/src/deep`)],
    [
      'anchored above the checkout',
      deny('/proj/secrets/**', '/link'),
      ['/link/proj'],
      deny(`/${place}/secrets/**`, '/link'),
    ],
    ['absolute, by the link', deny('//link/proj/secrets/**', '/x'), ['/link/proj'], deny(`/${place}/secrets/**`, '/x')],
    [
      'absolute, by its own name',
      deny('//real/proj/secrets/**', '/x'),
      ['/link/proj'],
      deny(`/${place}/secrets/**`, '/x'),
    ],
    ['from home', deny('~/proj/secrets/**', '/x'), ['/link/proj'], deny(`/${place}/secrets/**`, '/x')],
  ];
  for (const [what, rule, said, expected] of rules) {
    it(`mirrors a rule ${what}`, async () =>
      assert.deepEqual(worktreeRules([rule], await view(said), '/link'), [rule, expected]));
  }

  it('mirrors absolute rules of a drive', async () => {
    const windows = await viewWorktree(
      { path: 'C:/Work/proj/.claude/worktrees/a', checkout: 'C:/Work/proj' },
      ['c:/work/proj'],
      { realPath: async (path) => path, ignoreCase: true },
    );
    assert.deepEqual(worktreeRules([deny('//c/work/proj/secrets/**', 'C:/x')], windows, 'C:/home').slice(1), [
      deny('//c/Work/proj/.claude/worktrees/a/secrets/**', 'C:/x'),
    ]);
    assert.deepEqual(worktreeRules([deny('/secrets/**', 'c:/work/proj')], windows, 'C:/home').slice(1), [
      deny('/secrets/**', 'C:/Work/proj/.claude/worktrees/a'),
    ]);
  });

  it('adds nothing for what does not speak of the checkout, and keeps one list for the same rules', async () => {
    const own = await view(['/link/proj']);
    const given = [deny('/secrets/**', '/elsewhere'), deny('//etc/**', '/link/proj'), deny('secrets', '/link/proj')];
    assert.deepEqual(worktreeRules(given, own, '/home'), given);
    assert.equal(worktreeRules(given, own, '/home'), worktreeRules(given, own, '/home'));
  });
});
