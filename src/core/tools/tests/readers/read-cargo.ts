// What `cargo test` prints: libtest has a machine-readable report only in nightly builds of Rust.
import { emptyReport, isOwn, placedPath, type ReadPlace, type TestPlace, type TestReport } from './test-report';

const panicLine = /^thread '[^']*'(?: \(\d+\))? panicked at (.+?):(\d+):\d+:$/m;
const olderPanic = /^thread '[^']*' panicked at '([\s\S]*?)', (.+?):(\d+):\d+$/m;

export function readCargo(output: string, place: ReadPlace): TestReport | undefined {
  const report = emptyReport();
  if (!/^running \d+ tests?$/m.test(output)) {
    const errors = [...output.matchAll(/^error(?:\[E\d+\])?: (.+)\n\s+--> (.+?):(\d+):\d+$/gm)];
    if (errors.length === 0) return undefined;
    for (const [, message = '', file = '', line = ''] of errors)
      report.broken.push({ path: placedPath(file, place), message: `${message} (line ${line})` });
    return report;
  }
  let seconds = 0;
  for (const [, passed, ignored, took] of output.matchAll(
    /^test result: \w+\. (\d+) passed; \d+ failed; (\d+) ignored;.*?(?:finished in ([\d.]+)s)?$/gm,
  )) {
    report.passed += Number(passed);
    report.skipped += Number(ignored);
    seconds += Number(took ?? 0);
  }
  report.durationMs = Math.round(seconds * 1_000);
  const blocks = new Map(
    [
      ...output.matchAll(/^---- (.+?) stdout ----\n([\s\S]*?)(?=^---- .+ stdout ----$|^failures:$|^test result: )/gm),
    ].map(([, name = '', text = '']) => [name, text]),
  );
  const failed = new Set(
    [...output.matchAll(/^test (.+?)(?: - should panic)? \.\.\. FAILED$/gm)].map(([, name = '']) => name),
  );
  for (const name of new Set([...failed, ...blocks.keys()]))
    report.failures.push(failureOf(name, blocks.get(name) ?? '', place));
  return report;
}

function failureOf(name: string, text: string, place: ReadPlace): TestReport['failures'][number] {
  const panic = panicLine.exec(text);
  const older = panic === null ? olderPanic.exec(text) : null;
  const [file, line] = panic === null ? [older?.[2], older?.[3]] : [panic[1], panic[2]];
  const message =
    panic === null
      ? (older?.[1] ?? text.trim())
      : text
          .slice(panic.index + panic[0].length)
          .split(/^(?:note: |stack backtrace:)/m)[0]!
          .trim();
  const [, left] = /^\s*left: (.+)$/m.exec(message) ?? [];
  const [, right] = /^\s*right: (.+)$/m.exec(message) ?? [];
  const at: TestPlace | undefined =
    file === undefined ? undefined : { path: placedPath(file, place), line: Number(line) };
  return {
    name: name.replaceAll('::', ' > '),
    ownName: name,
    ...(at === undefined || !isOwn(at.path, place) ? {} : { place: at }),
    message: message || 'It failed.',
    ...(left === undefined || right === undefined ? {} : { actual: left, expected: right }),
  };
}
