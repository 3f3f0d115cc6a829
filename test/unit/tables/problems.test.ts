// Problems, row by row: what the model reads of what is reported, what is cut, and what has come and gone.
import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../src/core/ports/diagnostics';
import { type ProblemSurvey } from '../../../src/core/ports/problems';
import { type Refactorings } from '../../../src/core/ports/refactorings';
import { problemsTool } from '../../../src/core/tools/problems/problems';
import { type ToolRow, toolTable } from '../../support/tool-table';

const A = '/w/src/a.ts';
const B = '/w/b.js';
const problem = (path: string, line: number, message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  path,
  line,
  column: 3,
  severity: 'error',
  message,
  source: 'ts',
  ...more,
});
const wrong = problem(A, 4, "Type 'string' is not\n  assignable.", { code: '2322' });
const unused = problem(A, 2, 'x is unused.', { severity: 'warning', source: 'eslint' });
const hint = problem(A, 9, 'Could be const.', { severity: 'hint' });
const other = problem(B, 1, 'No such name.');
const survey = (problems: Diagnostic[], more: Partial<ProblemSurvey> = {}): Pick<ToolRow, 'ports'> => ({
  ports: { problems: { survey: async () => ({ problems, before: new Map(), notes: [], ...more }) } },
});
const fixing = (fixes: Refactorings['fixes']): Refactorings => ({
  rename: () => assert.fail(),
  organizeImports: () => assert.fail(),
  format: () => assert.fail(),
  fix: () => assert.fail(),
  fixes,
});
const both =
  "1 error, 1 warning in 1 file.\nsrc/a.ts\n  2:3 warning: x is unused. (eslint)\n  4:3 error: Type 'string' is not assignable. (ts 2322)";

const rows: Omit<ToolRow, 'files'>[] = [
  {
    name: 'errors and warnings by file; what is less severe is counted',
    input: {},
    ...survey([hint, wrong, unused]),
    text: `${both}\n1 less severe one not shown.`,
    detail: '1 error, 1 warning',
    check: ({ view }) => {
      assert.ok(view?.kind === 'matches');
      assert.deepEqual(
        view.items.map(({ path, line }) => [path, line]),
        [
          [A, 2],
          [A, 4],
        ],
      );
    },
  },
  {
    name: 'of one source',
    input: { source: 'ESLint' },
    ...survey([wrong, unused]),
    text: '1 warning in 1 file.\nsrc/a.ts\n  2:3 warning: x is unused. (eslint)',
  },
  {
    name: 'of another severity',
    input: { severity: 'error' },
    ...survey([wrong, unused]),
    text: "1 error in 1 file.\nsrc/a.ts\n  4:3 error: Type 'string' is not assignable. (ts 2322)\n1 less severe one not shown.",
  },
  {
    name: 'new and fixed since the last look, wherever lines have moved to',
    input: { paths: ['src/a.ts', 'b.js'] },
    ...survey([{ ...unused, line: 7 }, wrong, other], {
      before: new Map([[A, [unused, problem(A, 1, 'Gone.')]]]),
    }),
    text: "2 errors, 1 warning in 2 files; 1 new, 1 fixed.\nb.js\n  1:3 error: No such name. (ts)\nsrc/a.ts\n  4:3 error: Type 'string' is not assignable. (ts 2322) [new]\n  7:3 warning: x is unused. (eslint)\nFixed:\n  src/a.ts:1:3 error: Gone. (ts)",
    detail: '2 errors, 1 warning (1 new, 1 fixed)',
    check: ({ output }) => {
      const { items } = output as { items: { path: string; isNew?: boolean }[] };
      assert.deepEqual(
        items.map(({ path, isNew }) => [path, isNew]),
        [
          ['b.js', undefined],
          ['src/a.ts', true],
          ['src/a.ts', false],
        ],
      );
    },
  },
  {
    name: 'nothing, and what was not looked at',
    input: { paths: ['b.js'] },
    ...survey([], { notes: ['Nothing has reported on b.js.'] }),
    text: 'No problems are reported in b.js.\nNote: Nothing has reported on b.js.',
    detail: 'no problems',
  },
  {
    name: 'what rules hide is left out',
    input: {},
    prepare: ({ hidden }) => void hidden.add(B),
    ...survey([wrong, unused, other]),
    text: both,
  },
  {
    name: 'at most fifty, the gravest, and the rest by file',
    input: {},
    ...survey([
      ...Array.from({ length: 60 }, (_, index) => problem(B, index + 1, 'Bad.', { severity: 'warning' })),
      wrong,
    ]),
    text: /^1 error, 60 warnings in 2 files\.\nb\.js\n(?: {2}\d+:3 warning: Bad\. \(ts\)\n){49}src\/a\.ts\n {2}4:3 error: .*\nNot shown: b\.js \(11\)\. Ask about one of these files or folders\.$/,
  },
  {
    name: 'quick fixes with their ids',
    input: { fixes: true },
    ports: {
      problems: { survey: async () => ({ problems: [wrong], before: new Map(), notes: [] }) },
      refactorings: fixing(async ([first]) => ({
        fixes: [{ id: 'fix-1', title: 'Change the type', problem: first ?? assert.fail() }],
        notes: ['Not for b.js.'],
      })),
    },
    text: "1 error in 1 file.\nsrc/a.ts\n  4:3 error: Type 'string' is not assignable. (ts 2322)\n    fix-1: Change the type\nNote: Not for b.js.",
  },
  {
    name: 'a host without fixes says so',
    input: { fixes: true },
    ...survey([wrong]),
    text: /Note: Quick fixes are known only in the editor\.$/,
  },
  {
    name: 'a path that is not there',
    input: { paths: ['/w/none'] },
    ...survey([]),
    code: 'not-found',
    text: '/w/none does not exist. Check the path; Glob finds files by name.',
  },
  {
    name: 'a path from a home folder',
    input: { paths: ['~/a.ts'] },
    ...survey([]),
    code: 'invalid-path',
    text: /paths must be an absolute path: "~" is not expanded/,
  },
];

describe('Problems', () => {
  toolTable(
    problemsTool,
    rows.map((row) => ({ ...row, files: { [A]: '', [B]: '' } })),
  );
});
