// Names of branches for worktrees: what is proposed for a task, and what git would refuse.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { attemptsOf, branchProblem, freeBranch, proposedBranch } from '../../../../src/core/worktrees/branch-name';
import { randomFrom } from '../../../support/seeded';

describe('the name of a branch', () => {
  for (const [task, expected] of [
    ['Please fix the login of the admin page', 'fix-login-admin-page'],
    ["Don't crash in `parse()`\nwith more text below", 'dont-crash-parse'],
    ['Größe der Bilder begrenzen', 'große-der-bilder-begrenzen'],
    ['Do it', 'do'],
    ['   ', ''],
    ['!!!', ''],
    ['a'.repeat(300), 'a'.repeat(50)],
    ['Worktree agent a1234567', 'worktree-agent-a1234567'],
  ] as const)
    it(`is proposed for ${JSON.stringify(task.slice(0, 40))}`, () => {
      const refused = expected.startsWith('worktree-agent-');
      assert.equal(proposedBranch(task), refused ? '' : expected);
    });

  it('gets a number where there is one of that name, or a folder of names', () => {
    assert.equal(freeBranch('fix', ['main']), 'fix');
    assert.equal(freeBranch('fix', ['Fix', 'fix-2/a']), 'fix-3');
    assert.equal(freeBranch('', ['main']), '');
  });

  it('tells attempts at one task by its number', () => {
    const named = (...names: (string | undefined)[]) => names.map((branch) => ({ branch }));
    const groups = attemptsOf(named('fix-10', 'fix-2', 'main', 'fix', 'other-1', undefined, 'a/b-2', 'a/b-1', '-1'));
    assert.deepEqual(
      groups.map(({ name, trees }) => [name, trees.map(({ branch }) => branch)]),
      [
        ['fix', ['fix-2', 'fix-10']],
        ['a/b', ['a/b-1', 'a/b-2']],
      ],
    );
  });

  it('is refused with a reason where it clashes or is none', () => {
    assert.match(branchProblem('main', ['main']) ?? '', /There is a branch main already/);
    assert.match(branchProblem('main/a', ['main']) ?? '', /git cannot have both/);
    assert.match(branchProblem('a b', []) ?? '', /no spaces/);
    for (const name of [
      '',
      '-a',
      'HEAD',
      '@',
      'a..b',
      'a.lock',
      'a/.b',
      'a//b',
      '/a',
      'a/',
      'a@{1}',
      'a~1',
      'a:b',
      'a.',
    ])
      assert.ok(branchProblem(name, []), name);
  });

  it('is one for git whenever it passes', () => {
    const random = randomFrom(7);
    const letters = [
      'a',
      'B',
      '-',
      '.',
      '/',
      '@',
      '{',
      '~',
      ' ',
      '*',
      '\\',
      'ü',
      '..',
      '.lock',
      '\u0001',
      '[',
      ':',
      '^',
    ];
    const names = Array.from({ length: 60 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 5) }, () => letters[Math.floor(random() * letters.length)]).join(
        '',
      ),
    );
    for (const name of names.filter((one) => branchProblem(one, []) === undefined))
      assert.equal(execFileSync('git', ['check-ref-format', '--branch', name], { encoding: 'utf8' }).trim(), name);
  });
});
