// The command line that runs tests with the runner's own machine-readable report.
import { relative } from 'pathe';
import { type Path } from '../../ports/path';
import { type Runner } from './find-runner';
import { type RunnerName } from './readers/test-report';
import { shellWord } from '../../text/shell-quoted';
import { asRegExp, optionsOf, withoutOptions } from './script-words';

export interface Wanted {
  /** Files that are run; none runs what the runner finds. */
  files: Path[];
  /** Below which tests are run, where it is not the runner's own folder. */
  folder?: Path;
  /** A part of a test's name. */
  name?: string;
  /** Tests by their own names. */
  names: string[];
  /** Of Go: those that the files declare. */
  declared: string[];
  /** With a report of the lines that ran, where the runner gives one. */
  coverage?: boolean;
}

/** Runners that give it on standard output: Go as a profile, the others as LCOV; pytest with pytest-cov, vitest with a provider of its own. */
export const givesCoverage: ReadonlySet<RunnerName> = new Set(['node', 'jest', 'vitest', 'pytest', 'go']);

/** Options of runners whose value is the next word. */
const valued: Readonly<Record<'node' | 'jest' | 'vitest' | 'mocha', ReadonlySet<string>>> = {
  node: new Set(
    '--import --require -r --loader --experimental-loader --conditions -C --env-file --test-concurrency --test-timeout --test-reporter --test-reporter-destination --test-name-pattern'.split(
      ' ',
    ),
  ),
  mocha: new Set(
    '--require -r --reporter -R --reporter-option --reporter-options -O --timeout -t --ui -u --config --extension --ignore --grep -g --fgrep -f --retries --slow -s --package --file --jobs -j --node-option -n --import --loader --spec'.split(
      ' ',
    ),
  ),
  jest: new Set(
    '--config -c --env --rootDir --roots --setupFilesAfterEnv --maxWorkers -w --testTimeout --selectProjects --projects --reporters --outputFile --testNamePattern -t --testPathPattern --testPathPatterns --coverageDirectory --coverageReporters'.split(
      ' ',
    ),
  ),
  vitest: new Set(
    '--config -c --root -r --dir --project --mode --reporter --outputFile --testNamePattern -t --pool --coverage.reporter'.split(
      ' ',
    ),
  ),
};

/** What decides about the report and the end of the run is Deft's, what chooses tests is the call's. */
const replaced: Readonly<Record<'node' | 'jest' | 'vitest' | 'mocha', ReadonlySet<string>>> = {
  node: new Set(
    '--watch --test-reporter --test-reporter-destination --test-name-pattern --experimental-test-coverage'.split(' '),
  ),
  mocha: new Set('--watch -w --reporter -R --reporter-option --reporter-options -O --grep -g --fgrep -f'.split(' ')),
  jest: new Set(
    '--watch --watchAll --reporters --outputFile --json --testNamePattern -t --testPathPattern --testPathPatterns --coverage --coverageReporters --verbose --silent'.split(
      ' ',
    ),
  ),
  vitest: new Set(
    '--watch -w --ui --reporter --outputFile --testNamePattern -t --coverage --coverage.enabled --coverage.reporter'.split(
      ' ',
    ),
  ),
};

/** `cwd`: the folder that the command starts in. */
export function runnerCommand(runner: Runner, wanted: Wanted, cwd: Path): string {
  const inOwn = runner.name === 'node' && wanted.folder !== undefined && wanted.files.length === 0;
  const folder = inOwn ? wanted.folder! : runner.folder;
  const line = lines[runner.name](runner, wanted);
  return folder === cwd ? line : `cd ${shellWord(placeFrom(cwd, folder))} && ${line}`;
}

const placeFrom = (cwd: Path, folder: Path): string => (folder.startsWith(`${cwd}/`) ? relative(cwd, folder) : folder);

const lines: Readonly<Record<RunnerName, (runner: Runner, wanted: Wanted) => string>> = {
  node(runner, wanted) {
    const { options, positional } = scriptParts(runner, 'node', wanted);
    return joined([
      `${runner.script?.variables ?? ''}${runner.script?.program ?? 'node'} --test --test-reporter=tap`,
      ...(wanted.coverage === true
        ? [
            '--test-reporter-destination=stdout --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=stdout',
          ]
        : []),
      ...options,
      ...namePattern(wanted, (pattern) => [shellWord(`--test-name-pattern=${pattern}`)]),
      ...pathWords(runner, wanted, positional),
    ]);
  },
  mocha(runner, wanted) {
    const { options, positional } = scriptParts(runner, 'mocha', wanted);
    const folder =
      wanted.folder === undefined ? [] : ['--recursive', shellWord(relative(runner.folder, wanted.folder))];
    return joined([
      `${runner.script?.variables ?? ''}${runner.script?.program ?? 'npx mocha'} --reporter json`,
      ...options,
      ...namePattern(wanted, (pattern) => ['--grep', shellWord(pattern)]),
      ...(wanted.files.length === 0 && wanted.folder !== undefined ? folder : pathWords(runner, wanted, positional)),
    ]);
  },
  jest(runner, wanted) {
    const { options, positional } = scriptParts(runner, 'jest', wanted);
    const folder = wanted.folder === undefined ? [] : [shellWord(`${asRegExp(wanted.folder)}/`)];
    return joined([
      `${runner.script?.variables ?? ''}${runner.script?.program ?? 'npx jest'} --json --testLocationInResults`,
      ...(wanted.coverage === true ? ['--coverage --coverageReporters=text-lcov'] : []),
      ...options,
      ...namePattern(wanted, (pattern) => ['-t', shellWord(pattern)]),
      ...(wanted.files.length > 0
        ? ['--runTestsByPath', ...pathWords(runner, wanted, [])]
        : wanted.folder === undefined
          ? positional
          : folder),
    ]);
  },
  vitest(runner, wanted) {
    const { options, positional } = scriptParts(runner, 'vitest', wanted);
    const folder = wanted.folder === undefined ? positional : [shellWord(`${relative(runner.folder, wanted.folder)}/`)];
    return joined([
      `${runner.script?.variables ?? ''}${runner.script?.program ?? 'npx vitest'} run --reporter=json`,
      ...(wanted.coverage === true
        ? ['--coverage.enabled --coverage.reporter=text-lcov --coverage.reportOnFailure']
        : []),
      ...options,
      ...namePattern(wanted, (pattern) => ['-t', shellWord(pattern)]),
      ...(wanted.files.length > 0 ? pathWords(runner, wanted, []) : folder),
    ]);
  },
  pytest(runner, wanted) {
    const folder = wanted.folder === undefined ? [] : [shellWord(relative(runner.folder, wanted.folder))];
    const chosen = [...(wanted.name === undefined ? [] : [wanted.name]), ...wanted.names].map(pytestWords);
    return joined([
      // It writes its report to a file alone, and /dev/stdout is one that may be opened once more only as a pipe.
      `${runner.program ?? 'python3 -m pytest'} -q --tb=short -o junit_family=xunit1 --junitxml=/dev/stdout`,
      ...(wanted.coverage === true ? ['--cov --cov-report=lcov:/dev/stdout'] : []),
      ...(chosen.length === 0
        ? []
        : ['-k', shellWord(chosen.length === 1 ? chosen[0]! : chosen.map((one) => `(${one})`).join(' or '))]),
      ...(wanted.files.length > 0 ? pathWords(runner, wanted, []) : folder),
      '| cat',
    ]);
  },
  go(runner, wanted) {
    const folders = wanted.files.length > 0 ? wanted.files.map((file) => file.replace(/\/[^/]*$/, '')) : [];
    const below = wanted.folder === undefined ? './...' : `./${relative(runner.folder, wanted.folder)}/...`;
    const places = [...new Set(folders.map((folder) => `./${relative(runner.folder, folder)}`))];
    const exact = [...wanted.names, ...(wanted.names.length === 0 ? wanted.declared : [])];
    const pattern =
      wanted.name !== undefined
        ? asRegExp(wanted.name)
        : exact.length > 0
          ? `^(${[...new Set(exact.map((name) => asRegExp(name.split('/')[0]!)))].join('|')})$`
          : undefined;
    return joined([
      'go test -json',
      ...(pattern === undefined ? [] : ['-run', shellWord(pattern)]),
      ...(wanted.coverage === true ? ['-coverpkg=./... -coverprofile=/dev/stdout'] : []),
      ...(places.length > 0 ? places.map(shellWord) : [shellWord(below)]),
      // As with pytest: the report's file is opened once more.
      ...(wanted.coverage === true ? ['| cat'] : []),
    ]);
  },
  cargo(_runner, wanted) {
    const targets = wanted.files.flatMap((file) => {
      const [, test] = /\/tests\/([^/]+)\.rs$/.exec(file) ?? [];
      return test === undefined ? [] : ['--test', shellWord(test)];
    });
    const filters = [...(wanted.name === undefined ? [] : [wanted.name]), ...wanted.names];
    return joined([
      'cargo test --no-fail-fast --color never',
      ...targets,
      ...(filters.length === 0 ? [] : ['--', ...filters.map(shellWord)]),
    ]);
  },
};

/** What the project's script says beside the program. Other tests than its own are chosen by its options alone. */
function scriptParts(
  { script }: Runner,
  runner: 'node' | 'jest' | 'vitest' | 'mocha',
  { files, folder }: Wanted,
): { options: string[]; positional: string[] } {
  const words = withoutOptions(script?.words ?? [], replaced[runner], valued[runner]);
  const options = optionsOf(words, valued[runner]);
  if (files.length > 0 || folder !== undefined) return { options, positional: [] };
  const own = new Set(options);
  return { options, positional: words.filter((word) => !own.has(word)) };
}

function pathWords({ folder }: Runner, { files }: Wanted, otherwise: readonly string[]): string[] {
  return files.length === 0 ? [...otherwise] : files.map((file) => shellWord(placeFrom(folder, file)));
}

function namePattern({ name, names }: Wanted, option: (pattern: string) => string[]): string[] {
  const chosen = [...(name === undefined ? [] : [name]), ...names];
  return chosen.length === 0 ? [] : option([...new Set(chosen)].map(asRegExp).join('|'));
}

/** -k takes an expression of words, in which a test's parameters have no place. */
function pytestWords(name: string): string {
  return (name.replace(/\[.*\]$/, '').match(/\w+/g) ?? []).join(' and ');
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}
