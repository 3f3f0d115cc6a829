// A name of the person's own is judged as what it stands for: it never widens what is allowed, and never gets past a rule that denies.
import assert from 'node:assert/strict';
import { resolveTargets } from '../../../../src/core/agent/resolve-targets';
import { conditionHolds } from '../../../../src/core/hooks/hook-matcher';
import { decide } from '../../../../src/core/permissions/decide';
import { meaningOf, type ShellNames, usedNames } from '../../../../src/core/permissions/shell-names';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/verdict';
import { bashTool } from '../../../../src/core/tools/bash';
import { type PermissionMode, type PermissionRule } from '../../../../src/shared/permission';
import { createMemoryFiles } from '../../../support/memory-files';

const names: ShellNames = new Map([
  ['gp', { kind: 'alias', text: 'git push' }],
  ['ll', { kind: 'alias', text: 'ls -alF' }],
  ['wipe', { kind: 'function', text: 'wipe () \n{ \n    rm -rf ~\n}' }],
  ['all', { kind: 'alias', text: 'll; gp' }],
  ['cat', { kind: 'alias', text: 'rm -rf' }],
]);
const rule = (behavior: PermissionRule['behavior'], ruleContent?: string): PermissionRule => ({ behavior, value: { toolName: 'Bash', ...(ruleContent === undefined ? {} : { ruleContent }) }, source: 'userSettings', root: '/h' });
const context = (mode: PermissionMode, ...rules: PermissionRule[]): PermissionContext => ({ mode, rules, cwd: '/w', folders: ['/w'], ownFolders: [], home: '/h', ignoreCase: false, trusted: true });

async function callOf(command: string, more: Partial<PermissionCall> = {}): Promise<PermissionCall> {
  const { targets } = await resolveTargets(bashTool, { command }, { cwd: '/w', home: '/h', folders: ['/w'], shellNames: async () => names }, createMemoryFiles({}));
  return { tool: 'Bash', access: 'DangerFullAccess', readOnly: bashTool.isReadOnly({ command }), targets, input: { command }, ...more };
}
const judged = async (command: string, permission: PermissionContext, more: Partial<PermissionCall> = {}): Promise<string> => decide(await callOf(command, more), permission).behavior;

describe('names of start-up files', () => {
  it('are found where a command begins, with those that they use; elsewhere a word is a word', () => {
    const used = (command: string): string[] => usedNames(command, names).map(({ name }) => name).sort();
    assert.deepEqual(used('all'), ['all', 'gp', 'll']);
    assert.deepEqual(used('echo x && gp -f | wipe'), ['gp', 'wipe']);
    assert.deepEqual(used('for a in b; do gp; done'), ['gp']);
    assert.deepEqual(used('echo gp wipe; npm run all'), []);
    assert.deepEqual(used('cat a.txt'), [], 'a command that rules know is never another one');
    assert.equal(meaningOf(names.get('wipe') ?? assert.fail()), 'rm -rf ~');
  });

  it('ask where no rule knows them, also where what they stand for is free', async () => {
    assert.equal(await judged('ll', context('default')), 'ask');
    assert.equal(await judged('ls -alF', context('default')), 'allow');
    assert.equal(await judged('gp', context('default')), 'ask');
  });

  it('run unasked only where both the name and its meaning may', async () => {
    assert.equal(await judged('ll', context('default', rule('allow', 'll *'), rule('allow', 'll'))), 'allow');
    assert.equal(await judged('gp', context('default', rule('allow', 'gp'))), 'ask');
    assert.equal(await judged('gp', context('default', rule('allow', 'gp'), rule('allow', 'git push *'))), 'allow');
    assert.equal(await judged('all', context('default', rule('allow', 'all'), rule('allow', 'll'), rule('allow', 'gp'))), 'ask');
  });

  it('are denied by a rule about what they stand for, in every mode and in the sandbox', async () => {
    const denies = rule('deny', 'git push *');
    for (const mode of ['default', 'bypassPermissions', 'acceptEdits', 'dontAsk', 'auto'] as const) assert.equal(await judged('echo a; gp --force', context(mode, denies, rule('allow', 'gp *'))), 'deny');
    assert.equal(await judged('all', context('bypassPermissions', denies)), 'deny');
    assert.equal(await judged('gp', context('default', denies), { sandboxed: true }), 'deny');
    assert.equal(await judged('wipe', context('bypassPermissions')), 'ask', 'a critical path asks in every mode');
    assert.equal(await judged('ll', context('plan')), 'deny');
  });

  it('say in the question what they stand for, and are seen by the conditions of hooks', async () => {
    const { reason } = decide(await callOf('gp'), context('default', rule('allow', 'gp')));
    assert.match(reason, /^`gp` of your start-up files stands for `git push`\./);
    assert.equal(conditionHolds({ toolName: 'Bash', ruleContent: 'git push *' }, await callOf('gp'), context('default')), true);
    assert.equal(conditionHolds({ toolName: 'Bash', ruleContent: 'git push *' }, await callOf('ll'), context('default')), false);
  });
});
