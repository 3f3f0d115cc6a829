// One run of tests: the command of a runner, as Bash runs commands, or the editor's own.
import { defined } from '../../../shared/defined';
import { terminalText } from '../../../shared/terminal-text';
import { type EditorTest } from '../../ports/tests';
import { type CommandProgress, type CommandResult } from '../../ports/terminal';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { runInPlace } from '../bash/bash-sandbox';
import { wholeOutput } from '../bash/whole-output';
import { changedLines } from './changed-lines';
import { coverageOutput, type CoverageOutput } from './coverage-output';
import { displayNames, scriptFile } from './find-runner';
import { keepRun } from './last-run';
import { readCoverage, readReport, streams } from './readers/read-report';
import { emptyReport, nameOf, type RunnerName, type TestReport } from './readers/test-report';
import { liveView, testsOutput, type TestsOutput, unreadOutput } from './tests-output';
import { type TestPlan } from './test-plan';

/** What the result reads in one piece; longer output is read from its file. */
const shownCharacters = 200_000;
/** Characters of a run that are read again for the live rows. */
const maxLive = 512 * 1024;

type CommandPlan = Extract<TestPlan, { way: 'command' }>;
type EditorPlan = Extract<TestPlan, { way: 'editor' }>;

export async function runByCommand(
  plan: CommandPlan,
  timeoutMs: number,
  context: ToolContext,
): Promise<TestsOutput | ToolFailure> {
  const { runner, command, place, isChosen } = plan;
  const { session, toolUseId } = context;
  const placed = await runInPlace(
    { id: toolUseId, command, cwd: session.cwd, timeoutMs, shownCharacters, background: false, onTimeout: 'kill' },
    false,
    context,
    liveRows(plan, context),
  );
  if (isFailure(placed)) return placed;
  const { result, refusals } = placed;
  const raw = await wholeOutput(result, context);
  const found = readReport(runner, raw, place);
  const stopped = result.end.state !== 'exited';
  const facts = {
    cwd: session.cwd,
    runner: displayNames[runner.name],
    command,
    stopped,
    notes: [...plan.notes, ...endNotes(result, timeoutMs), ...refusals, ...result.notes],
  };
  const text = terminalText(raw);
  const lines = plan.coverage ? await coverageOf(plan, text, context) : {};
  const report = found ?? (saysNothingToRun(text) ? emptyReport() : undefined);
  // What a name leaves out, runners call skipped.
  const counted = report !== undefined && isChosen ? { ...report, skipped: 0 } : report;
  const told = counted === undefined ? unreadOutput(text, facts) : testsOutput(counted, facts);
  const output = { ...told, ...defined({ coverage: lines.coverage }), notes: [...told.notes, ...(lines.notes ?? [])] };
  if (!stopped && counted !== undefined) keep(output, counted, context);
  return output;
}

export async function runInEditor(
  { places, only, notes }: EditorPlan,
  context: ToolContext,
): Promise<TestsOutput | undefined> {
  const { session, ports, signal } = context;
  if (ports.tests === undefined) return undefined;
  const report = emptyReport();
  let durationMs = 0;
  for (const place of places) {
    const run = await ports.tests.run(place, signal);
    report.notes.push(...run.notes.filter((note) => !report.notes.includes(note)));
    for (const test of run.tests) {
      if (only.length > 0 && !only.some((part) => test.names.join(' > ').includes(part))) continue;
      durationMs += test.durationMs ?? 0;
      addEditorTest(report, test);
    }
  }
  const counted = { ...report, durationMs: Math.round(durationMs) };
  const output = testsOutput(counted, { cwd: session.cwd, runner: 'VS Code', notes });
  keep(output, counted, context);
  return output;
}

function addEditorTest(report: TestReport, test: EditorTest): void {
  const { names, path, line, state, message, expected, actual, failedAt } = test;
  if (state === 'passed') report.passed += 1;
  else if (state === 'skipped') report.skipped += 1;
  else if (state === 'failed') {
    const place = failedAt ?? (path === undefined ? undefined : { path, line: line ?? 1 });
    report.failures.push({
      name: nameOf(names.slice(0, -1), names.at(-1) ?? ''),
      ownName: names.at(-1) ?? '',
      ...(place === undefined ? {} : { place }),
      message: message ?? 'It failed.',
      ...(expected === undefined || actual === undefined ? {} : { expected, actual }),
    });
  }
}

/** Of what is tested; scripts by default. */
const sources: Partial<Record<RunnerName, RegExp>> = { pytest: /\.py$/, go: /(?<!_test)\.go$/ };

/** Which uncommitted lines ran, or why that is not known. */
async function coverageOf(
  { runner, place }: CommandPlan,
  text: string,
  context: ToolContext,
): Promise<{ coverage?: CoverageOutput; notes?: string[] }> {
  const read = readCoverage(runner, text, place);
  if (read === undefined) return { notes: [`${displayNames[runner.name]} gave no coverage.`] };
  const changed = await changedLines(place.root, context);
  if (changed === undefined)
    return { notes: ['Which lines have changed is not known: git does not tell, so there is no coverage of them.'] };
  const source = sources[runner.name] ?? scriptFile;
  return { coverage: coverageOutput(read, changed, { cwd: context.session.cwd, source }) };
}

function keep(output: TestsOutput, { failures, broken }: TestReport, { session }: ToolContext): void {
  const failed = [
    ...failures.map(({ ownName, place }) => ({ ownName, ...(place === undefined ? {} : { path: place.path }) })),
    ...broken.flatMap(({ path }) => (path === undefined ? [] : [{ ownName: '', path }])),
  ];
  keepRun(session.id, { output, failed });
}

/** What runners print in place of a report where nothing fits. */
function saysNothingToRun(output: string): boolean {
  return /^(?:No tests? (?:files? )?found\b|Error: No test files found|No test files found|collected 0 items)/m.test(
    output,
  );
}

function endNotes({ end, survivors }: CommandResult, timeoutMs: number): string[] {
  const left =
    survivors.length === 0
      ? []
      : [`Still running: ${survivors.map(({ pid, command }) => `${pid} (${command})`).join(', ')}.`];
  if (end.state === 'killed' && end.by === 'timeout')
    return [
      `It did not end within ${Math.round(timeoutMs / 1_000)} seconds and was killed. Run fewer tests, or give a longer timeout.`,
      ...left,
    ];
  if (end.state === 'not-started' || end.state === 'lost') return [end.message, ...left];
  return left;
}

/** What has come so far, read again with each piece; what was missed between two pieces is not in it. */
function liveRows({ runner, place }: CommandPlan, context: ToolContext): (progress: CommandProgress) => void {
  if (!streams(runner)) return (progress) => context.onProgress({ kind: 'command', progress });
  let text = '';
  let bytes = 0;
  return ({ tail, bytes: total }) => {
    const fresh = Math.max(0, total - bytes);
    bytes = total;
    if (text.length < maxLive) text += tail.slice(-fresh || tail.length);
    const report = fresh === 0 ? undefined : readReport(runner, text, place);
    if (report === undefined) return;
    const failed = report.failures.length;
    context.onProgress({
      kind: 'view',
      text: `${report.passed} passed${failed === 0 ? '' : `, ${failed} failed`}`,
      view: liveView(report),
    });
  };
}
