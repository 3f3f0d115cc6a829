// The JSON of mocha, of jest, and of vitest, which writes what jest does.
import { isObject } from '../../../../shared/plain-object';
import {
  emptyReport,
  nameOf,
  ownFrames,
  placedPath,
  placesOf,
  type ReadPlace,
  type TestFailure,
  type TestReport,
} from './test-report';

/** `mocha --reporter json`. */
export function readMocha(output: string, place: ReadPlace): TestReport | undefined {
  const found = jsonWith(output, /^\{\n\s+"stats": \{/gm);
  const stats = found?.['stats'];
  if (!isObject(found) || !isObject(stats)) return undefined;
  const report: TestReport = {
    ...emptyReport(),
    passed: numberOf(stats['passes']),
    skipped: numberOf(stats['pending']),
    durationMs: numberOf(stats['duration']),
  };
  for (const test of objects(found['failures'])) {
    const error = isObject(test['err']) ? test['err'] : {};
    const [title, full] = [textOf(test['title']), textOf(test['fullTitle'])];
    const file = test['file'] === undefined ? undefined : placedPath(textOf(test['file']), place);
    const suite = full.endsWith(title) ? full.slice(0, full.length - title.length).trim() : '';
    report.failures.push({
      name: nameOf([suite], title),
      ownName: title,
      ...placesOf(
        ownFrames(textOf(error['stack']), place),
        file,
        file === undefined ? undefined : { path: file, line: 1 },
      ),
      message: textOf(error['message']) || 'It failed.',
      ...compared(error['expected'], error['actual']),
    });
  }
  return report;
}

/** `jest --json` and the `json` reporter of vitest. */
export function readJest(output: string, place: ReadPlace): TestReport | undefined {
  const found = jsonWith(output, /^\{"num(?:Failed|Total)Test/gm);
  if (!isObject(found)) return undefined;
  const report = emptyReport();
  let [first, last] = [Infinity, 0];
  for (const file of objects(found['testResults'])) {
    const path = placedPath(textOf(file['name']), place);
    const tests = objects(file['assertionResults']);
    first = Math.min(first, numberOf(file['startTime']) || Infinity);
    last = Math.max(last, numberOf(file['endTime']));
    if (tests.length === 0 && file['status'] === 'failed')
      report.broken.push({ path, message: textOf(file['message']).trim() || 'It could not be run.' });
    for (const test of tests) addJestTest(report, test, { path, place });
  }
  if (last > first) report.durationMs = Math.round(last - first);
  return report;
}

function addJestTest(
  report: TestReport,
  test: Readonly<Record<string, unknown>>,
  { path, place }: { path: string; place: ReadPlace },
): void {
  const status = textOf(test['status']);
  if (status === 'passed') report.passed += 1;
  else if (status === 'failed') report.failures.push(jestFailure(test, path, place));
  else report.skipped += 1;
}

function jestFailure(test: Readonly<Record<string, unknown>>, path: string, place: ReadPlace): TestFailure {
  const [stack = ''] = Array.isArray(test['failureMessages']) ? test['failureMessages'].map(textOf) : [];
  const location = isObject(test['location']) ? { path, line: numberOf(test['location']['line']) } : undefined;
  const [detail] = objects(test['failureDetails']);
  const matcher = isObject(detail?.['matcherResult']) ? detail['matcherResult'] : {};
  const ownName = textOf(test['title']);
  const suites = Array.isArray(test['ancestorTitles']) ? test['ancestorTitles'].map(textOf) : [];
  return {
    name: nameOf(suites, ownName),
    ownName,
    ...placesOf(ownFrames(stack, place), path, location),
    message: withoutStack(stack) || 'It failed.',
    ...compared(matcher['expected'], matcher['actual'], stack),
  };
}

/** What jest prints of values that JSON does not hold. */
function compared(expected: unknown, actual: unknown, text = ''): Pick<TestFailure, 'expected' | 'actual'> {
  const [one, other] = [
    expected === undefined ? /^Expected(?: \w+)?: +(.+)$/m.exec(text)?.[1] : valueText(expected),
    actual === undefined ? /^Received(?: \w+)?: +(.+)$/m.exec(text)?.[1] : valueText(actual),
  ];
  return one === undefined || other === undefined ? {} : { expected: one, actual: other };
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

function withoutStack(text: string): string {
  const at = text.search(/^\s+at .+:\d+:\d+\)?$/m);
  return (at < 0 ? text : text.slice(0, at)).trim();
}

/** The last object that begins so: programs print before it, behind it, and sometimes the like of it. */
function jsonWith(output: string, begins: RegExp): Record<string, unknown> | undefined {
  for (const { index } of [...output.matchAll(begins)].reverse()) {
    const text = output.slice(index);
    const [line = ''] = text.split('\n', 1);
    const blocks = line === '{' ? [...text.matchAll(/^\}/gm)].map((end) => text.slice(0, end.index + 1)) : [line, text];
    for (const block of blocks) {
      const found = parsed(block);
      if (isObject(found)) return found;
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
