// What stays of a test runner's output: every failure with its message, whatever else it printed. The outputs are recorded.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { withoutPassedTests } from '../../../../../src/core/tools/bash/passed-tests';

const folder = 'test/fixtures/test-output';
const recorded = (name: string): string => readFileSync(`${folder}/${name}.txt`, 'utf8');

/** By the recording: passed tests, parts of names that go, and what has to stay. */
const rows: Record<string, { passed: number; gone: RegExp; stays: readonly string[] }> = {
  tap: {
    passed: 6,
    gone: /case number [01245]|passes inside/,
    stays: ['not ok 4 - case number 3', '1 !== 2', 'fails inside', 'not this', 'is skipped', '# fail 3'],
  },
  spec: {
    passed: 6,
    gone: /case number [01245]|passes inside/,
    stays: ['✖ case number 3', '1 !== 2', '✖ fails inside', 'not this', 'is skipped', 'ℹ fail 3'],
  },
  mocha: { passed: 5, gone: /case number [01245]/, stays: ['1) case number 3', '5 passing', '1 failing', '1 !== 2'] },
  jest: {
    passed: 3,
    gone: /adds up \(|adds again \(|is fine|PASS/,
    stays: ['✕ adds wrongly', '● sums › adds wrongly', 'Expected: 3', 'Received: 2', 'Tests:       1 failed, 3 passed'],
  },
  vitest: {
    passed: 2,
    gone: /✓|is fine/,
    stays: ['× a.test.js > sums > adds wrongly', 'AssertionError: expected 2 to be 3', '1 failed | 2 passed'],
  },
  pytest: {
    passed: 5,
    gone: /PASSED/,
    stays: ['number_3_of_the_long_suite_adds_up FAILED', 'E       assert 1 == 2', '1 failed, 5 passed'],
  },
  cargo: {
    passed: 2,
    gone: /\.\.\. ok/,
    stays: ['tests::adds_wrongly ... FAILED', 'left: 2', 'right: 3', '2 passed; 1 failed'],
  },
};

describe('lines of passed tests', () => {
  it('are known of each runner that is recorded', () =>
    assert.deepEqual(
      readdirSync(folder).sort(),
      Object.keys(rows)
        .sort()
        .map((name) => `${name}.txt`),
    ));

  for (const [name, { passed, gone, stays }] of Object.entries(rows))
    it(`${name}: go, and nothing else does`, () => {
      const output = recorded(name);
      const { text, passed: counted } = withoutPassedTests(output);
      assert.equal(counted, passed);
      assert.doesNotMatch(text, gone);
      for (const part of stays) assert.ok(output.includes(part) && text.includes(part), part);
      const left = text.split('\n');
      const lines = output.split('\n');
      assert.ok(left.length < lines.length);
      let at = 0;
      for (const line of left) {
        at = lines.indexOf(line, at) + 1;
        assert.ok(at > 0, `in its order: ${line}`);
      }
    });

  it('of go test -v go too; its logs and failures stay', () => {
    const output =
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:9: got 1, want 2\n--- FAIL: TestB (0.00s)\nFAIL\n';
    assert.deepEqual(withoutPassedTests(output), {
      text: '    b_test.go:9: got 1, want 2\n--- FAIL: TestB (0.00s)\nFAIL\n',
      passed: 1,
    });
  });

  it('are not looked for in messages: those may say anything', () => {
    const tap = 'TAP version 13\nnot ok 1 - a\n  ---\n  error: |-\n    ok 2 - b\n    ✔ c\n  ...\nok 2 - b\n1..2';
    assert.equal(withoutPassedTests(tap).text, tap.replace('\nok 2 - b\n1..2', '\n1..2'));
    for (const message of [
      '✖ a\n  ✔ in the message\n  test x ... ok\n',
      '  1 failing\n\n  1) a:\n\n✔ in the message\n',
      'failures:\n\n---- a stdout ----\ntest x ... ok\n',
      '=== FAILURES ===\na.py::b PASSED\n',
    ])
      assert.deepEqual(withoutPassedTests(message), { text: message, passed: 0 });
    const log = 'ok 1 - as a log may say\n';
    assert.deepEqual(withoutPassedTests(log), { text: log, passed: 0 });
  });

  it('never take a failing test or its message with them', () => {
    const word = fc.stringMatching(/^[a-z ✔✓]{1,12}$/).map((text) => `x${text.trimEnd()}`);
    const test = fc.record({
      name: word,
      fails: fc.boolean(),
      message: fc.array(word, { minLength: 1, maxLength: 4 }),
    });
    const printers: Record<string, (one: { name: string; fails: boolean; message: string[] }, at: number) => string[]> =
      {
        tap: ({ name, fails, message }, at) => [
          `# Subtest: ${name}`,
          `${fails ? 'not ok' : 'ok'} ${at} - ${name}`,
          '  ---',
          ...(fails ? message : ['duration_ms: 1']).map((line) => `    ${line}`),
          '  ...',
        ],
        spec: ({ name, fails, message }) =>
          fails ? [`✖ ${name} (1ms)`, ...message.map((line) => `  ${line}`), ''] : [`✔ ${name} (1ms)`],
        go: ({ name, fails, message }) =>
          fails
            ? [`=== RUN   ${name}`, ...message.map((line) => `    a_test.go:1: ${line}`), `--- FAIL: ${name} (0.00s)`]
            : [`=== RUN   ${name}`, `--- PASS: ${name} (0.00s)`],
      };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(printers)), fc.array(test, { maxLength: 12 }), (kind, tests) => {
        const print = printers[kind] ?? assert.fail();
        const output = [...(kind === 'tap' ? ['TAP version 13'] : []), ...tests.flatMap(print)].join('\n');
        const { text, passed } = withoutPassedTests(output);
        assert.equal(passed, tests.filter(({ fails }) => !fails).length);
        for (const one of tests.filter(({ fails }) => fails))
          for (const line of [one.name, ...one.message]) assert.ok(text.includes(line), `${kind}: ${line}`);
      }),
    );
  });
});
