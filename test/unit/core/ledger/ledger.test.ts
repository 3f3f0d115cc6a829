// The ledger of a turn from its records: files, checks and when they ran, what is missing, refused, running and due.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type VerifyEntry } from '../../../../src/core/ledger/facts/due-checks';
import { readCounts } from '../../../../src/core/ledger/facts/counts';
import { readCommand } from '../../../../src/core/ledger/facts/runners';
import { createLedgerFold } from '../../../../src/core/ledger/ledger-fold';
import { type Ledger } from '../../../../src/shared/ledger';
import { ledgerLine, ledgerRows } from '../../../../src/shared/ledger-words';
import { terminalText } from '../../../../src/shared/terminal-text';
import { ledgerLog, type Step } from '../../../support/ledger-log';

function ledgerOf(steps: readonly Step[], verify: readonly VerifyEntry[] = []): Ledger {
  const fold = createLedgerFold({ verify: () => verify });
  for (const record of ledgerLog([{ prompt: 'Go' }, ...steps, 'end'])) fold.add(record);
  return fold.ledger();
}

const line = (...steps: Step[]): string => ledgerLine(ledgerOf(steps));
const edit: Step = { edit: 'src/a.ts' };
const jest = (passed: number, failed = 0): string =>
  `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\n`;

describe('the ledger of a turn', () => {
  it('says in one line what changed and what ran behind the last edit', () => {
    assert.equal(
      line(edit, { edit: 'src/b.ts' }, { edit: 'docs/c.md' }, { run: 'npm test', out: jest(41) }),
      '3 files changed · 41 tests passed after the last edit · types not checked',
    );
    assert.equal(line(edit), '1 file changed · tests not run · types not checked');
    assert.equal(line({ edit: 'README.md' }), '1 file changed');
    assert.equal(
      line({ edit: 'a.py' }, { run: 'pytest -q', exit: 1, out: '1 failed, 3 passed in 0.1s\n' }),
      '1 file changed · 1 of 4 tests failed after the last edit',
    );
    assert.equal(line(), 'Nothing changed');
  });

  it('names the file that was changed behind a check', () => {
    const ledger = ledgerOf([edit, { run: 'npm test', out: jest(41) }, { edit: 'src/b.ts' }]);
    assert.deepEqual(ledger.checks[0]?.staleFor, ['/w/src/b.ts']);
    assert.deepEqual(
      ledger.missing.map(({ kind, since, ranBefore }) => [kind, since, ranBefore]),
      [
        ['tests', '/w/src/b.ts', true],
        ['types', '/w/src/b.ts', false],
      ],
    );
    assert.deepEqual(ledgerRows(ledger), [
      'Changed: /w/src/a.ts',
      'Changed: /w/src/b.ts',
      'npm test: 41 tests passed, before the last edit of /w/src/b.ts',
      'Tests not run since the last edit of /w/src/b.ts.',
      'Types not checked after the edit of /w/src/b.ts.',
    ]);
  });

  it('has the last run of each command, with its exit code and its counts', () => {
    const { checks } = ledgerOf([
      edit,
      { run: 'npm test', exit: 1, out: jest(40, 1) },
      edit,
      { run: 'npm test', out: jest(41) },
      { run: 'npx eslint .', exit: 2 },
    ]);
    assert.deepEqual(
      checks.map(({ command, state, exitCode, counts, kinds }) => [
        command,
        state,
        exitCode,
        counts?.passed,
        kinds.join(),
      ]),
      [
        ['npm test', 'passed', 0, 41, 'tests'],
        ['npx eslint .', 'failed', 2, undefined, 'lint'],
      ],
    );
  });

  it('takes the word of Tests, of tasks, and of what npm prints that it runs', () => {
    const tests = {
      runner: 'node:test',
      command: 'node --test',
      state: 'ran',
      passed: 3,
      failed: 1,
      skipped: 0,
      brokenTotal: 1,
    };
    const { checks } = ledgerOf([
      edit,
      { call: 'Tests', result: tests },
      { call: 'RunTask', input: { task: 'npm: build' }, result: { state: 'exit code 2, 1 problem', lines: [] } },
      { run: 'npm run ci', out: '\n> app@1.0.0 ci\n> tsc --noEmit && vitest run\n\n      Tests  7 passed (7)\n' },
    ]);
    assert.deepEqual(
      checks.map(({ kinds, state, counts }) => [kinds.join(), state, counts?.failed]),
      [
        ['tests', 'failed', 2],
        ['build', 'failed', undefined],
        ['types,tests', 'unknown', 0],
      ],
    );
  });

  it('says nothing of a code that is not the check’s own', () => {
    const state = (run: string, out = '', exit = 0): unknown => ledgerOf([edit, { run, out, exit }]).checks[0]?.state;
    assert.equal(state('npm test | tail -5'), 'unknown');
    assert.equal(state('npm test 2>&1 | tail -5', jest(41)), 'passed');
    assert.equal(state('npm test 2>&1 | tail -5', jest(40, 1)), 'failed');
    assert.equal(state('npm test || true', jest(40, 1)), 'failed');
    assert.equal(state('npm test; echo done'), 'unknown');
    assert.equal(state('set -o pipefail; npm test | tee log'), 'passed');
    assert.equal(state('npm run lint && npm test', '', 1), 'unknown');
    assert.equal(state('cd app && CI=1 npm test', '', 1), 'failed');
    assert.equal(state('npx tsc --noEmit | head', 'src/a.ts(1,2): error TS2322: No.'), 'failed');
    assert.equal(state('pytest', '===== no tests ran in 0.01s =====', 5), 'failed');
  });

  it('lists what was refused and undone, and what still runs', () => {
    const ledger = ledgerOf([
      edit,
      { call: 'Edit', input: { file_path: '/w/src/b.ts' }, denied: 'user' },
      { call: 'Bash', input: { command: 'npm publish' }, denied: 'rule' },
      { run: 'npm run dev', background: true },
      {
        record: {
          type: 'user',
          isMeta: true,
          message: { role: 'user', content: 'x' },
          changedFiles: [{ filePath: '/w/src/a.ts', hash: '', act: 'undone' }],
        },
      },
    ]);
    assert.deepEqual(ledger.refused, [
      { what: 'Edit /w/src/b.ts', why: 'rejected' },
      { what: 'npm publish', why: 'denied' },
      { what: '/w/src/a.ts', why: 'undone' },
    ]);
    assert.deepEqual(
      ledger.running.map(({ command }) => command),
      ['npm run dev'],
    );
    assert.match(ledgerLine(ledger), /2 refused, 1 undone · 1 command still running/);
  });

  it('follows a check in the background to its end', () => {
    const running = ledgerLog([{ prompt: 'Go' }, edit, { run: 'npm test', background: true }]);
    const id = running
      .flatMap((record) => (record.type === 'system' && record.subtype === 'tool_started' ? [record.toolUseId] : []))
      .at(-1);
    const fold = createLedgerFold();
    for (const record of running) fold.add(record);
    assert.equal(fold.ledger().checks[0]?.state, 'running');
    const end = {
      type: 'system',
      subtype: 'background_end',
      taskId: 'b1',
      toolUseId: id,
      message: '',
      end: { state: 'exited', code: 0 },
      tail: jest(41),
    };
    for (const record of ledgerLog([{ record: end }])) fold.add(record);
    const { checks, running: left } = fold.ledger();
    assert.deepEqual([checks[0]?.state, checks[0]?.counts?.passed, left], ['passed', 41, []]);
  });

  it('counts a run of the user’s own, behind the turn', () => {
    const fold = createLedgerFold();
    const user = {
      type: 'system',
      subtype: 'user_call',
      toolUseId: 'user_1',
      tool: 'Bash',
      input: { command: 'npm test' },
      state: 'done',
      result: { stdout: jest(41), state: 'exited', exitCode: 0 },
    };
    for (const record of ledgerLog([{ prompt: 'Go' }, edit, 'end', { record: user }])) fold.add(record);
    const { checks, missing } = fold.ledger();
    assert.deepEqual(
      checks.map(({ byUser, state, staleFor }) => [byUser, state, staleFor]),
      [[true, 'passed', []]],
    );
    assert.deepEqual(
      missing.map(({ kind }) => kind),
      ['types'],
    );
  });

  it('says what settings want run for the changed files, until it ran', () => {
    const verify: VerifyEntry[] = [
      { files: 'src/**/*.ts', run: 'npm run test:unit' },
      { files: ['docs/**'], run: 'npm run docs' },
      { files: '*.ts', task: 'npm: lint' },
    ];
    const due = (...steps: Step[]): string[] => ledgerOf(steps, verify).due.map(({ run }) => run);
    assert.deepEqual(due(edit), ['npm run test:unit', 'npm: lint']);
    assert.deepEqual(due({ run: 'npm run test:unit' }, edit), ['npm run test:unit', 'npm: lint']);
    assert.deepEqual(due(edit, { run: 'cd /w && npm run test:unit -- --bail' }), ['npm: lint']);
    assert.deepEqual(due(edit, { run: 'npm run test:unit2' }), ['npm run test:unit', 'npm: lint']);
    assert.deepEqual(due({ edit: 'a.md' }), []);
  });

  it('admits what it cannot know', () => {
    const { commandsMayHaveChanged, agentsWorked, missing } = ledgerOf([
      edit,
      { run: './gen.sh' },
      { call: 'Agent', input: { prompt: 'x' } },
    ]);
    assert.deepEqual([commandsMayHaveChanged, agentsWorked, missing[0]?.uncertain], [true, true, true]);
    const outside: Step = {
      record: {
        type: 'user',
        isMeta: true,
        message: { role: 'user', content: 'x' },
        changedFiles: [{ filePath: '/w/src/c.ts', hash: 'h' }],
      },
    };
    assert.deepEqual(ledgerOf([{ run: './gen.sh' }, outside]).files, [{ path: '/w/src/c.ts', edits: 0 }]);
    assert.equal(ledgerOf([edit, { run: 'git status && cat a | head -3' }]).commandsMayHaveChanged, false);
  });

  it('goes on where a turn goes on without a prompt, and begins with the next prompt', () => {
    const fold = createLedgerFold();
    for (const record of ledgerLog([{ prompt: 'Go' }, edit, 'end', { edit: 'src/b.ts' }, 'end'])) fold.add(record);
    assert.equal(fold.ledger().files.length, 2);
    for (const record of ledgerLog([{ prompt: 'Next' }, { edit: 'src/c.ts' }])) fold.add(record);
    assert.deepEqual(
      fold.ledger().files.map(({ path }) => path),
      ['/w/src/c.ts'],
    );
  });

  it('takes a claim back that the log bears at the end of the turn', () => {
    const fold = createLedgerFold();
    const add = (steps: Step[]) => ledgerLog(steps).flatMap((record) => fold.add(record));
    assert.equal(add([{ prompt: 'Go' }, edit, { says: 'All tests pass.' }])[0]?.claims.length, 1);
    add([{ run: 'npm test', out: jest(41) }, 'end']);
    assert.deepEqual(
      fold.settle().map(({ claims }) => claims),
      [[]],
    );
    assert.deepEqual(fold.ledger().claims, []);
  });
});

describe('commands that check', () => {
  const kinds = (command: string): string => readCommand(command).kinds.join();
  it('are known by what they run, whatever starts them', () => {
    for (const [command, expected] of Object.entries({
      'npm test': 'tests',
      'npm t': 'tests',
      'yarn test --watch=false': 'tests',
      'pnpm run test:unit': 'tests',
      'npm --prefix app test': 'tests',
      'pnpm --filter web test': 'tests',
      'yarn jest src': 'tests',
      'npx -y vitest run': 'tests',
      'node --import tsx --test test/a.ts': 'tests',
      './node_modules/.bin/mocha': 'tests',
      'python3 -m pytest -x': 'tests',
      '.venv/bin/pytest': 'tests',
      'uv run pytest': 'tests',
      'python -m unittest': 'tests',
      'go test ./...': 'tests,build',
      'cargo test -p core': 'tests,build',
      'cargo check': 'build',
      'cargo clippy -- -D warnings': 'lint,build',
      './gradlew test': 'tests,build',
      'make test': 'tests',
      'make -j4 lint': 'lint',
      'npx tsc --noEmit -p .': 'types',
      'npm run typecheck': 'types',
      'npm run lint:fix': 'lint',
      'eslint . --max-warnings 0': 'lint',
      'npx prettier --check .': 'format',
      'ruff check src': 'lint',
      'mypy .': 'types',
      'npm run build && npm test': 'build,tests',
      'time env CI=1 timeout 60 npm test': 'tests',
      "bash -c 'npm test'": '',
      'git commit -m "npm test"': '',
      'echo npm test': '',
      'npm install jest': '',
      'prettier --write .': '',
      'grep -rn "pytest" .': '',
      'cat test.log': '',
      'node test.js': '',
      'npm run dev': '',
    }))
      assert.equal(kinds(command), expected, command);
  });
});

describe('counts of tests', () => {
  it('are read from the output of real runners', () => {
    const counts = (name: string): string => {
      const { passed, failed, skipped } = readCounts(
        terminalText(readFileSync(`test/fixtures/test-output/${name}.txt`, 'utf8')),
        true,
      ) ?? {
        passed: -1,
        failed: -1,
        skipped: -1,
      };
      return `${name} ${passed} ${failed} ${skipped}`;
    };
    const names = ['cargo', 'jest', 'mocha', 'pytest', 'spec', 'tap', 'vitest'];
    assert.deepEqual(names.map(counts), [
      'cargo 2 1 0',
      'jest 3 1 0',
      'mocha 5 1 0',
      'pytest 5 1 0',
      'spec 6 3 1',
      'tap 6 3 1',
      'vitest 2 1 0',
    ]);
  });

  it('are none where nobody can tell', () => {
    assert.equal(readCounts('All good.', true), undefined);
    assert.equal(readCounts('3 tests passed, I think', true), undefined);
    const two = 'test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: ok. 4 passed; 0 failed; 0 ignored\n';
    assert.deepEqual(readCounts(two, true), { passed: 7, failed: 0, skipped: 1 });
    assert.equal(readCounts(two, false), undefined, 'a summary may be in what is left out');
    assert.equal(readCounts(`${two}Tests:       1 passed, 1 total\n`, true), undefined, 'two runners');
  });
});
