// TAP as node:test prints it: tests, suites and files, each with a block of facts.
import { type Path } from '../../../ports/path';
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

const resultLine = /^(\s*)(not )?ok \d+(?: - (.*?))?(?: # (skip|todo)\b ?(.*))?$/i;

/** Also of a part of it, as far as it goes. */
export function readTap(output: string, place: ReadPlace): TestReport | undefined {
  const start = output.search(/^TAP version \d+$/m);
  if (start < 0) return undefined;
  const lines = output.slice(start).split('\n');
  const report = emptyReport();
  /** The names of what is open, by depth. */
  const open: string[] = [];
  let said: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [, indent = '', name = ''] = /^(\s*)# Subtest: (.*)$/.exec(line) ?? [];
    if (name !== '') {
      open.splice(indent.length / 4, Infinity, unescaped(name));
      continue;
    }
    const [, comment] = /^# (.*)$/.exec(line) ?? [];
    if (comment !== undefined) {
      const [, ms] = /^duration_ms ([\d.]+)$/.exec(comment) ?? [];
      if (ms !== undefined) report.durationMs = Math.round(Number(ms));
      else said.push(comment);
      continue;
    }
    const found = resultLine.exec(line);
    if (found === null) continue;
    const { facts, end } = factsAfter(lines, at + 1, found[1] ?? '');
    at = end - 1;
    addResult(report, { found, facts, suites: open.slice(0, (found[1] ?? '').length / 4), said }, place);
    if (found[1] === '') said = [];
  }
  return report;
}

interface TapResult {
  found: RegExpExecArray;
  facts: ReadonlyMap<string, string>;
  suites: string[];
  said: readonly string[];
}

function addResult(report: TestReport, { found, facts, suites, said }: TapResult, place: ReadPlace): void {
  const [, indent = '', not, escaped = '', mark, why = ''] = found;
  const ownName = unescaped(escaped);
  const failed = not !== undefined;
  const file = indent === '' ? fileNamed(ownName, place) : undefined;
  if (file !== undefined) {
    // A file that fails by itself has no test that says why.
    if (failed && facts.get('failureType') !== 'subtestsFailed')
      report.broken.push({ path: file, message: brokenMessage(facts, said) });
    return;
  }
  if (mark !== undefined) {
    if (!/^test name does not match pattern/.test(why)) report.skipped += 1;
    return;
  }
  if (facts.get('type') === 'suite' && (!failed || facts.get('failureType') === 'subtestsFailed')) return;
  if (!failed) report.passed += 1;
  else if (facts.get('failureType') !== 'subtestsFailed')
    report.failures.push(failureOf(ownName, suites, facts, place));
}

function fileNamed(name: string, place: ReadPlace): Path | undefined {
  if (!/\.[cm]?[jt]sx?$/.test(name) || !name.includes('/')) return undefined;
  return placedPath(name, place);
}

function brokenMessage(facts: ReadonlyMap<string, string>, said: readonly string[]): string {
  const error = said.find((line) => /^(?:\w*Error|Uncaught)\b.*:/.test(line));
  const line = said.find((one) => /^(?:file:\/\/)?\/\S+:\d+$/.test(one));
  return [error ?? facts.get('error') ?? 'It could not be run.', ...(line === undefined ? [] : [`at ${line}`])].join(
    ' ',
  );
}

function failureOf(
  ownName: string,
  suites: readonly string[],
  facts: ReadonlyMap<string, string>,
  place: ReadPlace,
): TestFailure {
  const [, path = '', line = ''] = /^(.*):(\d+):\d+$/.exec(facts.get('location') ?? '') ?? [];
  const declared = path === '' ? undefined : { path: placedPath(path, place), line: Number(line) };
  const frames = ownFrames(facts.get('stack') ?? '', place);
  const [expected, actual] = [facts.get('expected'), facts.get('actual')];
  return {
    name: nameOf(suites, ownName),
    ownName,
    ...placesOf(frames, declared?.path, declared),
    message: facts.get('error') ?? facts.get('failureType') ?? 'It failed.',
    ...(expected === undefined || actual === undefined ? {} : { expected, actual }),
  };
}

/** The block behind a result, as keys with their text. */
function factsAfter(
  lines: readonly string[],
  from: number,
  indent: string,
): { facts: ReadonlyMap<string, string>; end: number } {
  const facts = new Map<string, string>();
  if (lines[from] !== `${indent}  ---`) return { facts, end: from };
  let at = from + 1;
  let key = '';
  for (; at < lines.length && lines[at] !== `${indent}  ...`; at++) {
    const line = lines[at]!.slice(indent.length + 2);
    const [, name = '', value = ''] = /^([A-Za-z_]\w*):\s?(.*)$/.exec(line) ?? [];
    if (name === '') {
      facts.set(key, `${facts.get(key) ?? ''}\n${line.replace(/^ {2}/, '')}`.replace(/^\n/, ''));
    } else if (!facts.has(name)) {
      key = name;
      facts.set(name, /^\|-?$/.test(value) ? '' : plainScalar(value));
    } else key = `${name}'`;
  }
  return { facts, end: Math.min(at + 1, lines.length) };
}

function plainScalar(value: string): string {
  if (/^".*"$/.test(value))
    try {
      return String(JSON.parse(value));
    } catch {
      return value;
    }
  const [, quoted] = /^'(.*)'$/.exec(value) ?? [];
  return quoted === undefined ? value : quoted.replaceAll("''", "'").replaceAll("\\'", "'");
}

function unescaped(name: string): string {
  return name.replace(/\\([#\\])/g, '$1');
}
