// A test run as the output of Tests, as the text that the model reads, and as what the chat shows.
import { z } from 'zod/v3';
import { headOf, tailOf } from '../../../shared/cut-text';
import { defined } from '../../../shared/defined';
import { type TestsView, type ToolView } from '../../../shared/tool-view';
import { counted } from '../../../shared/counted';
import { resolvePath, shownPath } from '../grep/glob-root';
import { coverageSchema, coverageText } from './coverage-output';
import { type TestFailure, type TestReport } from './readers/test-report';

const place = z.object({ path: z.string(), line: z.number() });

export const testsOutputSchema = z.object({
  cwd: z.string(),
  /** "node:test", or "VS Code". */
  runner: z.string(),
  command: z.string().optional(),
  /** `unread`: the runner's report could not be found in its output. */
  state: z.enum(['ran', 'nothing', 'unread', 'stopped']),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  durationMs: z.number().optional(),
  failures: z.array(
    z.object({
      name: z.string(),
      /** Relative to the current folder where inside it. */
      place: place.optional(),
      message: z.string(),
      expected: z.string().optional(),
      actual: z.string().optional(),
      frame: place.optional(),
    }),
  ),
  /** Files with failures that are not shown. */
  cut: z.array(z.object({ path: z.string(), count: z.number() })),
  broken: z.array(z.object({ path: z.string().optional(), message: z.string() })),
  brokenTotal: z.number(),
  coverage: coverageSchema.optional(),
  notes: z.array(z.string()),
  /** What the runner printed last, where its report could not be read. */
  tail: z.string().optional(),
});
export type TestsOutput = z.infer<typeof testsOutputSchema>;
type Failure = TestsOutput['failures'][number];

export const maxFailures = 25;
const maxBroken = 10;
const maxText = 300;
const maxValue = 120;
const maxTail = 2_000;

export interface RunFacts {
  cwd: string;
  runner: string;
  command?: string;
  stopped?: boolean;
  notes: readonly string[];
}

export function testsOutput(report: TestReport, { cwd, runner, command, stopped, notes }: RunFacts): TestsOutput {
  const { passed, skipped, failures, broken, durationMs } = report;
  const shown = failures.slice(0, maxFailures);
  const left = new Map<string, number>();
  for (const { place: at } of failures.slice(maxFailures)) {
    const path = at === undefined ? 'elsewhere' : shownPath(at.path, cwd);
    left.set(path, (left.get(path) ?? 0) + 1);
  }
  const isNothing = passed + failures.length + broken.length === 0;
  return {
    cwd,
    runner,
    ...defined({ command }),
    state: stopped === true ? 'stopped' : isNothing ? 'nothing' : 'ran',
    passed,
    failed: failures.length,
    skipped,
    ...defined({ durationMs }),
    failures: shown.map((failure) => plain(failure, cwd)),
    cut: [...left].map(([path, count]) => ({ path, count })),
    broken: broken.slice(0, maxBroken).map(({ path, message }) => ({
      ...(path === undefined ? {} : { path: shownPath(path, cwd) }),
      message: clipped(message, maxText * 2),
    })),
    brokenTotal: broken.length,
    notes: [...report.notes, ...notes],
  };
}

/** Of a run whose report is not there. */
export function unreadOutput(output: string, { cwd, runner, command, stopped, notes }: RunFacts): TestsOutput {
  return {
    ...testsOutput(
      { passed: 0, skipped: 0, failures: [], broken: [], notes: [] },
      { cwd, runner, ...defined({ command }), notes },
    ),
    state: stopped === true ? 'stopped' : 'unread',
    tail: tailOf(output.trim(), maxTail),
  };
}

function plain({ name, place: at, message, expected, actual, frame }: TestFailure, cwd: string): Failure {
  const short = (one: TestFailure['place']): Failure['place'] =>
    one === undefined ? undefined : { path: shownPath(one.path, cwd), line: one.line };
  return {
    name: clipped(name, maxText),
    message: clipped(message.trim(), maxText),
    ...defined({
      place: short(at),
      frame: short(frame),
      expected: expected === undefined ? undefined : clipped(inline(expected), maxValue),
      actual: actual === undefined ? undefined : clipped(inline(actual), maxValue),
    }),
  };
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${headOf(text, length)} …` : text;
}

/** Values of several lines as one. */
function inline(text: string): string {
  return text
    .trim()
    .replace(/([[{(,:])\s*\n\s*/g, '$1 ')
    .replace(/\s*\n\s*(?=[\]})])/g, ' ')
    .replace(/\s*\n\s*/g, ', ');
}

export function testsText(output: TestsOutput): string {
  const { failures, cut, broken, brokenTotal, notes, tail } = output;
  const lines = [headText(output)];
  for (const { path, message } of broken)
    lines.push(`Could not run${path === undefined ? '' : ` ${path}`}: ${message.replace(/\n+/g, '\n  ')}`);
  if (brokenTotal > broken.length) lines.push(`… and ${brokenTotal - broken.length} more that could not run.`);
  let last: string | undefined;
  for (const failure of failures) {
    const path = failure.place?.path ?? 'Of unknown place';
    if (path !== last) lines.push(path);
    last = path;
    lines.push(failureText(failure));
  }
  if (cut.length > 0)
    lines.push(
      `Failures that are not shown: ${cut.map(({ path, count }) => `${path} (${count})`).join(', ')}. Run one of these files.`,
    );
  if (output.coverage !== undefined) lines.push(...coverageText(output.coverage));
  if (tail !== undefined && tail !== '') lines.push('Its last output:', tail);
  return [...lines, ...notes.map((note) => `Note: ${note}`)].join('\n');
}

function headText(output: TestsOutput): string {
  const { state, runner, skipped, durationMs } = output;
  const took = durationMs === undefined ? '' : ` in ${seconds(durationMs)}`;
  switch (state) {
    case 'ran':
      return `${testsDetail(output)}${took} (${runner}).`;
    case 'nothing':
      return `No tests ran (${runner})${skipped === 0 ? '' : `: ${skipped} skipped`}. That is not the same as no failures.`;
    case 'stopped':
      return `Stopped before the end (${runner}); until then ${testsDetail(output)}.`;
    case 'unread':
      return `${runner} gave no report, so it is not known what passed or failed.`;
  }
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

function failureText({ name, place: at, message, expected, actual, frame }: Failure): string {
  const [first = '', ...more] = message.split('\n').filter((line) => line.trim() !== '');
  const isCompared = expected !== undefined && actual !== undefined;
  // What a comparison says by itself is in its two values.
  const isSaid =
    /^(?:AssertionError: |Error: |assert |expect)?(?:\[.*\]: )?(?:Expected|expected|expect\(|assert )/.test(first);
  const said =
    isCompared && (isSaid || /left (?:==|!=) right/.test(first))
      ? ''
      : [first, ...more.slice(0, isCompared ? 0 : 4)].join('\n      ');
  const parts = [said, isCompared ? `expected ${expected}, actual ${actual}` : ''].filter((part) => part !== '');
  const from = frame === undefined ? '' : ` (at ${frame.path}:${frame.line})`;
  return `  ${at === undefined ? '' : `${at.line} `}${name}: ${parts.join('; ')}${from}`;
}

/** A few words after the sentence. */
export function testsDetail({ state, failed, passed, skipped, brokenTotal }: TestsOutput): string {
  if (state === 'unread') return 'no report';
  if (state === 'nothing') return 'no tests ran';
  return [
    ...(brokenTotal === 0 ? [] : [`${counted(brokenTotal, 'file')} could not run`]),
    `${failed} failed`,
    `${passed} passed`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ');
}

const maxItems = 100;

export function testsView({
  cwd,
  failures,
  broken,
  failed,
  passed,
  skipped,
  brokenTotal,
  state,
  tail,
}: TestsOutput): ToolView {
  const items: TestsView['items'] = [
    ...broken.map(({ path, message }) => ({
      name: 'Could not run',
      ...(path === undefined ? {} : { path: resolvePath(path, cwd) }),
      text: message,
    })),
    ...failures.map((failure) => ({
      name: failure.name,
      ...(failure.place === undefined ? {} : { path: resolvePath(failure.place.path, cwd), line: failure.place.line }),
      text: failureWords(failure),
    })),
  ];
  return {
    kind: 'tests',
    passed,
    failed: failed + brokenTotal,
    skipped,
    state: state === 'ran' || state === 'nothing' ? state : state === 'unread' ? 'unread' : 'stopped',
    items: items.slice(0, maxItems),
    ...(tail === undefined ? {} : { tail }),
  };
}

function failureWords({ message, expected, actual }: Failure): string {
  return expected === undefined || actual === undefined ? message : `expected ${expected}, actual ${actual}`;
}

/** While they run. */
export function liveView(report: TestReport): TestsView {
  return {
    kind: 'tests',
    passed: report.passed,
    failed: report.failures.length + report.broken.length,
    skipped: report.skipped,
    state: 'running',
    items: report.failures.slice(0, maxItems).map(({ name, place: at, message, expected, actual }) => ({
      name,
      ...(at === undefined ? {} : at),
      text: failureWords({ name, message, ...defined({ expected, actual }) }),
    })),
  };
}
