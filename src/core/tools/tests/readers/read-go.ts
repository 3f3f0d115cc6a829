// `go test -json`: one event a line.
import { join } from 'pathe';
import { isObject } from '../../../../shared/plain-object';
import { type Path } from '../../../ports/path';
import { isOfProfile } from './read-go-coverage';
import { emptyReport, nameOf, type ReadPlace, type TestPlace, type TestReport } from './test-report';

interface GoTest {
  output: string[];
  action?: string;
}

/** `module`: the path that go.mod gives the folder. */
export function readGo(output: string, place: ReadPlace, module: string): TestReport | undefined {
  const tests = new Map<string, GoTest>();
  const builds = new Map<string, string[]>();
  const plain: string[] = [];
  let seconds = 0;
  for (const line of output.split('\n')) {
    const event = eventOf(line);
    if (event === undefined) {
      if (!isOfProfile(line)) plain.push(line);
      continue;
    }
    const { action, name, text, elapsed } = event;
    if (action === 'build-output') builds.set(name, [...(builds.get(name) ?? []), text]);
    const test = tests.get(name) ?? { output: [] };
    tests.set(name, test);
    if (action === 'output') test.output.push(text);
    else if (['pass', 'fail', 'skip'].includes(action)) {
      test.action = action;
      if (!name.includes('\0')) seconds += elapsed;
    }
  }
  return tests.size === 0 ? undefined : reportOf(tests, { builds, plain, seconds }, { place, module });
}

function eventOf(line: string): { action: string; name: string; text: string; elapsed: number } | undefined {
  if (!line.startsWith('{')) return undefined;
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(found) || typeof found['Action'] !== 'string') return undefined;
  const { Action: action, Package: goPackage, ImportPath: importPath, Test: test, Output: text, Elapsed } = found;
  const owner = String(goPackage ?? importPath ?? '').replace(/ \[.*\]$/, '');
  return {
    action,
    name: typeof test === 'string' ? `${owner}\0${test}` : owner,
    text: typeof text === 'string' ? text : '',
    elapsed: typeof Elapsed === 'number' ? Elapsed : 0,
  };
}

function reportOf(
  tests: ReadonlyMap<string, GoTest>,
  { builds, plain, seconds }: { builds: ReadonlyMap<string, string[]>; plain: readonly string[]; seconds: number },
  { place, module }: { place: ReadPlace; module: string },
): TestReport {
  const report = { ...emptyReport(), durationMs: Math.round(seconds * 1_000) };
  const names = [...tests.keys()];
  for (const [key, { action, output }] of tests) {
    const [owner = '', name] = key.split('\0');
    const folder = owner === module ? place.folder : join(place.folder, owner.slice(module.length + 1));
    if (name === undefined) {
      const hasFailed = names.some((one) => one.startsWith(`${key}\0`) && tests.get(one)?.action === 'fail');
      if (action === 'fail' && !hasFailed)
        report.broken.push({
          path: folder,
          message: (builds.get(owner) ?? [...plain, ...output]).join('').trim() || 'It failed.',
        });
      continue;
    }
    // A test is its subtests.
    if (names.some((one) => one.startsWith(`${key}/`))) continue;
    if (action === 'pass') report.passed += 1;
    else if (action === 'skip') report.skipped += 1;
    else report.failures.push(failureOf(name, output.join(''), folder));
  }
  return report;
}

function failureOf(name: string, output: string, folder: Path): TestReport['failures'][number] {
  const text = output
    .split('\n')
    .filter((line) => !/^\s*(?:=== |--- |PASS$|FAIL$)/.test(line))
    .join('\n');
  const frames = [...text.matchAll(/^\s*(?:Error Trace:\s*)?((?:\/|[A-Za-z]:)?[\w./-]*?\.go):(\d+)/gm)].map(
    ([, file = '', line = '']): TestPlace => ({
      path: file.startsWith('/') ? file : join(folder, file),
      line: Number(line),
    }),
  );
  const own = frames.filter(({ path }) => path.startsWith(`${folder}/`));
  const failed = own.find(({ path }) => path.endsWith('_test.go')) ?? own[0];
  const [inner] = own;
  const [, expected] = /^\s*(?:expected|want)\s*: ?(.+)$/im.exec(text) ?? [];
  const [, actual] = /^\s*(?:actual|got)\s*: ?(.+)$/im.exec(text) ?? [];
  return {
    name: nameOf([], name),
    ownName: name,
    ...(failed === undefined ? {} : { place: failed }),
    message: messageOf(text),
    ...(expected === undefined || actual === undefined ? {} : { expected, actual }),
    ...(inner === undefined || inner === failed ? {} : { frame: inner }),
  };
}

function messageOf(text: string): string {
  const panic = /^panic: (.+?)(?: \[recovered.*)?$/m.exec(text)?.[1];
  if (panic !== undefined) return `panic: ${panic}`;
  return (
    text
      .replace(/^\s*[\w.-]+\.go:\d+:\s*/gm, '')
      .replace(/^ {4}/gm, '')
      .trim() || 'It failed.'
  );
}
