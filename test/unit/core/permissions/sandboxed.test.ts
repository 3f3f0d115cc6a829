// What the sandbox lifts, and what it does not: the same calls, inside and out.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionMode } from '../../../../src/shared/permission';
import { bash, context } from './permission-table';

interface Row {
  command: string;
  outside: string;
  inside: string;
  rules?: string[];
  mode?: PermissionMode;
}

const rows: Row[] = [
  { command: 'npm test', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'make && ./run.sh', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'X=1 make', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'ls && make', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'make', mode: 'acceptEdits', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'ls', outside: 'allow read-only', inside: 'allow read-only' },
  { command: 'cat ~/.ssh/id_rsa', outside: 'ask outside-workspace', inside: 'ask outside-workspace' },
  { command: 'make && cat /etc/passwd', outside: 'ask unknown-command', inside: 'ask outside-workspace' },
  { command: 'make > /etc/x', outside: 'ask redirection', inside: 'ask redirection' },
  { command: 'make > out.txt', outside: 'ask redirection', inside: 'ask redirection' },
  { command: 'rm -rf /', outside: 'ask critical-path', inside: 'ask critical-path' },
  { command: 'make; echo x > .git/hooks/pre-commit', outside: 'ask protected-path', inside: 'ask protected-path' },
  { command: 'make $(', outside: 'ask unparsed-command', inside: 'ask unparsed-command' },
  { command: 'for f in *; do make $f; done', outside: 'ask unknown-command', inside: 'allow sandboxed' },
  { command: 'git push', rules: ['deny Bash(git push:*)'], outside: 'deny rule', inside: 'deny rule' },
  { command: 'make && git push', rules: ['ask Bash(git push:*)'], outside: 'ask rule', inside: 'ask rule' },
  { command: 'make', rules: ['ask Bash'], outside: 'ask rule', inside: 'ask rule' },
  { command: 'make', rules: ['deny Bash'], outside: 'deny rule', inside: 'deny rule' },
  { command: 'make', rules: ['allow Bash(make)'], outside: 'allow rule', inside: 'allow rule' },
  { command: 'make', mode: 'plan', outside: 'deny mode', inside: 'deny mode' },
  { command: 'make', mode: 'bypassPermissions', outside: 'allow mode', inside: 'allow mode' },
];

describe('a command in the sandbox', () => {
  for (const { command, rules = [], mode = 'default', outside, inside } of rows) {
    it(`${command} (${mode}${rules.length > 0 ? `, ${rules.join(', ')}` : ''}): ${inside}`, () => {
      const judged = [false, true].map((sandboxed) => decide({ ...bash(command), sandboxed }, context(mode, rules)));
      assert.deepEqual(
        judged.map(({ behavior, code }) => `${behavior} ${code}`),
        [outside, inside],
      );
    });
  }

  it('is denied in an untrusted workspace, and asks where settings cannot be read', () => {
    assert.equal(
      decide({ ...bash('make'), sandboxed: true }, context('default', [], { trusted: false })).code,
      'untrusted',
    );
    assert.equal(
      decide({ ...bash('make'), sandboxed: true }, context('default', [], { brokenSettings: ['x'] })).behavior,
      'ask',
    );
  });
});
