// Leaves out of a test runner's output the lines that say which tests passed, so that those of failures have the room.

export interface FailuresFirst {
  text: string;
  /** How many passed tests are left out. */
  passed: number;
}

/** A line that names a passed test, by what prints it. Nothing else is ever left out. */
const passedTest = [
  // pytest -v
  /^\S+::.+ PASSED(?:\s+\[\s*\d+%\])?$/,
  // cargo test
  /^test .+ \.\.\. ok$/,
  // go test -v
  /^\s*--- PASS: /,
];
/** Of mocha, jest, vitest and node:test. */
const passedMark = /^\s*[✔✓√] /;
const failedMark = /^\s*(?:[✖✕×●]|\d+\)) /;
/** Says only that something begins, or that a whole file passed. */
const progress = /^(?:=== (?:RUN|PAUSE|CONT) |PASS \S+\.\w)/;
/** From here on a runner shows messages, in which anything may stand. */
const failuresBegin =
  /^(?:=+ (?:FAILURES|ERRORS) =+|failures:|⎯+ (?:Failed|Unhandled) .*|\s*\d+ failing|✖ failing tests:)$/;
const nextRun = /^running \d+ tests?$/;

export function withoutPassedTests(output: string): FailuresFirst {
  const lines = output.split('\n');
  const isTap = lines.some((line) => /^TAP version \d+$/.test(line));
  const kept: string[] = [];
  let passed = 0;
  let inFailures = false;
  /** How far the mark of a failure is indented: what stands deeper below it is its message. */
  let failedAt: number | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const tap = isTap ? tapTest(lines, at) : undefined;
    if (tap !== undefined) {
      if (tap.passed) {
        passed += 1;
        if (kept.at(-1)?.trim() === `# Subtest: ${tap.name}`) kept.pop();
      } else kept.push(...lines.slice(at, tap.end));
      at = tap.end - 1;
      continue;
    }
    if (failuresBegin.test(line)) inFailures = true;
    else if (nextRun.test(line)) inFailures = false;
    if (failedMark.test(line)) failedAt = indentOf(line);
    else if (failedAt !== undefined && line.trim() !== '' && indentOf(line) <= failedAt) failedAt = undefined;
    const isOpen = !inFailures && failedAt === undefined;
    if (isOpen && (passedMark.test(line) || passedTest.some((pattern) => pattern.test(line)))) passed += 1;
    else if (!isOpen || !progress.test(line)) kept.push(line);
  }
  return { text: kept.join('\n'), passed };
}

/** One test of TAP with the block that belongs to it. What is skipped or to be done is no passed test. */
function tapTest(
  lines: readonly string[],
  at: number,
): { passed: boolean; name: string; /** The line behind it. */ end: number } | undefined {
  const found = /^(\s*)(not )?ok \d+(?: -)?(?: (.*))?$/.exec(lines[at]!);
  if (found === null) return undefined;
  const [, indent = '', not, name = ''] = found;
  let end = at + 1;
  if (lines[end] === `${indent}  ---`) {
    const last = lines.indexOf(`${indent}  ...`, end);
    end = last === -1 ? lines.length : last + 1;
  }
  return { passed: not === undefined && !/ # (?:skip|todo)\b/i.test(` ${name}`), name, end };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
