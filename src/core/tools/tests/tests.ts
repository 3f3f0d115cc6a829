// Tests: runs the project's tests and reports what failed, where, and why.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { isFailure, type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { fail } from '../../tool/file-failure';
import { checkFilePath } from '../files/file-path';
import { runByCommand, runInEditor } from './run-tests';
import { planOf, type TestPlan } from './test-plan';
import { testsDetail, type TestsOutput, testsOutputSchema, testsText, testsView } from './tests-output';
import prompt from './tests.md';

const defaultTimeoutMs = 300_000;
const maxTimeoutMs = 1_800_000;

const inputSchema = z.strictObject({
  path: z.string().optional().describe('Test file or folder'),
  name: z.string().min(1).optional().describe('Part of test names'),
  failed: z.boolean().optional().describe('Only what failed last'),
  coverage: z.boolean().optional().describe('Also uncommitted lines that did not run'),
  timeout: z.number().positive().max(maxTimeoutMs).optional().describe('Milliseconds (default 300000)'),
});
type Input = z.infer<typeof inputSchema>;

export const testsTool = buildTool<Input, TestsOutput>({
  name: 'Tests',
  seldom: 'runs tests; short result',
  bulky: true,
  searchText: 'test run failed failures unit mocha jest vitest pytest node:test go cargo testing spec',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: testsOutputSchema,
  access: 'DangerFullAccess',
  isEnabled: ({ platform, shells, runsCommands, has }) =>
    has('tests') || (runsCommands?.() !== false && (platform !== 'win32' || shells?.includes('bash') === true)),
  describe: (input) => {
    const what = subject(input);
    return { now: `Running ${what}`, past: `Ran ${what}` };
  },
  furtherCommands: async (input, context) => {
    const plan = await planOf(input, context);
    return !isFailure(plan) && plan.way === 'command' ? [plan.command] : [];
  },
  runsSandboxed: async (input, context) => {
    const { sandbox } = context.session;
    const plan = await planOf(input, context);
    return (
      !isFailure(plan) &&
      plan.way === 'command' &&
      sandbox?.placeOf(plan.command, false) === 'inside' &&
      sandbox.autoAllows()
    );
  },
  validateInput: async ({ path, failed, name }, { session }): Promise<ValidationResult> => {
    if (failed === true && (path !== undefined || name !== undefined))
      return {
        ok: false,
        code: 'failed-alone',
        message: 'failed runs what failed last: leave path and name out with it.',
      };
    return path === undefined ? { ok: true } : checkFilePath(path, session, 'path');
  },
  preview: async (input, context) => {
    const plan = await planOf(input, context);
    return isFailure(plan) ? plan : { view: previewOf(plan) };
  },
  call,
  content: testsText,
  view: testsView,
  detail: testsDetail,
});

function previewOf(plan: TestPlan): ReturnType<typeof testsView> {
  if (plan.way === 'command')
    return { kind: 'terminal', command: plan.command, state: 'not-started', tail: '', bytes: 0 };
  const places = plan.places.map((place) => `- ${place}`).join('\n');
  return { kind: 'markdown', text: `The editor runs the tests of its extensions in:\n${places}` };
}

function subject({ path, name, failed }: Input): string {
  if (failed === true) return 'the failed tests again';
  const where = path === undefined ? '' : ` in ${path}`;
  return name === undefined ? (path === undefined ? 'all tests' : `the tests${where}`) : `tests named ${name}${where}`;
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<TestsOutput> | ToolFailure> {
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const data =
    plan.way === 'command'
      ? await runByCommand(plan, input.timeout ?? defaultTimeoutMs, context)
      : await runInEditor(plan, context);
  if (data === undefined) return fail('no-editor', 'The editor that has these tests is gone. Call it again.');
  return isFailure(data) ? data : { data };
}
