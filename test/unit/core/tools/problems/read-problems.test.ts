// What checkers really print, read as problems: ESLint run for real, the others as their documentation and sources have it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FoundProblem } from '../../../../../src/core/tools/problems/found-problem';
import { byPath, reportedBefore } from '../../../../../src/core/tools/problems/known-reports';
import { readProblemJson } from '../../../../../src/core/tools/problems/read-problem-json';
import { readProblemLines } from '../../../../../src/core/tools/problems/read-problem-lines';

const short = ({ path: file, line, column, severity, message, source, code }: FoundProblem): string =>
  [`${file}:${line}:${column}`, severity, message, ...[source, code].filter((part) => part !== undefined)].join(' | ');

/** By name: the output, its problems, and what is said besides. */
const texts: Readonly<Record<string, { text: string; problems: string[]; rest?: string[]; placeless?: string[] }>> = {
  'tsc, with a message of several lines': {
    text: "src/a.ts(1,14): error TS2322: Type '{ a: number; }' is not assignable to type 'B'.\n  Types of property 'a' are incompatible.\n    Type 'number' is not assignable to type 'string'.\nsrc/b.ts(7,1): error TS1005: ';' expected.\n",
    problems: [
      "src/a.ts:1:14 | error | Type '{ a: number; }' is not assignable to type 'B'. Types of property 'a' are incompatible. Type 'number' is not assignable to type 'string'. | ts | 2322",
      "src/b.ts:7:1 | error | ';' expected. | ts | 1005",
    ],
  },
  'tsc for people': {
    text: "src/a.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n1 export const size: number = 'large';\n               ~~~~\n\n\nFound 1 error in src/a.ts:1\n",
    problems: ["src/a.ts:1:14 | error | Type 'string' is not assignable to type 'number'. | ts | 2322"],
    rest: ["1 export const size: number = 'large';", '~~~~', 'Found 1 error in src/a.ts:1'],
  },
  'tsc that cannot begin': {
    text: "error TS5058: The specified path does not exist: 'tsconfig.json'.\n",
    problems: [],
    placeless: ["error TS5058: The specified path does not exist: 'tsconfig.json'."],
  },
  'the C# compiler': {
    text: '/w/Program.cs(3,5): error CS1002: ; expected [/w/app.csproj]\n',
    problems: ['/w/Program.cs:3:5 | error | ; expected | CS1002'],
  },
  gcc: {
    text: "a.c: In function 'main':\na.c:3:5: error: 'x' undeclared (first use in this function)\n    3 |     x = 1;\n      |     ^\na.c:3:5: note: each undeclared identifier is reported only once\na.c:9:1: warning: unused variable 'y' [-Wunused-variable]\n",
    problems: [
      "a.c:3:5 | error | 'x' undeclared (first use in this function)",
      'a.c:3:5 | information | each undeclared identifier is reported only once',
      "a.c:9:1 | warning | unused variable 'y' | -Wunused-variable",
    ],
    rest: ["a.c: In function 'main':", '3 |     x = 1;', '|     ^'],
  },
  mypy: {
    text: 'a.py:3: error: Incompatible return value type (got "int", expected "str")  [return-value]\nb.py:1:8: note: See the docs\nFound 1 error in 1 file (checked 2 source files)\n',
    problems: [
      'a.py:3:1 | error | Incompatible return value type (got "int", expected "str") | return-value',
      'b.py:1:8 | information | See the docs',
    ],
    rest: ['Found 1 error in 1 file (checked 2 source files)'],
  },
  'ruff, flake8 and pylint': {
    text: 'a.py:1:8: F401 [*] `os` imported but unused\na.py:2:80: E501 line too long (99 > 79 characters)\nb.py:1:0: C0114: Missing module docstring (missing-module-docstring)\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.\n',
    problems: [
      'a.py:1:8 | error | `os` imported but unused | F401',
      'a.py:2:80 | error | line too long (99 > 79 characters) | E501',
      'b.py:1:1 | warning | Missing module docstring (missing-module-docstring) | C0114',
    ],
    rest: ['Found 2 errors.', '[*] 1 fixable with the `--fix` option.'],
  },
  'go vet': {
    text: '# example.com/x\n./main.go:5:2: fmt.Printf format %d has arg "a" of wrong type string\nvet: ./b.go:7:1: undefined: y\n',
    problems: [
      './main.go:5:2 | error | fmt.Printf format %d has arg "a" of wrong type string',
      './b.go:7:1 | error | undefined: y',
    ],
    rest: ['# example.com/x'],
  },
  'cargo check': {
    text: 'error[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |     let x: i32 = "a";\n  |            ---   ^^^ expected `i32`, found `&str`\n\nwarning: unused variable: `y`\n --> src/lib.rs:4:9\n\nerror: could not compile `x` (bin "x") due to 1 previous error\n',
    problems: [
      'src/main.rs:2:18 | error | mismatched types | E0308',
      'src/lib.rs:4:9 | warning | unused variable: `y`',
    ],
    rest: [
      'error[E0308]: mismatched types',
      '|',
      '2 |     let x: i32 = "a";',
      '|            ---   ^^^ expected `i32`, found `&str`',
      'warning: unused variable: `y`',
      'error: could not compile `x` (bin "x") due to 1 previous error',
    ],
  },
  'cargo check, short': {
    text: 'src/main.rs:2:18: error[E0308]: mismatched types\n',
    problems: ['src/main.rs:2:18 | error | mismatched types | E0308'],
  },
  'shellcheck, yamllint and eslint as unix': {
    text: 'a.sh:3:5: warning: Double quote to prevent globbing. [SC2086]\nb.yaml:4:1: [error] wrong indentation (indentation)\n/w/c.js:1:1: Unexpected var. [Error/no-var]\n',
    problems: [
      'a.sh:3:5 | warning | Double quote to prevent globbing. | SC2086',
      'b.yaml:4:1 | error | wrong indentation (indentation)',
      '/w/c.js:1:1 | error | Unexpected var. | eslint | no-var',
    ],
  },
  'addresses, times and stacks are no problems': {
    text: 'Server: http://localhost:3000/\n12:30:45 compiling\n    at run (/w/a.js:3:5)\nAll good\n',
    problems: [],
    rest: ['Server: http://localhost:3000/', '12:30:45 compiling', 'at run (/w/a.js:3:5)', 'All good'],
  },
};

const documents: Readonly<Record<string, { text: string; problems: string[] | undefined }>> = {
  'ruff as JSON': {
    text: '[{"code":"F401","filename":"/w/a.py","location":{"column":8,"row":1},"message":"unused","fix":null}]',
    problems: ['/w/a.py:1:8 | error | unused | ruff | F401'],
  },
  'stylelint as JSON': {
    text: '[{"source":"/w/a.css","warnings":[{"line":2,"column":3,"rule":"color-no-hex","severity":"warning","text":"No hex"}]}]',
    problems: ['/w/a.css:2:3 | warning | No hex | stylelint | color-no-hex'],
  },
  'pyright, which counts from 0': {
    text: '{"version":"1.1","generalDiagnostics":[{"file":"/w/a.py","severity":"error","message":"no","range":{"start":{"line":0,"character":4}},"rule":"reportX"}]}',
    problems: ['/w/a.py:1:5 | error | no | pyright | reportX'],
  },
  SARIF: {
    text: '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Semgrep"}},"results":[{"ruleId":"r1","level":"note","message":{"text":"hm"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a%20b.ts"},"region":{"startLine":3}}}]},{"ruleId":"r2","message":{"text":"oh"},"locations":[]}]}]}',
    problems: ['src/a b.ts:3:1 | information | hm | semgrep | r1', ':1:1 | warning | oh | semgrep | r2'],
  },
  'nothing, with a banner around it': { text: '> x@1.0.0 lint\n> eslint -f json .\n\n[]\n', problems: [] },
  'JSON of something else': { text: '{"name":"x"}', problems: undefined },
  'JSON that was cut': { text: '[{"filePath":"/w/a.js","messages":[', problems: undefined },
};

describe('reports of checkers', () => {
  for (const [name, { text, problems, rest = [], placeless = [] }] of Object.entries(texts))
    it(name, () => {
      assert.equal(readProblemJson(text), undefined);
      const read = readProblemLines(text);
      assert.deepEqual([read.problems.map(short), read.rest, read.placeless], [problems, rest, placeless]);
    });
  for (const [name, { text, problems }] of Object.entries(documents))
    it(name, () => assert.deepEqual(readProblemJson(text)?.map(short), problems));

  it('ESLint as it is: JSON and stylish say the same', function () {
    this.timeout(60_000);
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-eslint-')));
    try {
      writeFileSync(
        path.join(folder, 'eslint.config.mjs'),
        "export default [{ rules: { eqeqeq: 'warn', 'no-var': 'error' } }];\n",
      );
      writeFileSync(path.join(folder, 'a.js'), 'var a = 1 == 2;\n');
      writeFileSync(path.join(folder, 'b.js'), 'let = ;\n');
      const run = (format: string): string =>
        spawnSync(process.execPath, [path.resolve('node_modules/eslint/bin/eslint.js'), '-f', format, '.'], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...process.env, NO_COLOR: '1' },
        }).stdout;
      const expected = [
        `${folder}/a.js:1:1 | error | Unexpected var, use let or const instead. | eslint | no-var`,
        `${folder}/a.js:1:11 | warning | Expected '===' and instead saw '=='. | eslint | eqeqeq`,
      ];
      const json = readProblemJson(run('json')) ?? assert.fail('no JSON');
      const lines = readProblemLines(run('stylish'));
      assert.deepEqual(json.map(short).slice(0, 2), expected);
      assert.match(json.map(short)[2] ?? '', /b\.js:1:\d+ \| error \| Parsing error: .* \| eslint$/);
      // Stylish leaves the full stop out.
      const without = (text: string): string => text.replace('. | eslint', ' | eslint');
      assert.deepEqual(lines.problems.map(short), json.map(short).map(without));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what was reported before', () => {
  const problem = (file: string, message: string): FoundProblem => ({
    path: file,
    line: 1,
    column: 1,
    severity: 'error',
    message,
  });
  const messages = (before: ReturnType<typeof reportedBefore>): Record<string, string[]> =>
    Object.fromEntries([...before].map(([file, found]) => [file, found.map(({ message }) => message)]));

  it('is the last report of each command, for files that it reports on now or did then', () => {
    const run = {
      before: byPath([problem('a', 'old'), problem('b', 'gone')]),
      report: byPath([problem('a', 'old'), problem('c', 'new')]),
    };
    assert.deepEqual(messages(reportedBefore([run])), { a: ['old'], b: ['gone'], c: [] });
  });

  it('is nothing for a command that had not reported, and what it says of files that others know counts as old', () => {
    const first = { before: undefined, report: byPath([problem('a', 'x'), problem('d', 'y')]) };
    assert.deepEqual(messages(reportedBefore([first])), {});
    const known = { before: byPath([problem('a', 'old')]), report: byPath([]) };
    assert.deepEqual(messages(reportedBefore([known, first])), { a: ['old', 'x'] });
  });
});
