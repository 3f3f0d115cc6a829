// Tasks in a parser of command lines written in JavaScript; its checks run for real.
import { edit, find, lines, list, needed, read, readLines, run, symbol, type Task } from '../intents';

const lastCase = "  [['--prot', '80'], 'Unknown option --prot. Did you mean --port?'],\n";

/** As `node --test` prints it where no terminal is: a long suite of another package that uses this one, in which two cases fail. */
function longSuite(...failing: readonly number[]): string {
  const cases = Array.from({ length: 500 }, (_, index) => {
    const name = `case ${index}: the options of command ${index} are read as written`;
    const failed = failing.includes(index);
    const block = failed
      ? `  location: '/suite/commands.test.js:${index + 3}:1'\n  failureType: 'testCodeFailure'\n  error: 'Expected 0 of case ${index} to be kept, got undefined'\n  code: 'ERR_ASSERTION'\n`
      : "  type: 'test'\n";
    return `# Subtest: ${name}\n${failed ? 'not ok' : 'ok'} ${index + 1} - ${name}\n  ---\n  duration_ms: 0.1\n${block}  ...\n`;
  });
  const counts = `# tests 500\n# pass ${500 - failing.length}\n# fail ${failing.length}\n`;
  return `TAP version 13\n${cases.join('')}1..500\n${counts}`;
}

export const optionsTasks: readonly Task[] = [
  {
    name: 'options/value-with-equals',
    repository: 'options',
    prompt: '`--name=a=b` gives "a". Add a case to the checks, see it fail, fix it.',
    steps: [
      [symbol('parse'), lines("split\\('='\\)")],
      read('lib/parse.js', 'check.mjs'),
      [
        edit('check.mjs', lastCase, `${lastCase}  [['--name=a=b'], { options: { name: 'a=b' }, rest: [] }],\n`),
        run('node check.mjs'),
      ],
      [
        edit(
          'lib/parse.js',
          "    const [name, given] = argument.slice(2).split('=');\n",
          '    const [, name, given] = /^--([^=]*)(?:=(.*))?$/s.exec(argument);\n',
        ),
        run('node check.mjs'),
      ],
    ],
    answer: 'Everything behind the first "=" is the value now (`lib/parse.js:14`). 5 of 5 checks pass.',
  },
  {
    name: 'options/double-dash',
    repository: 'options',
    prompt: 'Support `--`: all that follows belongs to the rest.',
    steps: [
      read('lib/parse.js', 'check.mjs', 'README.md'),
      [
        edit(
          'lib/parse.js',
          "    if (!argument.startsWith('--')) {",
          "    if (argument === '--') {\n      rest.push(...argv.slice(at + 1));\n      break;\n    }\n    if (!argument.startsWith('--')) {",
        ),
        edit('check.mjs', lastCase, `${lastCase}  [['a', '--', '--port'], { options: {}, rest: ['a', '--port'] }],\n`),
        edit('README.md', "name: 'string' })`.\n", "name: 'string' })`. What follows `--` belongs to the rest.\n"),
        run('node check.mjs'),
      ],
    ],
    answer: '`--` ends the options (`lib/parse.js:10`). 5 of 5 checks pass.',
  },
  {
    name: 'options/empty-number',
    repository: 'options',
    prompt: '`--port=` is taken as 0. It should be an error.',
    steps: [
      [lines('Number\\(', 'lib/**', 2), find('convert')],
      [readLines('lib/convert.js', 1, 12), ...read('check.mjs')],
      [
        edit(
          'lib/convert.js',
          'if (Number.isNaN(number)) throw',
          "if (value.trim() === '' || Number.isNaN(number)) throw",
        ),
        edit('lib/convert.js', 'needs a number, not ${value}`', 'needs a number, not ${JSON.stringify(value)}`'),
        edit('check.mjs', lastCase, `${lastCase}  [['--port='], '--port needs a number, not ""'],\n`),
      ],
      [run('node check.mjs'), run('git diff --stat')],
    ],
    answer: 'An empty value is no number (`lib/convert.js:8`); the message quotes the value.',
  },
  {
    name: 'options/negated-booleans',
    repository: 'options',
    prompt: 'Support `--no-verbose` for booleans, but not for other types.',
    steps: [
      [list('**/*.js')],
      read('lib/parse.js', 'lib/suggest.js', 'check.mjs'),
      [
        edit(
          'lib/parse.js',
          '    const type = types[name];\n',
          `    const negated = name.startsWith('no-') ? name.slice(3) : undefined;
    if (negated !== undefined && types[negated] === 'boolean' && given === undefined) {
      options[negated] = false;
      continue;
    }
    const type = types[name];
`,
        ),
        edit(
          'check.mjs',
          lastCase,
          `${lastCase}  [['--no-verbose'], { options: { verbose: false }, rest: [] }],
  [['--no-port'], 'Unknown option --no-port'],
`,
        ),
        run('node check.mjs'),
      ],
    ],
    answer: '`--no-verbose` sets false (`lib/parse.js:15`). 6 of 6 checks pass.',
  },
  {
    name: 'options/review-uncommitted',
    repository: 'options',
    prompt: 'Add defaults: `parse(argv, types, { port: 80 })`. Then show me what you changed.',
    steps: [
      read('lib/parse.js', 'check.mjs'),
      [
        edit(
          'lib/parse.js',
          'export function parse(argv, types) {\n  const options = {};',
          'export function parse(argv, types, defaults = {}) {\n  const options = { ...defaults };',
        ),
        edit('check.mjs', 'const types = {', 'const defaults = {};\nconst types = {'),
        edit('check.mjs', 'got = parse(argv, types);', 'got = parse(argv, types, defaults);'),
      ],
      [run('node check.mjs'), run('git status --short'), run('git diff')],
    ],
    answer: 'Defaults are the third parameter (`lib/parse.js:5`). Changed: `lib/parse.js`, `check.mjs`.',
  },
  {
    name: 'options/long-suite',
    repository: 'options',
    prompt: 'The suite in ../suite fails with this parser. Find out why and fix it here.',
    steps: [
      [
        needed(
          'npm --prefix ../suite test',
          longSuite(170, 310),
          1,
          'Expected 0 of case 170 to be kept',
          'Expected 0 of case 310 to be kept',
        ),
      ],
      read('lib/convert.js', 'check.mjs'),
      [
        edit('check.mjs', lastCase, `${lastCase}  [['--port', '0'], { options: { port: 0 }, rest: [] }],\n`),
        run('node check.mjs'),
        needed('npm --prefix ../suite test', longSuite(), 0),
      ],
    ],
    answer: 'Zero is kept now; the suite passes.',
  },
];
