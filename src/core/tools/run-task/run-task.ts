// RunTask: lists the tasks of the editor, and runs one in its terminal with what its problem matcher finds.
import { z } from 'zod/v3';
import { fenced } from '../../../shared/plain-markdown';
import { nearNames } from '../../text/near-names';
import { words } from '../../text/words';
import { type EditorTask } from '../../ports/editor-tasks';
import { buildTool, promptOf } from '../../tool/build-tool';
import { fail } from '../../tool/file-failure';
import { oncePerCall } from '../../tool/once-per-call';
import { isFailure, type ToolContext, type ToolFailure, type ToolPreview, type ToolResult } from '../../tool/tool';
import prompt from './run-task.md';
import {
  endedOutput,
  listOutput,
  type RunTaskOutput,
  runTaskOutputSchema,
  runTaskText,
  runTaskView,
} from './run-task-output';

const inputSchema = z.strictObject({
  task: z.string().min(1).optional().describe('Its name as listed, such as "npm: build"'),
  stop: z.boolean().optional().describe('End this task, which you started'),
  timeout: z.number().positive().max(3_600).optional().describe('Seconds to wait for its end (default 300)'),
});
type Input = z.infer<typeof inputSchema>;

const defaultSeconds = 300;

export const runTaskTool = buildTool<Input, RunTaskOutput>({
  name: 'RunTask',
  seldom: 'runs tasks of the editor',
  bulky: true,
  searchText: 'task tasks.json npm script build watch problem matcher run',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: runTaskOutputSchema,
  access: 'DangerFullAccess',
  accessOf: (input) => (starts(input) ? 'DangerFullAccess' : 'ReadOnly'),
  isReadOnly: (input) => !starts(input),
  isEnabled: (availability) => availability.has('editorTasks') && availability.runsCommands?.() !== false,
  runs: ({ task, ...input }) => (task !== undefined && starts({ task, ...input }) ? [{ name: task }] : undefined),
  furtherCommands: async (input, context) => {
    const plan = await planOf(input, context);
    return isFailure(plan) ? [] : plan.flatMap(({ command }) => command ?? []);
  },
  describe: ({ task, stop }) => {
    if (task === undefined) return { now: 'Looking at the tasks', past: 'Looked at the tasks' };
    return stop === true
      ? { now: `Ending the task ${task}`, past: `Ended the task ${task}` }
      : { now: `Running the task ${task}`, past: `Ran the task ${task}` };
  },
  validateInput: async ({ task, stop }) =>
    stop === true && task === undefined
      ? { ok: false, code: 'no-task', message: 'stop needs the name of the task.' }
      : { ok: true },
  preview,
  call,
  content: runTaskText,
  view: runTaskView,
  detail: ({ state }) => state,
});

function starts({ task, stop }: Pick<Input, 'task' | 'stop'>): boolean {
  return task !== undefined && stop !== true;
}

type Plan = readonly EditorTask[];

/** The task and, ahead of it, those that run before it; none for a call that starts nothing. */
const planOf = oncePerCall(makePlan);

async function makePlan(input: Input, { ports }: ToolContext): Promise<Plan | ToolFailure> {
  if (!starts(input)) return [];
  const all = (await ports.editorTasks?.list()) ?? [];
  const wanted = named(all, input.task ?? '');
  if (isFailure(wanted)) return wanted;
  const plan: EditorTask[] = [];
  const add = (task: EditorTask): ToolFailure | undefined => {
    if (plan.includes(task)) return undefined;
    if (task.obstacle !== undefined) return fail('unattended', `"${task.name}" was not started: ${task.obstacle}`);
    // Ahead of its own, so that tasks that name each other come to an end.
    plan.push(task);
    for (const before of task.before) {
      const found = named(all, before);
      const failure = isFailure(found) ? found : add(found);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
  return add(wanted) ?? plan.reverse();
}

function named(all: readonly EditorTask[], name: string): EditorTask | ToolFailure {
  const exact = all.filter((task) => task.name === name);
  const found = exact.length > 0 ? exact : all.filter((task) => task.name.endsWith(`: ${name}`));
  const [task] = found;
  if (found.length === 1 && task !== undefined) return task;
  const near =
    found.length > 1
      ? found.map((one) => one.name)
      : nearNames(
          name,
          all.map((one) => one.name),
        );
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`;
  return found.length > 1
    ? fail('ambiguous', `Several tasks are called "${name}".${hint}`)
    : fail('no-such-task', `There is no task "${name}".${hint} Call it without a task for the list.`);
}

async function preview(input: Input, context: ToolContext): Promise<ToolPreview | ToolFailure> {
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const [only] = plan;
  const title = `Run the task "${input.task}"?`;
  if (plan.length === 1 && only?.command !== undefined)
    return { title, view: { kind: 'terminal', command: only.command, state: 'not-started', tail: '', bytes: 0 } };
  const lines = plan.map(({ name, command, source }) => `${name}: ${command ?? `known only to ${source}`}`);
  return { title, view: { kind: 'markdown', text: fenced(lines.join('\n')) } };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<RunTaskOutput> | ToolFailure> {
  const { ports, session, signal } = context;
  const { editorTasks } = ports;
  if (editorTasks === undefined)
    return fail('no-editor', words`Tasks need the editor, and this host has none.{{Bash:  Run commands with Bash.}}`);
  if (input.task === undefined) return { data: listOutput(await editorTasks.list()) };
  if (input.stop === true)
    return (await editorTasks.stop(input.task))
      ? { data: { state: 'ended', lines: [`The task "${input.task}" was ended.`] } }
      : fail('not-running', `No task "${input.task}" that you started runs.`);
  const plan = await planOf(input, context);
  if (isFailure(plan)) return plan;
  const task = plan.at(-1);
  if (task === undefined) return fail('no-task', 'Name the task.');
  const run = await editorTasks.run(task, (input.timeout ?? defaultSeconds) * 1_000, signal);
  if ('problem' in run) return fail('not-started', run.problem);
  return { data: endedOutput(task, run, session) };
}
