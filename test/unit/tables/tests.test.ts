// Tests, row by row: what the model reads of a run, and what is said where none can be had.
import { type CommandResult } from '../../../src/core/ports/terminal';
import { testsTool } from '../../../src/core/tools/tests/tests';
import { type ToolRow, toolTable } from '../../support/tool-table';

const answered = (output: string, more: Partial<CommandResult> = {}): Pick<ToolRow, 'ports' | 'answer'> => ({
  ports: {
    terminal: {
      run: async () => ({
        end: { state: 'exited', code: 1 },
        output,
        omittedBytes: 0,
        totalBytes: output.length,
        incomplete: false,
        outputPath: '',
        cwd: '/w',
        durationMs: 1,
        survivors: [],
        notes: [],
        ...more,
      }),
    },
  },
  answer: {},
});
const node = { '/w/package.json': '{ "scripts": { "test": "node --test" } }', '/w/a.test.mjs': '' };
const failure = (at: number): string =>
  `# Subtest: t${at}\nnot ok ${at} - t${at}\n  ---\n  location: '/w/a.test.mjs:${at}:1'\n  failureType: 'testCodeFailure'\n  error: 'no'\n  ...\n`;
const tap = (...parts: string[]): string => `TAP version 13\n${parts.join('')}# duration_ms 1200.4\n`;

const rows: ToolRow[] = [
  {
    name: 'counts, and a failure at its line',
    files: node,
    input: {},
    ...answered(tap('ok 1 - fine\n', failure(3), 'ok 4 - later # SKIP\n')),
    text: '1 failed, 1 passed, 1 skipped in 1.2 s (node:test).\na.test.mjs\n  3 t3: no',
    detail: '1 failed, 1 passed, 1 skipped',
  },
  {
    name: 'more failures than are shown are counted by file',
    files: node,
    input: {},
    ...answered(tap(...Array.from({ length: 27 }, (_, at) => failure(at + 1)))),
    text: /^27 failed, 0 passed in[^]*25 t25: no\nFailures that are not shown: a\.test\.mjs \(2\)\. Run one of these files\.$/,
  },
  {
    name: 'no test is no success',
    files: node,
    input: { path: 'a.test.mjs', name: 'nothing' },
    ...answered(tap('ok 1 - fine # SKIP test name does not match pattern\n')),
    text: 'No tests ran (node:test). That is not the same as no failures.',
    detail: 'no tests ran',
  },
  {
    name: 'coverage that did not come is said',
    files: node,
    input: { coverage: true },
    ...answered(tap('ok 1 - fine\n')),
    text: '0 failed, 1 passed in 1.2 s (node:test).\nNote: node:test gave no coverage.',
  },
  {
    name: 'coverage of a runner that gives none is said',
    files: { '/w/package.json': '{ "scripts": { "test": "mocha" } }', '/w/node_modules/.bin/mocha': '' },
    input: { coverage: true },
    ...answered('nothing'),
    text: /Note: Deft reads the coverage of node:test, jest, vitest, pytest \(with pytest-cov\) and go test, not that of mocha\.$/,
  },
  {
    name: 'no report is no success',
    files: node,
    input: {},
    ...answered('node: bad option\n'),
    text: 'node:test gave no report, so it is not known what passed or failed.\nIts last output:\nnode: bad option',
  },
  {
    name: 'a file that is not there',
    files: node,
    input: { path: 'b.test.mjs' },
    code: 'not-found',
    text: /\/w\/b\.test\.mjs does not exist\./,
  },
  { name: 'no runner', files: { '/w/a.txt': '' }, input: {}, code: 'no-runner', text: /No test runner is set up for/ },
  {
    name: 'a runner that is not installed is not fetched',
    files: { '/w/package.json': '{ "scripts": { "test": "mocha" } }' },
    input: {},
    code: 'not-installed',
    text: /mocha is not installed in \/w\./,
  },
  { name: 'outside', files: node, input: { path: '/elsewhere' }, code: 'not-found', text: /does not exist/ },
  {
    name: 'failed with a path',
    files: node,
    input: { failed: true, path: 'a.test.mjs' },
    code: 'failed-alone',
    text: /leave path and name out/,
  },
  {
    name: 'hidden',
    files: node,
    input: { path: 'a.test.mjs' },
    session: { isHidden: () => true },
    code: 'hidden',
    text: /Permission rules hide/,
  },
];

describe('Tests', () => toolTable(testsTool, rows));
