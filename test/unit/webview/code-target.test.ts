// Which file a block of code names.
import assert from 'node:assert/strict';
import { canBeApplied, codeTarget } from '../../../webview-ui/markdown/code-target';

const cases: readonly [info: string, code: string, expected: string | undefined][] = [
  ['ts', 'const a = 1;', undefined],
  ['ts src/a.ts', '', 'src/a.ts'],
  ['ts:src/a.ts', '', 'src/a.ts'],
  ['src/a.ts', '', 'src/a.ts'],
  ['12:20:src/a.ts', '', 'src/a.ts'],
  ['ts title="src/my file.ts"', '', 'src/my file.ts'],
  ['js filename=a.js {1,3}', '', 'a.js'],
  ['Dockerfile', '', undefined],
  ['c++', '', undefined],
  ['ts', '// src/a.ts\nconst a = 1;', 'src/a.ts'],
  ['python', '# File: tools/run.py\nimport os', 'tools/run.py'],
  ['css', '/* styles/base.css */\nbody {}', 'styles/base.css'],
  ['html', '<!-- index.html -->\n<p>', 'index.html'],
  ['ts', '// e.g.\nconst a = 1;', undefined],
  ['ts', '// Adds and/or removes\nconst a = 1;', undefined],
  ['sh', '#!/bin/sh\necho', undefined],
  ['ts', '// ../../etc/a.ts\n', '../../etc/a.ts'],
];

describe('the file that a block of code names', () => {
  for (const [info, code, expected] of cases)
    it(`${info} | ${code.split('\n')[0]}`, () => assert.equal(codeTarget(info, code), expected));

  it('decides whether what is run is offered for a file', () => {
    assert.equal(canBeApplied('bash', 'npm test'), false);
    assert.equal(canBeApplied('bash scripts/run.sh', 'npm test'), true);
    assert.equal(canBeApplied('', 'some output'), false);
    assert.equal(canBeApplied('ts', 'const a = 1;'), true);
    assert.equal(canBeApplied('ts', '  '), false);
    assert.equal(canBeApplied('diff', '+a'), false);
  });
});
