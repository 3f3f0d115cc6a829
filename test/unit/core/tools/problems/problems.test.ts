// Which problems are new, fixed and old, and which of many are shown.
import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../../../src/core/ports/diagnostics';
import { judgeProblems, maxShown } from '../../../../../src/core/tools/problems/problems-output';
import { randomFrom } from '../../../../support/seeded';

const problem = (path: string, message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  path,
  line: 1,
  column: 1,
  severity: 'error',
  message,
  ...more,
});
const least = { least: 'warning', source: undefined } as const;
const none = (): boolean => false;

describe('problems that are judged', () => {
  it('a hint that became an error is new, and an error that became a hint is not fixed as such', () => {
    const before = new Map([['/a', [problem('/a', 'one', { severity: 'hint' }), problem('/a', 'two')]]]);
    const problems = [problem('/a', 'one'), problem('/a', 'two', { severity: 'hint' })];
    const judged = judgeProblems({ problems, before, notes: [] }, least, none);
    assert.deepEqual([...judged.added], [problems[0]]);
    assert.deepEqual(
      judged.fixed.map(({ message, severity }) => [message, severity]),
      [['two', 'error']],
    );
    assert.equal(judged.below, 1);
  });

  it('what is hidden is neither new nor fixed nor counted', () => {
    const before = new Map([['/secret', [problem('/secret', 'old')]]]);
    const judged = judgeProblems({ problems: [problem('/secret', 'new')], before, notes: [] }, least, (path) =>
      path.startsWith('/secret'),
    );
    assert.deepEqual([judged.all, [...judged.added], judged.fixed, judged.below], [[], [], [], 0]);
  });

  it('new, fixed and old add up, whatever comes and goes', () => {
    const random = randomFrom(11);
    const pick = (): Diagnostic[] =>
      Array.from({ length: Math.floor(random() * 8) }, () =>
        problem('/a', 'abc'.charAt(Math.floor(random() * 3)), { line: Math.floor(random() * 9) }),
      );
    for (let round = 0; round < 300; round++) {
      const [then, now] = [pick(), pick()];
      const judged = judgeProblems({ problems: now, before: new Map([['/a', then]]), notes: [] }, least, none);
      assert.equal(now.length - judged.added.size, then.length - judged.fixed.length);
    }
  });

  it('of many, the gravest and the new ones are shown, in the order of the file', () => {
    const warnings = Array.from({ length: maxShown * 2 }, (_, index) =>
      problem('/a', `w${index}`, { severity: 'warning', line: index + 2 }),
    );
    const before = new Map([['/a', warnings.slice(0, -1)]]);
    const judged = judgeProblems({ problems: [...warnings, problem('/b', 'e')], before, notes: [] }, least, none);
    const shown = judged.shown.map(({ message }) => message);
    assert.equal(shown.length, maxShown);
    assert.deepEqual(shown.slice(-2), [`w${maxShown * 2 - 1}`, 'e']);
  });
});
