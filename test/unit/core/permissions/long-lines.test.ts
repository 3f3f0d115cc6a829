// Lines that would take seconds or for ever to judge: they are cut short and ask, and what is denied in them stays so.
import assert from 'node:assert/strict';
import { commandFiles } from '../../../../src/core/permissions/bash/command-scope';
import { verdictOf } from './permission-table';

const filled = (start: string, piece: string): string =>
  start + piece.repeat(Math.floor((9900 - start.length) / piece.length));

/** What the question names beside what it cannot tell. */
const lines: [string, RegExp][] = [
  [filled('cp ', 'a '), /names very many files/],
  [filled('ls ', '>a '), /names very many files/],
  [filled('cd a; cd b; cp ', 'a '), /names very many files/],
  [filled('find . ', '-exec ls '), /runs many commands inside others/],
  [filled('sudo ', 'cp '), /runs many commands inside others/],
  ["env -u -Sa -u -Sa -u -Sa -u -Sa '-Srm x'", /runs many commands inside others/],
  [filled('', 'ls && ') + 'ls', /holds very many commands/],
  [filled('', 'cd a && ls && ') + 'ls', /changes the folder very often/],
];

describe('lines that are long on purpose', () => {
  for (const [line, reason] of lines) {
    it(`are not looked at to their end: ${line.slice(0, 30)}`, () => {
      for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
        const verdict = verdictOf(mode, ['allow Bash'], `Bash ${line}`);
        assert.equal(verdict.behavior, 'ask');
        assert.match(verdict.reason, reason);
      }
    });
  }

  it('are denied where a rule says so', () => {
    const rules = ['deny Bash(rm:*)', 'deny Read(.env)', 'deny Edit(kept/**)'];
    for (const [line] of lines) {
      for (const other of ['rm x', 'cat .env', 'touch kept/x'])
        assert.equal(
          verdictOf('bypassPermissions', rules, `Bash ${other}; ${line}`).behavior,
          'deny',
          `${other}; ${line.slice(0, 30)}`,
        );
    }
  });

  it('with braces that multiply are read as if they named anything', () => {
    // Each pair doubles the names: written out, ninety of them are never done.
    for (const braces of ['{a,b}'.repeat(90), `{${'a,'.repeat(300)}/}`, '{a,{b,{c,d}}}'.repeat(40)]) {
      assert.equal(verdictOf('bypassPermissions', [], `Bash rm -r ${braces}`).code, 'critical-path');
    }
    assert.equal(verdictOf('bypassPermissions', [], 'Bash rm -r src/{a,b}/{c,d}{.js,.ts}').behavior, 'allow');
    assert.equal(verdictOf('bypassPermissions', [], 'Bash rm -r src/{a,b}/../../{c,..}').behavior, 'ask');
  });

  it('name no files to look up', () => {
    assert.deepEqual(commandFiles(filled('cp ', 'a '), '/ws', '/home/u'), []);
    assert.equal(
      commandFiles(`cp ${Array.from({ length: 200 }, (_, index) => `a${String(index)}`).join(' ')} b`, '/ws', '/home/u')
        .length > 200,
      true,
    );
  });
});
