// Which hooks may run: trust, consent to their exact text, and the switch that turns them off.
import assert from 'node:assert/strict';
import { describeHooks } from '../../../../src/core/hooks/describe-hooks';
import { type HookSettings, type HookState, judgeHooks } from '../../../../src/core/hooks/hook-settings';
import { commandHook } from '../../../support/hooks';

const mine = commandHook('Stop', 'mine');
const firm = commandHook('Stop', 'firm', { source: 'managedSettings' });
const project = commandHook('PreToolUse', './check.sh', { source: 'projectSettings', root: '/w', file: '/w/.claude/settings.json', matcher: 'Bash' });
const local = commandHook('Stop', 'local', { source: 'localSettings', root: '/w', file: '/w/.claude/settings.local.json' });

describe('hooks that may run', () => {
  const states = (settings: HookSettings, trusted: boolean, approved: string[] | undefined): HookState[] =>
    judgeHooks(settings, { trusted, ...(approved === undefined ? {} : { consent: { isApproved: (_project: string, text: string) => approved.includes(text) } }) }).all.map(({ state }) => state);
  const all: HookSettings = { entries: [firm, project, local, mine], disabled: 'none' };
  const text = judgeHooks(all, { trusted: true, consent: { isApproved: () => false } }).waiting[0]?.text ?? '';

  it('of a project need trust and leave', () => {
    assert.deepEqual(states(all, false, [text]), ['active', 'untrusted', 'untrusted', 'active']);
    assert.deepEqual(states(all, true, []), ['active', 'waiting', 'waiting', 'active']);
    assert.deepEqual(states(all, true, [text]), ['active', 'active', 'active', 'active']);
    assert.deepEqual(states(all, true, undefined), ['active', 'untrusted', 'untrusted', 'active'], 'nobody can be asked');
  });

  it('ask again when anything about them has changed, and only then', () => {
    const changed = { ...project, handler: { type: 'command' as const, command: './check.sh --all' } };
    for (const entries of [[firm, changed, local, mine], [firm, project, mine], [firm, { ...project, matcher: '' }, local, mine], [firm, { ...project, timeoutSeconds: 1 }, local, mine]]) {
      assert.ok(states({ ...all, entries }, true, [text]).includes('waiting'));
    }
    assert.ok(!states({ ...all, entries: [project, local] }, true, [text]).includes('waiting'), 'hooks of the person are no part of it');
  });

  it('are off where the person says so, managed ones only by their own file', () => {
    assert.deepEqual(states({ ...all, disabled: 'unmanaged' }, true, [text]), ['active', 'disabled', 'disabled', 'disabled']);
    assert.deepEqual(states({ ...all, disabled: 'all' }, true, [text]), ['disabled', 'disabled', 'disabled', 'disabled']);
  });

  it('are shown with their state, and no text of theirs becomes markup', () => {
    const page = describeHooks(judgeHooks({ entries: [project, commandHook('Stop', 'echo `x`\n# Big')], disabled: 'none' }, { trusted: true, consent: { isApproved: () => false } }));
    assert.match(page, /## PreToolUse\n\n- `\.\/check\.sh` \(command\)\n {2}- inert: waits until you allow.*\n {2}- where tool_name matches `Bash`, at most 600 s\n {2}- from `\/w\/\.claude\/settings\.json`/);
    assert.match(page, /- `` echo `x` # Big `` \(command\)\n {2}- active/);
    assert.match(describeHooks({ all: [], waiting: [] }), /There are none/);
  });
});
