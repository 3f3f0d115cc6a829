// Lines that would take seconds or for ever to judge: they are cut short and ask, and what is denied in them stays so.
import assert from 'node:assert/strict';
import { readBash } from '../../../../src/core/permissions/bash/bash-line';
import { commandFiles } from '../../../../src/core/permissions/bash/command-scope';
import { verdictOf } from './permission-table';

const filled = (start: string, piece: string): string =>
  start + piece.repeat(Math.floor((9900 - start.length) / piece.length));

/** Lines, each with the reason that the question names for not checking it. */
const lines: [string, RegExp][] = [
  [filled('cp ', 'a '), /names too many files/],
  [filled('ls ', '>a '), /names too many files/],
  [filled('cd a; cd b; cp ', 'a '), /names too many files/],
  [filled('find . ', '-exec ls '), /nests too many commands/],
  [filled('sudo ', 'cp '), /nests too many commands/],
  ["env -u -Sa -u -Sa -u -Sa -u -Sa '-Srm x'", /nests too many commands/],
  [filled('', 'ls && ') + 'ls', /contains too many commands/],
  [filled('', 'cd a && ls && ') + 'ls', /changes the folder too often/],
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
    assert.deepEqual(commandFiles(readBash(filled('cp ', 'a ')), '/ws', '/home/u'), []);
    assert.equal(
      commandFiles(
        readBash(`cp ${Array.from({ length: 200 }, (_, index) => `a${String(index)}`).join(' ')} b`),
        '/ws',
        '/home/u',
      ).length > 200,
      true,
    );
  });
});
