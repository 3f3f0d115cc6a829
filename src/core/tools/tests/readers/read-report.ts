// A runner's output as what it found.
import { terminalText } from '../../../../shared/terminal-text';
import { type ReadPlace, type RunnerName, type TestReport } from './test-report';
import { readCargo } from './read-cargo';
import { readGo } from './read-go';
import { readGoCoverage } from './read-go-coverage';
import { type Coverage, readLcov } from './read-lcov';
import { readJest, readMocha } from './read-json-report';
import { readJunit } from './read-junit';
import { readTap } from './read-tap';

/** `module`: of Go. */
type Reported = { name: RunnerName; module?: string };

/** Undefined where there is no report in it. */
export function readReport(runner: Reported, raw: string, place: ReadPlace): TestReport | undefined {
  const output = terminalText(raw);
  switch (runner.name) {
    case 'node':
      return readTap(output, place);
    case 'mocha':
      return readMocha(output, place);
    case 'jest':
    case 'vitest':
      return readJest(output, place);
    case 'pytest':
      return readJunit(output, place);
    case 'go':
      return readGo(output, place, runner.module ?? '');
    case 'cargo':
      return readCargo(output, place);
  }
}

/** Undefined where no coverage is in it. */
export function readCoverage(runner: Reported, output: string, place: ReadPlace): Coverage | undefined {
  return runner.name === 'go' ? readGoCoverage(output, place, runner.module ?? '') : readLcov(output, place);
}

/** Those whose report comes test by test, so that what has come can be shown. */
export function streams({ name }: Reported): boolean {
  return name === 'node' || name === 'go' || name === 'cargo';
}
