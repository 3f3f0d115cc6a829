// Permission updates of every kind, for the session and for files: when they hold, and what the log keeps of them.
import assert from 'node:assert/strict';
import { createPermissionState } from '../../../../src/core/calls/permission-state';
import { formatRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { type SaveOutcome } from '../../../../src/core/ports/permission-store';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type PermissionDestination, type PermissionUpdate } from '../../../../src/shared/permission';
import { context } from '../permissions/permission-table';

type RuleChange = 'addRules' | 'replaceRules' | 'removeRules';
const rules = (
  type: RuleChange,
  contents: string[],
  destination: PermissionDestination = 'session',
  behavior: 'allow' | 'deny' = 'allow',
): PermissionUpdate => ({
  type,
  behavior,
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  destination,
});

function make(
  save?: (update: PermissionUpdate) => Promise<SaveOutcome>,
  records: SessionRecord[] = [],
  managedRulesOnly = false,
) {
  const applied: string[] = [];
  const notices: string[] = [];
  const fromFiles: string[] = [];
  const state = createPermissionState({
    base: () => context('default', fromFiles, { managedRulesOnly }),
    mode: 'default',
    records,
    store: save === undefined ? undefined : { save },
    applied: (update) => applied.push(`${update.type} ${update.destination}`),
    onProblem: (message) => notices.push(message),
  });
  const held = (): string[] =>
    state.context('/ws').rules.map(({ behavior, value }) => `${behavior} ${formatRule(value)}`);
  return { state, applied, notices, fromFiles, held };
}

describe('permission updates', () => {
  it('of the session hold at once, each undone by its counterpart', async () => {
    const { state, held, applied } = make();
    const done = state.apply([
      rules('addRules', ['a', 'b']),
      rules('addRules', ['d'], 'session', 'deny'),
      { type: 'addDirectories', directories: ['/x', '/y'], destination: 'session' },
    ]);
    assert.deepEqual(held(), ['allow Bash(a)', 'allow Bash(b)', 'deny Bash(d)'], 'before anybody waits');
    await done;
    await state.apply([rules('addRules', ['a'])]);
    await state.apply([
      rules('removeRules', ['b']),
      { type: 'removeDirectories', directories: ['/x'], destination: 'session' },
    ]);
    assert.deepEqual(held().sort(), ['allow Bash(a)', 'deny Bash(d)']);
    assert.deepEqual(state.context('/ws').folders, ['/ws', '/y']);
    await state.apply([rules('replaceRules', ['c']), { type: 'setMode', mode: 'plan', destination: 'session' }]);
    assert.deepEqual([held().sort(), state.mode], [['allow Bash(c)', 'deny Bash(d)'], 'plan']);
    assert.equal(applied.length, 8);
  });

  it('for a file hold while they are saved, and from the file alone afterwards', async () => {
    const saved: PermissionUpdate[] = [];
    let finish: (outcome: SaveOutcome) => void = () => undefined;
    const { state, held, applied, fromFiles } = make((update) => {
      saved.push(update);
      return new Promise((resolve) => (finish = resolve));
    });
    const done = state.apply([rules('addRules', ['a'], 'localSettings')]);
    assert.deepEqual(held(), ['allow Bash(a)'], 'nothing is asked meanwhile');
    fromFiles.push('allow Bash(a)');
    finish({ saved: true });
    await done;
    assert.deepEqual([held(), applied, saved.length], [['allow Bash(a)'], ['addRules localSettings'], 1]);
    fromFiles.pop();
    assert.deepEqual(held(), [], 'whoever takes it out of the file takes the leave away');
  });

  it('that cannot be saved hold for the session, with a sentence', async () => {
    const { state, held, applied, notices } = make(async () => ({ saved: false, message: 'The file is broken.' }));
    await state.apply([
      rules('addRules', ['a'], 'localSettings'),
      { type: 'addDirectories', directories: ['/x'], destination: 'userSettings' },
    ]);
    assert.deepEqual([held(), state.context('/ws').folders], [['allow Bash(a)'], ['/ws', '/x']]);
    assert.deepEqual(applied, ['addRules session', 'addDirectories session']);
    assert.deepEqual(notices, Array(2).fill('The file is broken. Your permission holds for this session only.'));
  });

  it("that allow more than an organization's rules are neither held nor saved, with a sentence; others are", async () => {
    const saved: string[] = [];
    const { state, held, applied, notices } = make(
      async ({ type }) => {
        saved.push(type);
        return { saved: false, message: 'No.' };
      },
      [],
      true,
    );
    await state.apply([
      rules('addRules', ['a', 'b']),
      rules('replaceRules', ['c'], 'userSettings'),
      rules('addRules', ['d'], 'localSettings', 'deny'),
      { type: 'addDirectories', directories: ['/x'], destination: 'session' },
    ]);
    assert.deepEqual([held(), state.context('/ws').folders], [['deny Bash(d)'], ['/ws', '/x']]);
    assert.deepEqual([applied, saved], [['addDirectories session', 'addRules session'], ['addRules']]);
    const why = "was not added: only your organization's rules may allow anything here";
    assert.deepEqual(notices, [
      `\`Bash(a)\`, \`Bash(b)\` ${why} (\`allowManagedPermissionRulesOnly\`).`,
      `\`Bash(c)\` ${why} (\`allowManagedPermissionRulesOnly\`).`,
      'No. The rule holds for this session only.',
    ]);
  });

  it('that take something out of a file and fail take nothing away', async () => {
    const { state, held, applied, notices } = make(async () => ({ saved: false, message: 'No.' }));
    await state.apply([rules('addRules', ['a'])]);
    await state.apply([rules('removeRules', ['a'], 'projectSettings')]);
    assert.deepEqual([held(), applied, notices], [['allow Bash(a)'], ['addRules session'], ['No.']]);
  });

  it("a mode for a file is the session's too", async () => {
    const { state } = make(async () => ({ saved: true }));
    await state.apply([{ type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' }]);
    assert.equal(state.mode, 'acceptEdits');
  });

  it('of an earlier run hold again, but for those that went into a file', () => {
    const record = (update: PermissionUpdate) =>
      ({ type: 'system', subtype: 'permission_update', update }) as unknown as SessionRecord;
    const { held } = make(
      undefined,
      [rules('addRules', ['a', 'b']), rules('removeRules', ['a']), rules('addRules', ['c'], 'localSettings')].map(
        record,
      ),
    );
    assert.deepEqual(held(), ['allow Bash(b)']);
  });
});
