// What a hook's answer to a permission question cannot do: outlive a change of rules or mode, or speak over a hook that wants the user.
import assert from 'node:assert/strict';
import { type PermissionMode, type PermissionRule } from '../../../../../src/shared/permission';
import { askingTool, said } from '../../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

const allow = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };

/** One call of Act; `meanwhile` happens while the PermissionRequest hook runs, which then allows. */
function world(
  meanwhile: (state: { rules: PermissionRule[]; trusted: boolean; harness: Harness }) => void,
  before?: object,
): { harness: Harness; ran: () => number } {
  let ran = 0;
  const state = { rules: [] as PermissionRule[], trusted: true };
  const tool = askingTool('Act', {
    call: async () => {
      ran++;
      return said('Done.');
    },
  });
  const harness: Harness = createHarness({
    model: createScriptedModel([reply(toolUse('Act', { text: 'x' })), reply('Done.')]),
    tools: [tool],
    ports: {
      hooks: scriptedHooks((_hook, input) => {
        if (input['hook_event_name'] === 'PreToolUse')
          return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...before } }) };
        meanwhile(Object.assign(state, { harness }));
        return { stdout: JSON.stringify(allow) };
      }),
    },
    answer: () => ({ behavior: 'deny', message: 'No.', interrupt: false }),
    session: {
      hooks: () => ({
        active: [
          commandHook('PermissionRequest', 'answer'),
          ...(before === undefined ? [] : [commandHook('PreToolUse', 'guard')]),
        ],
      }),
      permission: () => ({
        rules: [...state.rules],
        folders: ['/w'],
        ownFolders: [],
        home: '/home/ann',
        ignoreCase: false,
        trusted: state.trusted,
      }),
    },
  });
  return { harness, ran: () => ran };
}

const denies: PermissionRule = { behavior: 'deny', value: { toolName: 'Act' }, source: 'userSettings', root: '/w' };
const setMode = (harness: Harness, mode: PermissionMode): void => harness.session.permission.setMode(mode);

describe('the allow of a PermissionRequest hook', () => {
  it('answers for the user', async () => {
    const { harness, ran } = world(() => undefined);
    await harness.run('Go');
    assert.deepEqual([ran(), harness.approvals.length], [1, 0]);
  });

  it('does not hold where a deny rule came while it ran', async () => {
    const { harness, ran } = world((state) => state.rules.push(denies));
    await harness.run('Go');
    assert.deepEqual([ran(), harness.approvals.length], [0, 0]);
  });

  it('does not hold where the mode became one that only looks, nor where trust went', async () => {
    const plan = world(({ harness }) => setMode(harness, 'plan'));
    await plan.harness.run('Go');
    assert.equal(plan.ran(), 0);
    const untrusted = world((state) => void (state.trusted = false));
    await untrusted.harness.run('Go');
    assert.equal(untrusted.ran(), 0);
  });

  it('does not speak over a hook that wants the user to be asked', async () => {
    const { harness, ran } = world(() => undefined, {
      permissionDecision: 'ask',
      permissionDecisionReason: 'Look at it.',
    });
    await harness.run('Go');
    assert.deepEqual([ran(), harness.approvals.length], [0, 1]);
  });
});
