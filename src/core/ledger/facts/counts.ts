// How many tests passed, failed and were skipped, from the summary lines that runners print. What cannot be read has no counts.
import { type TestCounts } from '../../../shared/ledger';

type Read = (text: string) => TestCounts[];

/** "1 failed, 40 passed", in any order and with any marks between them. */
function named(words: string): TestCounts {
  const of = (pattern: string): number =>
    [...words.matchAll(new RegExp(`(\\d+) (?:${pattern})\\b`, 'g'))].reduce((sum, [, count]) => sum + Number(count), 0);
  return {
    passed: of('passed|xpassed'),
    failed: of('failed|errors?'),
    skipped: of('skipped|todo|pending|ignored|xfailed'),
  };
}

function each(pattern: RegExp, counts: (...groups: string[]) => TestCounts): Read {
  return (text) => [...text.matchAll(pattern)].map(([, ...groups]) => counts(...groups.map((group) => group ?? '0')));
}

function numbers(passed: string, failed = '0', skipped = '0'): TestCounts {
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/** node:test: a line for each number. */
function readNode(text: string): TestCounts[] {
  const of = (name: string): number[] =>
    [...text.matchAll(new RegExp(`^(?:ℹ|#) ${name} (\\d+)$`, 'gm'))].map(([, count]) => Number(count));
  const [failed, cancelled, skipped, todo] = ['fail', 'cancelled', 'skipped', 'todo'].map(of);
  return of('pass').map((passed, at) => ({
    passed,
    failed: (failed?.[at] ?? 0) + (cancelled?.[at] ?? 0),
    skipped: (skipped?.[at] ?? 0) + (todo?.[at] ?? 0),
  }));
}

/** `go test -v` prints each test; without it, nobody has counted them. */
function readGo(text: string): TestCounts[] {
  const of = (word: string): number => text.match(new RegExp(`^--- ${word}: `, 'gm'))?.length ?? 0;
  const counts = { passed: of('PASS'), failed: of('FAIL'), skipped: of('SKIP') };
  return counts.passed > 0 && /^(?:ok|FAIL)\s+\S+\s+[\d.]+s/m.test(text) ? [counts] : [];
}

function readUnittest(text: string): TestCounts[] {
  return [...text.matchAll(/^Ran (\d+) tests? in [\d.]+s\s+(OK|FAILED)(?: \((.*)\))?$/gm)].map(
    ([, all, , more = '']) => {
      const of = (name: string): number => Number(new RegExp(`\\b${name}=(\\d+)`).exec(more)?.[1] ?? 0);
      const failed = of('failures') + of('errors');
      const skipped = of('skipped');
      return { passed: Number(all) - failed - skipped, failed, skipped };
    },
  );
}

/** Maven prints a line for each class, and one for all at the end. */
function readMaven(text: string): TestCounts[] {
  const [, all, failures, errors, skipped] =
    [...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/gm)].at(-1) ?? [];
  if (all === undefined) return [];
  const failed = Number(failures) + Number(errors);
  return [{ passed: Number(all) - failed - Number(skipped), failed, skipped: Number(skipped) }];
}

const readers: readonly Read[] = [
  // jest
  each(/^Tests:\s+(.+), \d+ total$/gm, (words) => named(words ?? '')),
  // vitest
  each(/^\s*Tests {1,4}(\d.*?) \(\d+\)\s*$/gm, (words) => named(words ?? '')),
  // mocha
  each(
    /^\s*(\d+) passing\b.*(?:\n\s*(?=\d+ pending)(\d+) pending)?(?:\n\s*(?=\d+ failing)(\d+) failing)?/gm,
    (passed = '0', skipped, failed) => numbers(passed, failed, skipped),
  ),
  readNode,
  // pytest
  each(
    /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)*\d+ (?:passed|failed|errors?|skipped)(?:, \d+ [a-z]+)*) in [\d.]+s\b/gm,
    (words) => named(words ?? ''),
  ),
  readUnittest,
  // cargo test
  each(/^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm, (...counts) =>
    numbers(counts[0] ?? '0', counts[1], counts[2]),
  ),
  readGo,
  readMaven,
  // rspec
  each(/^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/gm, (all = '0', failed = '0', skipped = '0') =>
    numbers(String(Number(all) - Number(failed) - Number(skipped)), failed, skipped),
  ),
  // phpunit
  each(/^OK \((\d+) tests?,/gm, (passed = '0') => numbers(passed)),
  // dotnet test
  each(
    /^(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)/gm,
    (failed, passed = '0', skipped) => numbers(passed, failed, skipped),
  ),
  // bun test
  each(/^\s*(\d+) pass\n(?:\s*(\d+) skip\n)?\s*(\d+) fail$/gm, (passed = '0', skipped, failed) =>
    numbers(passed, failed, skipped),
  ),
  // deno test
  each(/^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed/gm, (passed = '0', failed) => numbers(passed, failed)),
];

/** Several summaries of one runner are added up; of a text that lacks its middle, one may be gone: then nothing is said. */
export function readCounts(text: string, whole: boolean): TestCounts | undefined {
  const found = readers.map((read) => read(text)).filter((counts) => counts.length > 0);
  const [counts = []] = found;
  if (found.length !== 1 || (counts.length > 1 && !whole)) return undefined;
  return counts.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }));
}

/** A failure that no count of tests shows: a suite that could not run, an error of a compiler. */
export function saysFailure(text: string): boolean {
  return /^(?:Test Suites:.*\b\d+ failed|\s*Test Files .*\b\d+ failed|\S.*\berror TS\d+:|error(?:\[E\d+\])?: )/m.test(
    text,
  );
}
