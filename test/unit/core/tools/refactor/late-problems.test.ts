// A module that was just moved there is not missing, whatever a server that is late says; what is missing stays a problem.
import assert from 'node:assert/strict';
import { isLate } from '../../../../../src/core/tools/refactor/late-problems';

const there = new Set([
  '/w/src/application/main.ts',
  '/w/src/application/types.ts',
  '/w/src/application/ui/button.tsx',
  '/w/src/application/ui/index.ts',
  '/w/src/application/style.css',
]);
const problem = (message: string, code = '2307', path = '/w/src/application/main.ts') => ({
  path,
  line: 1,
  column: 1,
  severity: 'error' as const,
  message,
  code,
});
const missing = (specifier: string): string =>
  `Cannot find module '${specifier}' or its corresponding type declarations.`;

describe('isLate', () => {
  it('is what the move has answered', () => {
    for (const specifier of ['./types', './types.js', './ui/button', './ui', '../application/types'])
      assert.equal(isLate(problem(missing(specifier)), there), true, specifier);
    assert.equal(isLate(problem(missing('../src/application/main'), '2307', '/w/test/main.test.ts'), there), true);
    assert.equal(isLate(problem(`Modul "./types" wurde nicht gefunden.`), there), true, 'in German');
  });

  it('is nothing else', () => {
    for (const specifier of ['./gone', '../types', 'types', './style.css', './ui/button.css'])
      assert.equal(isLate(problem(missing(specifier)), there), false, specifier);
    assert.equal(isLate(problem(missing('./types'), '2322'), there), false);
  });
});
