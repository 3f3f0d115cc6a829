// One call, every mode: what each of them says, and that no mode says more than it should.
import assert from 'node:assert/strict';
import { isBroad } from '../../../../src/core/permissions/auto/suspended-rules';
import { permissionModes, type PermissionMode } from '../../../../src/shared/permission';
import { rule, verdictOf } from './permission-table';

/** In the order of `permissionModes`: default, acceptEdits, plan, auto, dontAsk, bypassPermissions. */
const rows: [call: string, rules: string[], expected: string][] = [
  ['Read /ws/a', [], 'allow allow allow allow allow allow'],
  ['Read /etc/hosts', [], 'ask ask ask ask deny allow'],
  ['Read /etc/hosts', ['allow Read(//etc/**)'], 'allow allow allow allow allow allow'],
  ['Grep /ws', [], 'allow allow allow allow allow allow'],
  ['Read /proc/1/environ', ['allow Read'], 'ask ask ask ask deny ask'],
  ['Edit /ws/a', [], 'ask allow deny allow deny allow'],
  ['Write /ws/new', [], 'ask allow deny allow deny allow'],
  ['Edit /ws/a', ['allow Edit'], 'allow allow deny allow allow allow'],
  ['Edit /ws/a', ['ask Edit'], 'ask ask deny ask deny ask'],
  ['Edit /ws/a', ['deny Edit'], 'deny deny deny deny deny deny'],
  ['Edit /etc/hosts', [], 'ask ask deny ask deny allow'],
  ['Edit /ws/link -> /etc/hosts', [], 'ask ask deny ask deny allow'],
  ['Edit /ws/.git/config', ['allow Edit'], 'ask ask deny ask deny allow'],
  ['Write /ws/.vscode/tasks.json', [], 'ask ask deny ask deny allow'],
  ['Bash ls', [], 'allow allow allow allow allow allow'],
  ['Bash git status', [], 'allow allow allow allow allow allow'],
  ['Bash cat /etc/passwd', [], 'ask ask ask ask deny allow'],
  ['Bash make', [], 'ask ask deny ask deny allow'],
  ['Bash make', ['allow Bash(make)'], 'allow allow deny allow allow allow'],
  ['Bash make', ['allow Bash(make:*)'], 'allow allow deny ask allow allow'],
  ['Bash make', ['allow Bash'], 'allow allow deny ask allow allow'],
  ['Bash make', ['ask Bash(make:*)'], 'ask ask deny ask deny ask'],
  ['Bash make', ['deny Bash(make:*)', 'allow Bash'], 'deny deny deny deny deny deny'],
  ['Bash git commit -m x', ['allow Bash(git commit:*)'], 'allow allow deny allow allow allow'],
  ['Bash mkdir a', [], 'ask allow deny ask deny allow'],
  ['Bash touch a', [], 'ask allow deny ask deny allow'],
  ['Bash rm -rf build', [], 'ask allow deny ask deny allow'],
  ['Bash rmdir a', [], 'ask allow deny ask deny allow'],
  ['Bash mv a b', [], 'ask allow deny ask deny allow'],
  ['Bash cp a b', [], 'ask allow deny ask deny allow'],
  ['Bash sed -i s/a/b/ a', [], 'ask allow deny ask deny allow'],
  ['Bash echo a > b', [], 'ask allow deny ask deny allow'],
  ['Bash echo a > .bashrc', ['allow Bash'], 'ask ask deny ask deny allow'],
  ['Bash rm -rf /', ['allow Bash'], 'ask ask deny ask deny ask'],
  ['Bash rm -rf ~', ['allow Bash(rm:*)'], 'ask ask deny ask deny ask'],
  ['Bash echo $(rm -rf /)', [], 'ask ask deny ask deny ask'],
  ['Bash curl x | sh', [], 'ask ask deny ask deny allow'],
  ['Bash npm publish', [], 'ask ask deny ask deny allow'],
  ['Bash ls "', ['allow Bash'], 'ask ask deny ask deny ask'],
  ['Bash python a.py', ['allow Bash(python:*)'], 'allow allow deny ask allow allow'],
  ['Bash npx x', ['allow Bash(npx x:*)'], 'allow allow deny ask allow allow'],
  ['Bash git push --force', ['allow Bash(git push:*)'], 'allow allow deny allow allow allow'],
];

describe('modes', () => {
  for (const [call, rules, expected] of rows) {
    it(`${call} (${rules.join(', ')})`, () => {
      assert.equal(
        permissionModes.map((mode: PermissionMode) => verdictOf(mode, rules, call).behavior).join(' '),
        expected,
      );
    });
  }

  it('dontAsk keeps the question that it denies', () => {
    const { reason, question, suggestions } = verdictOf('dontAsk', [], 'Bash make');
    assert.match(
      reason,
      /Don't ask denies anything that needs approval\. No rule matches `make`\. The allow rule `Bash\(make\)` would permit it\./,
    );
    assert.deepEqual([question?.behavior, question?.code, suggestions], ['ask', 'unknown-command', []]);
  });

  it('auto sets broad rules aside, and no others', () => {
    const broad = [
      'Bash',
      'Bash(*)',
      'PowerShell',
      'REPL',
      'Agent',
      'Bash(python:*)',
      'Bash(python3.12 *)',
      'Bash(node *)',
      'Bash(bash -c *)',
      'Bash(sudo:*)',
      'Bash(ssh *)',
      'Bash(npx:*)',
      'Bash(npm:*)',
      'Bash(npm run:*)',
      'Bash(yarn *)',
      'Bash(uv run *)',
      'Bash(make:*)',
      'Bash(p*)',
      'Bash(* --version)',
      'Bash(env *)',
      'Bash(xargs *)',
      'Bash(/usr/bin/python *)',
      'PowerShell(iex *)',
      'Bash(docker *)',
    ];
    const narrow = [
      'Bash(npm test)',
      'Bash(git:*)',
      'Bash(git status *)',
      'Bash(npm test:*)',
      'Bash(npm install *)',
      'Bash(python a.py)',
      'Bash(ls *)',
      'Read',
      'Edit',
      'WebFetch',
      'mcp__s',
    ];
    assert.deepEqual(
      broad.filter((text) => !isBroad(rule(`allow ${text}`))),
      [],
    );
    assert.deepEqual(
      narrow.filter((text) => isBroad(rule(`allow ${text}`))),
      [],
    );
    assert.deepEqual(
      broad.filter((text) => isBroad(rule(`deny ${text}`)) || isBroad(rule(`ask ${text}`))),
      [],
    );
  });
});
