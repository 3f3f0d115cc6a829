// The JUnit XML of pytest, with files and lines (`junit_family=xunit1`).
import { emptyReport, isOwn, nameOf, placedPath, type ReadPlace, type TestPlace, type TestReport } from './test-report';

const testCase = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

export function readJunit(output: string, place: ReadPlace): TestReport | undefined {
  const start = output.lastIndexOf('<testsuite ');
  const end = output.indexOf('</testsuite>', start);
  if (start < 0) return undefined;
  const text = end < 0 ? output.slice(start) : output.slice(start, end);
  const report = emptyReport();
  const [, seconds] = /<testsuite [^>]*\btime="([\d.]+)"/.exec(text) ?? [];
  if (seconds !== undefined) report.durationMs = Math.round(Number(seconds) * 1_000);
  for (const [, attributes = '', body = ''] of text.matchAll(testCase)) addCase(report, attributes, body, place);
  return report;
}

function addCase(report: TestReport, attributes: string, body: string, place: ReadPlace): void {
  const [, kind = '', own = '', trace = ''] = /<(failure|error)\b([^>]*)>([\s\S]*?)<\/\1>/.exec(body) ?? [];
  if (kind === '') {
    if (/<skipped\b/.test(body)) report.skipped += 1;
    else report.passed += 1;
    return;
  }
  const file = attribute(attributes, 'file');
  const path = file === '' ? undefined : placedPath(file, place);
  const name = attribute(attributes, 'name');
  const text = decoded(trace);
  const message = messageOf(text) || attribute(own, 'message');
  if (kind === 'error' && attribute(own, 'message') === 'collection failure') {
    const broken = path ?? placedPath(`${attribute(attributes, 'name').replaceAll('.', '/')}.py`, place);
    report.broken.push({ path: broken, message });
    return;
  }
  const line = Number(attribute(attributes, 'line')) + 1;
  const frames = framesOf(text, place);
  const declared = path === undefined ? undefined : { path, line };
  const failed = frames.findLast((frame) => frame.path === path) ?? declared;
  const inner = frames.at(-1);
  const module = (file.replace(/\.py$/, '').split('/').pop() ?? '').toLowerCase();
  const suites = attribute(attributes, 'classname')
    .split('.')
    .filter((part) => part.toLowerCase() !== module && /^[A-Z]/.test(part));
  report.failures.push({
    name: nameOf(suites, name),
    ownName: name,
    ...(failed === undefined ? {} : { place: failed }),
    message,
    ...comparedBy(message),
    ...(inner === undefined || (inner.path === failed?.path && inner.line === failed.line) ? {} : { frame: inner }),
  });
}

/** "assert 3 == 4": what was found stands first. */
function comparedBy(message: string): { expected: string; actual: string } | undefined {
  const [, actual, expected] = /^(?:AssertionError: )?assert (.+?) == (.+)$/m.exec(message) ?? [];
  return actual === undefined || expected === undefined ? undefined : { expected, actual };
}

/** Outermost first, as Python prints them. */
function framesOf(trace: string, place: ReadPlace): TestPlace[] {
  return [...trace.matchAll(/^(\S.*?\.py):(\d+): (?:in \S+|\w+)/gm)].flatMap(([, file = '', line = '']) => {
    const path = placedPath(file, place);
    return isOwn(path, place) ? [{ path, line: Number(line) }] : [];
  });
}

/** The lines that pytest marks as the error. */
function messageOf(trace: string): string {
  return [...trace.matchAll(/^E {1,3}(.*)$/gm)].map(([, line = '']) => line.replace(/^ {2}/, '')).join('\n');
}

function attribute(attributes: string, name: string): string {
  return decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
