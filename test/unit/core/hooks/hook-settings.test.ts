// Which hooks may run: trust, consent to their exact text, and the switch that turns them off.
import assert from 'node:assert/strict';
import { describeHooks } from '../../../../src/core/hooks/describe-hooks';
import { type HookSettings, type HookState, judgeHooks } from '../../../../src/core/hooks/hook-settings';
import { withHooks } from '../../../../src/core/hooks/with-hooks';
import { commandHook } from '../../../support/hooks';

const mine = commandHook('Stop', 'mine');
const firm = commandHook('Stop', 'firm', { source: 'managedSettings' });
const project = commandHook('PreToolUse', './check.sh', {
  source: 'projectSettings',
  root: '/w',
  file: '/w/.claude/settings.json',
  matcher: 'Bash',
});
const local = commandHook('Stop', 'local', {
  source: 'localSettings',
  root: '/w',
  file: '/w/.claude/settings.local.json',
});

describe('hooks that may run', () => {
  const states = (settings: HookSettings, trusted: boolean, approved: string[] | undefined): HookState[] =>
    judgeHooks(settings, {
      trusted,
      ...(approved === undefined
        ? {}
        : { consent: { isApproved: (_project: string, text: string) => approved.includes(text) } }),
    }).all.map(({ state }) => state);
  const all: HookSettings = { entries: [firm, project, local, mine], disabled: 'none' };
  const text = judgeHooks(all, { trusted: true, consent: { isApproved: () => false } }).waiting[0]?.text ?? '';

  it('of a project need trust and leave', () => {
    assert.deepEqual(states(all, false, [text]), ['active', 'untrusted', 'untrusted', 'active']);
    assert.deepEqual(states(all, true, []), ['active', 'waiting', 'waiting', 'active']);
    assert.deepEqual(states(all, true, [text]), ['active', 'active', 'active', 'active']);
    assert.deepEqual(
      states(all, true, undefined),
      ['active', 'untrusted', 'untrusted', 'active'],
      'nobody can be asked',
    );
  });

  it('ask again when anything about them has changed, and only then', () => {
    const changed = { ...project, handler: { type: 'command' as const, command: './check.sh --all' } };
    for (const entries of [
      [firm, changed, local, mine],
      [firm, project, mine],
      [firm, { ...project, matcher: '' }, local, mine],
      [firm, { ...project, timeoutSeconds: 1 }, local, mine],
      [firm, { ...project, failClosed: true }, local, mine],
    ]) {
      assert.ok(states({ ...all, entries }, true, [text]).includes('waiting'));
    }
    assert.ok(
      !states({ ...all, entries: [project, local] }, true, [text]).includes('waiting'),
      'hooks of the user are no part of it',
    );
  });

  it('of an agent or a skill of the project have a leave of their own, beside that of its settings', () => {
    const owner = '/w/.claude/agents/a.md';
    const entry = commandHook('PreToolUse', './own.sh', { source: 'projectSettings', root: '/w', file: owner, owner });
    const judged = (approved: Record<string, string>, settings = all, trusted = true) =>
      judgeHooks(settings, { trusted, consent: { isApproved: (project, own) => approved[project] === own } });
    const own = judged({}, { ...all, entries: [entry] }).waiting[0] ?? assert.fail('nothing waits');
    assert.deepEqual([own.project, own.entries], [owner, [entry]]);
    assert.deepEqual(judged({ '/w': text }).judgeAdded?.([entry]), [], 'leave for the settings is none for it');
    assert.deepEqual(judged({ '/w': own.text }).judgeAdded?.([entry]), []);
    assert.deepEqual(judged({ [owner]: own.text }).judgeAdded?.([entry]), [entry]);
    assert.deepEqual(
      judged({ [owner]: own.text }).judgeAdded?.([{ ...entry, matcher: 'Bash' }]),
      [],
      'changed text asks again',
    );
    for (const disabled of ['all', 'unmanaged', 'project'] as const)
      assert.deepEqual(judged({ [owner]: own.text }, { ...all, disabled }).judgeAdded?.([entry]), []);
    assert.deepEqual(judged({ [owner]: own.text }, all, false).judgeAdded?.([entry]), []);
    assert.deepEqual(judgeHooks(all, { trusted: true }).judgeAdded?.([entry]), [], 'nobody can be asked');
  });

  it('of skills that were used end where hooks are switched off meanwhile', () => {
    const [theirs, managed] = [
      { ...project, owner: '/w/.claude/skills/s/SKILL.md' },
      { ...firm, matcher: 'skill' },
    ];
    let judged: Parameters<typeof withHooks>[0] extends (() => infer Judged) | undefined ? Judged : never = {
      active: [],
    };
    const now = withHooks(
      () => judged,
      () => brought,
    );
    const brought = [mine, theirs, managed];
    assert.deepEqual(now().active, brought);
    assert.equal(now().active, now().active);
    judged = { ...judged, projectOff: true };
    assert.deepEqual(now().active, [mine, managed]);
    judged = { ...judged, off: true };
    assert.deepEqual(now().active, [managed]);
  });

  it('are off where the user says so, managed ones only by their own file', () => {
    assert.deepEqual(states({ ...all, disabled: 'unmanaged' }, true, [text]), [
      'active',
      'disabled',
      'disabled',
      'disabled',
    ]);
    assert.deepEqual(states({ ...all, disabled: 'all' }, true, [text]), [
      'disabled',
      'disabled',
      'disabled',
      'disabled',
    ]);
  });

  it('are shown with their state, and no text of theirs becomes markup', () => {
    const page = describeHooks(
      judgeHooks(
        { entries: [project, commandHook('Stop', 'echo `x`\n# Big')], disabled: 'none' },
        { trusted: true, consent: { isApproved: () => false } },
      ),
    );
    assert.match(
      page,
      /## PreToolUse\n\n- `\.\/check\.sh` \(command\)\n {2}- inert: waiting until you allow.*\n {2}- where tool_name matches `Bash`, at most 600 s\n {2}- from `\/w\/\.claude\/settings\.json`/,
    );
    assert.match(page, /- `` echo `x` # Big `` \(command\)\n {2}- active/);
    assert.match(describeHooks({ all: [], waiting: [] }), /There are no hooks/);
  });
});
