// A session in a worktree: what its log says of it, and what it sees and may do there.
import assert from 'node:assert/strict';
import {
  createLeftWorktreeSource,
  createWorktreeSource,
  environmentInTree,
  leftWorktree,
  loggedWorktree,
  permissionInTree,
} from '../../../../src/core/worktrees/session-worktree';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { viewWorktree } from '../../../../src/core/subagents/worktree-view';
import { recordOf } from '../../../../src/core/sessions/session-codec';
import { type PermissionRule } from '../../../../src/shared/permission';

const worktree = { path: '/d/trees/p-1/fix', checkout: '/w/p', branch: 'fix', base: 'c'.repeat(40) };
const view = () => viewWorktree(worktree, ['/w/p'], { realPath: async (path: string) => path, ignoreCase: false });
const record = (fields: Record<string, unknown>): SessionRecord =>
  recordOf({
    type: 'system',
    subtype: 'session_worktree',
    uuid: 'u',
    parentUuid: null,
    timestamp: '2026-11-28T00:00:00.000Z',
    sessionId: 's',
    cwd: worktree.path,
    version: '1',
    ...fields,
  });
const environment = { cwd: '/w/p/sub', folders: ['/w/p', '/w/other'], platform: 'linux', shell: 'bash', date: 'd' };
const rule = (behavior: PermissionRule['behavior'], ruleContent: string): PermissionRule => ({
  behavior,
  value: { toolName: 'Edit', ruleContent },
  source: 'projectSettings',
  root: '/w/p',
});

describe('a session in a worktree', () => {
  it('is known by its log, and only by a whole record', () => {
    assert.deepEqual(loggedWorktree([record({ worktree })]), worktree);
    assert.equal(loggedWorktree([]), undefined);
    assert.equal(loggedWorktree([record({ worktree: { path: '/' } })]), undefined);
    assert.equal(loggedWorktree([record({ worktree }), record({})]), undefined);
  });

  it('sees the folders of the tree in place of those of the checkout, and no others', async () => {
    const there = await environmentInTree(environment, await view(), async () => true);
    assert.deepEqual(there.folders, [worktree.path]);
    assert.equal(there.cwd, `${worktree.path}/sub`);
    assert.equal(there.gitBranch, 'fix');
    const older = await environmentInTree(environment, await view(), async (path) => path === worktree.path);
    assert.equal(older.cwd, worktree.path, 'the commit that it began at has no such folder');
  });

  it('moves what is allowed in the checkout, and copies what is forbidden', async () => {
    const rules = [rule('allow', '/src/**'), rule('deny', '/secrets/**'), rule('allow', 'src/**')];
    const context = { rules, folders: ['/w/p', '/w/other'], home: '/home/me' };
    const seen = permissionInTree(context, await view(), [worktree.path]);
    assert.deepEqual(seen.folders, [worktree.path]);
    assert.equal(seen.worktree, worktree.path);
    assert.deepEqual(
      seen.rules.map(({ behavior, root, value }) => [behavior, root, value.ruleContent]),
      [
        ['allow', worktree.path, '/src/**'],
        ['deny', '/w/p', '/secrets/**'],
        ['deny', worktree.path, '/secrets/**'],
        ['allow', '/w/p', 'src/**'],
      ],
    );
    const again = permissionInTree(context, await view(), [worktree.path]);
    const one = await view();
    assert.equal(
      permissionInTree(context, one, []).rules,
      permissionInTree(context, one, []).rules,
      'the same list as long as the rules are the same',
    );
    assert.deepEqual(again.rules, seen.rules);
  });

  it('goes on in the workspace in a copy when the tree is gone, and says so to the model', async () => {
    let ids = 0;
    const records = [record({ worktree })];
    const copied = [...records, ...leftWorktree(records, '/w/p', () => `n${++ids}`)];
    assert.equal(loggedWorktree(copied), undefined);
    const setting = copied.at(-1);
    assert.ok(setting?.type === 'system' && setting.subtype === 'setting' && setting.value === '/w/p');
    const [note] = (await createLeftWorktreeSource(copied, '/w/p')?.present(new AbortController().signal)) ?? [];
    assert.match(String(note?.text), /worktree \/d\/trees\/p-1\/fix \(branch fix\).*is gone.*You work in \/w\/p now/);
    assert.equal(createLeftWorktreeSource(records, '/w/p'), undefined);
    assert.deepEqual(
      leftWorktree([], '/w/p', () => 'x'),
      [],
    );
  });

  it('is told where it works, and what is lost where the tree was checked out again', async () => {
    const text = async (restored: boolean) =>
      String((await createWorktreeSource(await view(), restored).present(new AbortController().signal))[0]?.text);
    assert.match(await text(false), /own git worktree, \/d\/trees\/p-1\/fix \(branch fix\)/);
    assert.doesNotMatch(await text(false), /lost/);
    assert.match(await text(true), /what was not committed is lost/);
  });
});
