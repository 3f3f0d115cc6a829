// A refused line of several commands says which of them were refused, and which would run by themselves: and that is so.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PermissionMode } from '../../../../src/shared/permission';
import { withParts } from '../../../../src/core/permissions/rules/refusal';
import { denial } from '../../../../src/headless/deny-approver';
import { verdictOf } from './permission-table';

const rows: [mode: PermissionMode, rules: string[], line: string, parts: string | undefined][] = [
  ['dontAsk', [], 'git status && make', 'Of this line, `make` was refused; `git status` would run by itself.'],
  [
    'dontAsk',
    [],
    'git status; ls; make',
    'Of this line, `make` was refused; `git status` and `ls` would run by themselves.',
  ],
  ['dontAsk', [], 'make && npm test', 'Of this line, `make` and `npm test` were refused.'],
  ['dontAsk', [], 'make', undefined],
  ['dontAsk', [], 'cd src && make', 'Of this line, `make` was refused.'],
  ['dontAsk', [], 'ls && echo a > /opt/x', 'Of this line, `echo a > /opt/x` was refused; `ls` would run by itself.'],
  [
    'dontAsk',
    ['allow Bash(make:*)'],
    'make | tee /opt/x',
    'Of this line, `tee /opt/x` was refused; `make` would run by itself.',
  ],
  ['dontAsk', [], 'ls && "', undefined],
  ['default', ['deny Bash(rm:*)'], 'ls && rm x', 'Of this line, `rm x` was refused; `ls` would run by itself.'],
  [
    'default',
    ['deny Bash(rm:*)', 'allow Bash(make:*)'],
    'make; rm x',
    'Of this line, `rm x` was refused; `make` would run by itself.',
  ],
  ['default', ['deny Read(.env)'], 'ls; cat .env', 'Of this line, `cat .env` was refused; `ls` would run by itself.'],
  [
    'bypassPermissions',
    ['deny Bash(rm:*)'],
    'make; rm x',
    'Of this line, `rm x` was refused; `make` would run by itself.',
  ],
  ['plan', [], 'git diff && make', 'Of this line, `make` was refused; `git diff` would run by itself.'],
];

describe('a refused line of several commands', () => {
  for (const [mode, rules, line, parts] of rows)
    it(`${mode} ${rules.join()} ${line}`, () => {
      const { behavior, reason: why, parts: own } = verdictOf(mode, rules, `Bash ${line}`);
      const reason = withParts(why, own);
      assert.equal(behavior, 'deny');
      if (parts === undefined) assert.doesNotMatch(reason, /Of this line/);
      else assert.ok(reason.includes(parts), reason);
    });

  it('says it also where a run without a window refuses', () => {
    const { reason, parts, suggestions } = verdictOf('default', [], 'Bash git status && make');
    assert.doesNotMatch(reason, /Of this line/);
    const request = {
      id: '1',
      toolUseId: '1',
      toolName: 'Bash',
      title: '',
      view: { kind: 'markdown' as const, text: '' },
    };
    const said = denial({ ...request, reason, suggestions, ...(parts === undefined ? {} : { parts }) });
    assert.match(said, /Of this line, `make` was refused; `git status` would run by itself\./);
  });

  it('what it calls free is free, and what it calls refused is not', () => {
    const command = fc.constantFrom(
      'ls',
      'make',
      'git status',
      'cat a',
      'rm x',
      'npm test',
      'echo a > b',
      'cat .env',
      'git push',
    );
    const rules = fc.subarray([
      'allow Bash(make:*)',
      'allow Bash(npm test)',
      'deny Bash(rm:*)',
      'ask Bash(git push:*)',
      'deny Read(.env)',
      'allow Edit',
    ]);
    const mode = fc.constantFrom<PermissionMode>('dontAsk', 'plan');
    let said = 0;
    fc.assert(
      fc.property(fc.uniqueArray(command, { minLength: 2, maxLength: 4 }), rules, mode, (commands, set, own) => {
        const { behavior, reason: why, parts } = verdictOf(own, set, `Bash ${commands.join('; ')}`);
        const reason = withParts(why, parts);
        if (behavior === 'allow') return;
        const [, refused = '', free = ''] =
          /Of this line, (.*?) (?:was|were) refused(?:; (.*) would run by)?/.exec(reason) ?? [];
        said++;
        for (const one of commands) {
          const isFree = verdictOf(own, set, `Bash ${one}`).behavior === 'allow';
          assert.equal(free.includes(`\`${one}\``), isFree, `${one}: ${reason}`);
          assert.equal(refused.includes(`\`${one}\``), !isFree, `${one}: ${reason}`);
        }
      }),
      { numRuns: 400 },
    );
    assert.ok(said > 100, String(said));
  });
});
