// Which changed lines ran: a report of LCOV and a difference of git, brought together.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { addedIn } from '../../../../../src/core/tools/tests/changed-lines';
import { coverageOutput, coverageText } from '../../../../../src/core/tools/tests/coverage-output';
import { readLcov } from '../../../../../src/core/tools/tests/readers/read-lcov';
import { readCoverage, readReport } from '../../../../../src/core/tools/tests/readers/read-report';
import { runnerCommand } from '../../../../../src/core/tools/tests/runner-command';

const place = { folder: '/w/sub', root: '/w' };

describe('coverage of changed lines', () => {
  it('reads LCOV in the middle of other output, several records of one file together', () => {
    const text =
      'ok 1 - a\nTN:\nSF:src/a.mjs\nFN:1,a\nDA:1,1\nDA:2,0\nend_of_record\nSF:/w/b.py\nDA:3,2\nend_of_record\nDA:9,9\nSF:src/a.mjs\nDA:2,1,hash\nend_of_record\n# end\n';
    const read = readLcov(text, place) ?? assert.fail();
    assert.deepEqual(
      [...read].map(([path, lines]) => [path, [...lines]]),
      [
        [
          '/w/sub/src/a.mjs',
          [
            [1, 1],
            [2, 1],
          ],
        ],
        ['/w/b.py', [[3, 2]]],
      ],
    );
    assert.equal(readLcov('ok 1 - a\n', place), undefined);
  });

  it('reads what pytest-cov really printed, beside the report of the tests', () => {
    const text = readFileSync('test/fixtures/test-reports/pytest-coverage.txt', 'utf8');
    const own = { folder: '/w', root: '/w' };
    const report = readReport({ name: 'pytest' }, text, own);
    assert.deepEqual([report?.passed, report?.skipped, report?.failures], [10, 1, []]);
    const read = readLcov(text, own) ?? assert.fail();
    assert.deepEqual([...read.keys()], ['/w/cart.py', '/w/test_cart.py']);
    const lines = read.get('/w/test_cart.py');
    assert.deepEqual([lines?.get(24), lines?.get(29), lines?.get(25)], [1, 0, undefined]);
  });

  it('reads what jest and vitest really printed, beside the report of the tests', () => {
    const own = { folder: '/w', root: '/w' };
    for (const name of ['jest', 'vitest'] as const) {
      const text = readFileSync(`test/fixtures/test-reports/${name}-coverage.txt`, 'utf8');
      const report = readReport({ name }, text, own);
      assert.deepEqual([report?.passed, report?.failures.length, report?.failures[0]?.ownName], [1, 1, 'small'], name);
      const lines = readLcov(text, own)?.get('/w/src/cart.js');
      assert.deepEqual([lines?.get(7), lines?.get(8), lines?.get(10)], [1, 0, 1], name);
    }
  });

  it('reads what go test really printed, a profile among its events', () => {
    const text = readFileSync('test/fixtures/test-reports/go-coverage.txt', 'utf8');
    const own = { folder: '/w', root: '/w' };
    const runner = { name: 'go', module: 'example.test/shop' } as const;
    const report = readReport(runner, text, own);
    assert.deepEqual([report?.passed, report?.failures.map(({ ownName }) => ownName)], [2, ['TestFails']]);
    const read = readCoverage(runner, text, own) ?? assert.fail();
    assert.deepEqual([...read.keys()].sort(), ['/w/price.go', '/w/sub/sub.go']);
    const lines = read.get('/w/price.go');
    // The condition ran, what depends on it did not.
    assert.deepEqual([lines?.get(4), lines?.get(5), lines?.get(7)], [1, 0, 1]);
    assert.equal(readCoverage({ name: 'go', module: 'other.test/shop' }, text, own), undefined);
  });

  it('says why a package of Go failed, without the profile that stands beside it', () => {
    const failed = `mode: set
{"Action":"output","Package":"x.test/m","Output":"cannot reach the data base\\n"}
x.test/m/app.go:5.24,7.2 1 1
{"Action":"fail","Package":"x.test/m","Elapsed":0.1}
`;
    const report = readReport({ name: 'go', module: 'x.test/m' }, failed, { folder: '/w', root: '/w' });
    assert.deepEqual(report?.broken, [{ path: '/w', message: 'cannot reach the data base' }]);
  });

  it('reads the added lines of a difference, whatever they look like', () => {
    const diff = `diff --git a/a.mjs b/a.mjs
index 1..2 100644
--- a/a.mjs
+++ b/a.mjs
@@ -1,3 +1,5 @@
 one
-two
+++ b/other.mjs
+
+three
 four
@@ -9,0 +12 @@ head
+last
\\ No newline at end of file
diff --git a/gone b/gone
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/b c.py b/b c.py
--- /dev/null
+++ b/b c.py\t
@@ -0,0 +1,2 @@
+x
+y
`;
    assert.deepEqual(
      [...addedIn(diff)],
      [
        ['a.mjs', [2, 4, 12]],
        ['b c.py', [1, 2]],
      ],
    );
  });

  it('says what ran, what did not, and what is not known', () => {
    const coverage = new Map([
      [
        '/w/a.mjs',
        new Map([
          [1, 1],
          [3, 0],
          [4, 0],
          [5, 2],
          [9, 0],
        ]),
      ],
    ]);
    const changed = new Map([
      ['/w/a.mjs', [1, 2, 3, 4, 5, 9]],
      ['/w/b.mjs', [1]],
      ['/w/c.md', [1]],
      ['/w/d.mjs', []],
    ]);
    assert.deepEqual(coverageText(coverageOutput(coverage, changed, { cwd: '/w', source: /\.mjs$/ })), [
      'Coverage: 2 of 5 uncommitted lines that can run did. Not run:',
      '  a.mjs: 3-4, 9',
      'Not measured, as no test loads them: b.mjs.',
    ]);
    assert.deepEqual(coverageText({ changed: 0, ran: 0, missed: [], unmeasured: [] }), [
      'Coverage: no line that can run is uncommitted.',
    ]);
  });

  it('is asked of the runners that give it', () => {
    const wanted = { files: [], names: [], declared: [], coverage: true };
    const line = (name: 'node' | 'jest' | 'vitest' | 'pytest' | 'mocha'): string =>
      runnerCommand({ name, folder: '/w', others: [] }, wanted, '/w');
    assert.match(
      line('node'),
      /^node --test --test-reporter=tap --test-reporter-destination=stdout --experimental-test-coverage --test-reporter=lcov/,
    );
    assert.match(line('pytest'), /--junitxml=\/dev\/stdout --cov --cov-report=lcov:\/dev\/stdout \| cat$/);
    assert.equal(line('jest'), 'npx jest --json --testLocationInResults --coverage --coverageReporters=text-lcov');
    assert.match(line('vitest'), / --coverage\.enabled --coverage\.reporter=text-lcov --coverage\.reportOnFailure$/);
    assert.equal(line('mocha'), 'npx mocha --reporter json');
  });
});
