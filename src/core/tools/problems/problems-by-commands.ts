// Problems where no editor reports any: what the commands of the settings find, and what has come and gone since the last look.
import { isInside } from '../../permissions/rules/workspace-path';
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { isFailure, type ToolContext, type ToolFailure, type ToolPreview, type ToolResult } from '../../tool/tool';
import { fenced } from '../../../shared/plain-markdown';
import { planOf } from './check-plan';
import { byPath, knownReports, reportedBefore, type Report } from './known-reports';
import { problemsTool } from './problems';
import { type Asked, judgeProblems, problemsOutput, type ProblemsOutput, severities } from './problems-output';
import { type CheckRun, runCheck } from './run-checks';
import prompt from './problems-by-commands.md';

const inputSchema = z.strictObject({
  paths: z.array(z.string()).max(50).optional().describe('Files or folders (default: everything)'),
  severity: z.enum(severities).optional().describe('The least severity that is shown (default warning)'),
  source: z.string().optional().describe('Only what this source reports: ts, eslint …'),
});
type Input = z.infer<typeof inputSchema>;

export const problemsByCommandsTool = buildTool<Input, ProblemsOutput>({
  ...problemsTool,
  seldom: "runs the project's checks; short result",
  searchText: 'problems diagnostics errors warnings lint type check',
  prompt: promptOf(prompt),
  inputSchema,
  access: 'DangerFullAccess',
  isEnabled: ({ has, platform, shells, runsCommands }) =>
    has('checks') && runsCommands?.() !== false && (platform !== 'win32' || shells?.includes('bash') === true),
  isReadOnly: () => false,
  isConcurrencySafe: false,
  targets: () => [],
  furtherCommands: async (input, context) => {
    const plan = await planOf(input, context);
    return isFailure(plan) ? [] : plan.checks.map(({ line }) => line);
  },
  runsSandboxed: async (input, context) => {
    const { sandbox } = context.session;
    const plan = await planOf(input, context);
    return (
      !isFailure(plan) &&
      sandbox !== undefined &&
      plan.checks.every(({ line }) => sandbox.placeOf(line, false) === 'inside') &&
      sandbox.autoAllows()
    );
  },
  preview,
  call,
  mapToolResultToToolResultBlockParam: problemsTool.mapToolResultToToolResultBlockParam,
});

async function preview(input: Input, context: ToolContext): Promise<ToolPreview | ToolFailure> {
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const lines = plan.checks.map(({ line }) => line);
  const [only = ''] = lines;
  return {
    title: "Run the project's checks?",
    view:
      lines.length === 1
        ? { kind: 'terminal', command: only, state: 'not-started', tail: '', bytes: 0 }
        : { kind: 'markdown', text: fenced(lines.join('\n')) },
  };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<ProblemsOutput> | ToolFailure> {
  const { session, toolUseId } = context;
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const { places, checks } = plan;
  const known = knownReports(session.id);
  const runs: (CheckRun & { before: Report | undefined; report: Report })[] = [];
  for (const [index, check] of checks.entries()) {
    const run = await runCheck(check, index === 0 ? toolUseId : `${toolUseId}-${index + 1}`, context);
    if (isFailure(run)) return run;
    const report = byPath(run.problems);
    // What it may not have reached is not fixed.
    runs.push({ ...run, report, before: run.isWhole ? known.reports.get(check.line) : undefined });
    if (run.isWhole) known.reports.set(check.line, report);
  }
  const asked: Asked = { places, least: input.severity ?? 'warning', source: input.source, cwd: session.cwd };
  const within = (path: string): boolean => places.length === 0 || places.some((place) => isInside(path, place, false));
  const survey = {
    problems: runs.flatMap(({ problems }) => problems).filter(({ path }) => within(path)),
    before: new Map([...reportedBefore(runs)].filter(([path]) => within(path))),
    notes: [...plan.notes, ...runs.flatMap(({ notes }) => notes)],
  };
  const judged = judgeProblems(survey, asked, (path) => session.isHidden(path));
  const output: ProblemsOutput = {
    ...problemsOutput(judged, [], survey.notes, asked),
    ...(runs.every(({ isWhole }) => isWhole) ? {} : { unknown: true }),
  };
  known.last = output;
  return { data: output };
}
