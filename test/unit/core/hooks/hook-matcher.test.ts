// Matchers and conditions, row by row.
import assert from 'node:assert/strict';
import { type HookEvent } from '../../../../src/core/ports/hook-events';
import { conditionHolds, listedNames, matches } from '../../../../src/core/hooks/hook-matcher';
import { parseRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { type PermissionCall } from '../../../../src/core/permissions/rules/verdict';
import { commandHook } from '../../../support/hooks';

describe('a matcher', () => {
  const rows: [event: HookEvent, matcher: string, value: string | undefined, expected: boolean][] = [
    ['PreToolUse', '', 'Bash', true],
    ['PreToolUse', '*', 'Bash', true],
    ['PreToolUse', 'Bash', 'Bash', true],
    ['PreToolUse', 'Bash', 'BashOutput', false],
    ['PreToolUse', 'bash', 'Bash', true],
    ['PreToolUse', 'Edit|Write', 'Write', true],
    ['PreToolUse', 'Edit, Write', 'Write', true],
    ['PreToolUse', 'Edit|Write', 'NotebookEdit', false],
    ['PreToolUse', 'Task', 'Agent', true],
    ['PreToolUse', 'mcp__.*', 'mcp__a__b', true],
    ['PreToolUse', 'Edit.*', 'NotebookEdit', true],
    ['PreToolUse', '^Edit$', 'NotebookEdit', false],
    ['SessionStart', 'resume|clear', 'clear', true],
    ['SessionStart', 'startup', 'resume', false],
    ['Stop', 'whatever', undefined, true],
    ['StopFailure', 'rate_limit|server_error', 'rate_limit', true],
    ['StopFailure', 'rate.*', 'rate_limit', false],
    ['FileChanged', '.env|.envrc', '.env', true],
    ['FileChanged', '.env', 'xenv', false],
    ['Notification', 'idle_prompt', undefined, false],
  ];
  for (const [event, matcher, value, expected] of rows) {
    it(`${event} ${JSON.stringify(matcher)} ${expected ? 'takes' : 'leaves'} ${value ?? 'nothing'}`, () => {
      assert.equal(matches(commandHook(event, 'x', { matcher }), value), expected);
    });
  }

  it('lists the names of files to watch', () => {
    assert.deepEqual(listedNames({ event: 'FileChanged', matcher: '.env| .envrc|' }), ['.env', '.envrc']);
    assert.deepEqual(listedNames({ event: 'FileChanged', matcher: '*' }), []);
  });
});

describe('a condition', () => {
  const context = {
    mode: 'default',
    rules: [],
    folders: ['/w'],
    ownFolders: [],
    cwd: '/w',
    home: '/home/ann',
    ignoreCase: false,
    trusted: false,
    brokenSettings: ['/x'],
  } as const;
  const bash = (command: string): PermissionCall => ({
    tool: 'Bash',
    access: 'DangerFullAccess',
    readOnly: false,
    targets: [{ kind: 'command', command, cwd: '/w' }],
  });
  const edit = (path: string): PermissionCall => ({
    tool: 'Edit',
    access: 'WorkspaceWrite',
    readOnly: false,
    targets: [{ kind: 'file', access: 'write', path, realPath: path }],
  });
  const fetch = (url: string): PermissionCall => ({
    tool: 'WebFetch',
    access: 'ReadOnly',
    readOnly: true,
    targets: [{ kind: 'url', url }],
  });
  const rows: [rule: string, call: PermissionCall, expected: boolean][] = [
    ['Bash(git *)', bash('git push'), true],
    ['Bash(git *)', bash('npm test'), false],
    ['Bash(git *)', bash('npm test && FOO=1 git push'), true],
    ['Bash(rm *)', bash('echo "$(rm -rf x)"'), true],
    ['Bash(git *)', bash('if then ((('), true],
    ['Bash(git *)', bash('rm -rf /'), false],
    ['Bash(git push *)', bash('git -C . push'), true],
    ['Bash(git push *)', bash('$(echo git) push'), true],
    ['Bash(git push *)', bash('git "$VERB"'), true],
    ['Bash(git push *)', bash('x=git; $x push'), true],
    ['Bash(git push *)', bash('sudo $x push'), true],
    ['Bash(rm:*)', bash('/bin/r? a'), true],
    ['Bash(git push *)', bash('git commit -m "$TEXT"'), false],
    ['Bash(git push *)', bash('echo $x git push'), false],
    ['Bash(git push)', bash('npm test "$x"'), false],
    ['Edit(*.ts)', edit('/w/src/a.ts'), true],
    ['Edit(*.ts)', edit('/w/src/a.js'), false],
    ['Edit(*.ts)', bash('if then ((('), false],
    ['Edit', edit('/w/a'), true],
    ['Bash', edit('/w/a'), false],
    ['WebFetch(domain:a.test)', fetch('https://a.test/x'), true],
    ['WebFetch(domain:a.test)', fetch('https://b.test/x'), false],
  ];
  for (const [rule, call, expected] of rows) {
    it(`${rule} ${expected ? 'holds' : 'does not hold'} for ${JSON.stringify(call.targets[0])}`, () => {
      const parsed = parseRule(rule);
      assert.ok(parsed);
      assert.equal(
        conditionHolds(parsed, call, {
          ...context,
          rules: [],
          folders: ['/w'],
          ownFolders: [],
          brokenSettings: ['/x'],
        }),
        expected,
      );
    });
  }
});
