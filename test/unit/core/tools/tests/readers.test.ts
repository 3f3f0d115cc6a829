// What each runner really printed of its planted project, read: every failure at its line, in a fraction of the bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readReport } from '../../../../../src/core/tools/tests/readers/read-report';
import { type RunnerName, type TestReport } from '../../../../../src/core/tools/tests/readers/test-report';
import { testsOutput, testsText } from '../../../../../src/core/tools/tests/tests-output';
import { plantedProjects } from '../../../../support/planted-projects';

const place = { folder: '/w', root: '/w' };
const recorded = (name: string): string => readFileSync(`test/fixtures/test-reports/${name}.txt`, 'utf8');
const read = (name: RunnerName, text: string, module = ''): TestReport => {
  const report = readReport({ name, module }, text, place);
  assert.ok(report !== undefined, 'There is no report in it.');
  return report;
};
const told = (report: TestReport, runner: string): string =>
  testsText(testsOutput(report, { cwd: '/w', runner, notes: [] }));

describe('reports of test runners', () => {
  let located = 0;
  let [ours, terminal] = [0, 0];

  for (const [name, { failures }] of Object.entries(plantedProjects) as [
    RunnerName,
    (typeof plantedProjects)['node'],
  ][])
    it(`${name}: four planted failures at their lines`, () => {
      const report = read(name, recorded(name));
      assert.deepEqual([report.passed, report.skipped, report.broken], [6, 1, []]);
      assert.equal(report.failures.length, failures.length);
      for (const [index, planted] of failures.entries()) {
        const found = report.failures[index]!;
        assert.match(found.name, planted.name);
        assert.deepEqual(found.place, { path: `/w/${planted.path}`, line: planted.line }, found.name);
        const { frame } = found;
        assert.equal(frame && `${frame.path.slice(3)}:${frame.line}`, planted.frame, found.name);
        located += 1;
      }
      const text = told(report, name);
      for (const { path, line } of failures) assert.match(text, new RegExp(`^${path}$[^]*^ {2}${line} `, 'm'));
      const [own, whole] = [Buffer.byteLength(text), Buffer.byteLength(recorded(`${name}-terminal`))];
      ours += own;
      terminal += whole;
    });

  it('20 of 20, in at most 15 % of what the terminals show', () => {
    assert.equal(located, 20);
    assert.ok(ours <= 0.15 * terminal, `${ours} of ${terminal} bytes`);
  });

  it('tells what was expected and found', () => {
    const values = (name: RunnerName): unknown[] =>
      read(name, recorded(name)).failures.map(({ expected, actual }) => [expected, actual]);
    assert.deepEqual(values('node')[0], ['3', '4']);
    assert.deepEqual(values('mocha')[0], ['3', '4']);
    assert.deepEqual(values('jest')[0], ['3', '4']);
    assert.deepEqual(values('pytest')[0], ['3', '4']);
    assert.match(told(read('vitest', recorded('vitest')), 'vitest'), /6 cart > adds prices: .*expected 4 to be 3/);
  });
});
