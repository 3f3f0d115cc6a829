// Problems by commands and in an editor: what a call runs decides whether rules for Bash or for reading hold.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionCall } from '../../../../src/core/permissions/rules/verdict';
import { context } from './permission-table';

const byCommands: PermissionCall = {
  tool: 'Problems',
  access: 'DangerFullAccess',
  readOnly: false,
  targets: [
    { kind: 'command', command: 'npx tsc --noEmit', cwd: '/ws' },
    { kind: 'command', command: 'npx eslint .', cwd: '/ws' },
  ],
};
const inEditor: PermissionCall = {
  tool: 'Problems',
  access: 'ReadOnly',
  readOnly: true,
  targets: [{ kind: 'file', access: 'read', path: '/ws', realPath: '/ws' }],
};

const rows: [rules: string[], byCommands: string, inEditor: string][] = [
  [[], 'ask', 'allow'],
  [['allow Read'], 'ask', 'allow'],
  [['allow Problems'], 'allow', 'allow'],
  [['allow Bash'], 'allow', 'allow'],
  [['allow Bash(npx tsc *)'], 'ask', 'allow'],
  [['allow Bash(npx tsc *)', 'allow Bash(npx eslint *)'], 'allow', 'allow'],
  [['allow Problems', 'deny Bash(npx eslint *)'], 'deny', 'allow'],
  [['allow Problems', 'ask Bash(npx eslint *)'], 'ask', 'allow'],
  [['allow Problems', 'deny Bash'], 'deny', 'allow'],
  [['allow Problems', 'ask Bash'], 'ask', 'allow'],
  [['allow Bash', 'deny Read'], 'deny', 'deny'],
  [['allow Bash', 'ask Problems'], 'ask', 'ask'],
];

describe('rules for Problems', () => {
  for (const [rules, commands, editor] of rows)
    it(rules.join(', ') || 'none', () => {
      const verdict = (call: PermissionCall): string => decide(call, context('default', rules)).behavior;
      assert.deepEqual([verdict(byCommands), verdict(inEditor)], [commands, editor]);
    });

  it('as a whole do not answer for the classifier of auto mode', () => {
    assert.equal(decide(byCommands, context('auto', ['allow Problems'])).behavior, 'ask');
    assert.equal(decide(inEditor, context('auto', ['allow Problems'])).behavior, 'allow');
  });

  it('for its commands are what Always allow saves', () => {
    const { coveredBy = [] } = decide(byCommands, context('default'));
    assert.deepEqual(
      coveredBy.map(({ toolName, ruleContent }) => `${toolName}(${ruleContent})`),
      ['Bash(npx tsc --noEmit)', 'Bash(npx eslint .)'],
    );
  });
});
