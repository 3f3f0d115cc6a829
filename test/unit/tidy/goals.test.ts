// Each row of docs/ux.md is counted by a test in a window: a goal that nobody counts is a claim.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

it('every goal of docs/ux.md is counted in a window', () => {
  const goals = [...readFileSync('docs/ux.md', 'utf8').matchAll(/^\| (?!Goal|-)(.+?) \|/gm)].map(([, goal]) => goal);
  const tests = readdirSync('test/e2e')
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(`test/e2e/${name}`, 'utf8'))
    .join('\n');
  assert.ok(goals.length >= 15, `${goals.length} goals`);
  assert.deepEqual(
    goals.filter((goal) => !tests.includes(`takesAsSaid('${goal}'`)),
    [],
  );
});
