// TaskOutput: how a background task stands, and the end of what it has printed.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { tailOf } from '../../../shared/cut-text';
import { terminalText } from '../../../shared/terminal-text';
import { type ToolView } from '../../../shared/tool-view';
import { type Clock } from '../../ports/clock';
import { buildTool, promptOf } from '../../tool/build-tool';
import { taskOutputForHooks } from './task-for-hooks';
import prompt from './task-output.md';
import { taskOutputSchema, type TaskOutputOutput } from './task-outputs';
import { type BackgroundTask, backgroundTasks, findTask, taskTitle, unknownTask } from './task-source';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
/** Less than what is stored apart: the file is there already. */
const MAX_OUTPUT_BYTES = 20_000;
const TAIL_CHARACTERS = 4_000;

const inputSchema = z.strictObject({
  task_id: z.string().optional().describe('The ID of the background task'),
  block: z.boolean().optional().describe('Wait until the task ends (default true)'),
  timeout: z.number().min(0).optional().describe('The longest wait in milliseconds'),
  bash_id: z.string().optional().describe('An older name of task_id'),
});
export type TaskOutputInput = z.infer<typeof inputSchema>;

export const taskOutputTool = buildTool<TaskOutputInput, TaskOutputOutput>({
  name: 'TaskOutput',
  aliases: ['BashOutput', 'AgentOutputTool', 'TaskOutputTool', 'task_output'],
  seldom: 'waits for a background command or agent',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: taskOutputSchema,
  hookOutput: taskOutputForHooks,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: (input) =>
    input.block === false
      ? { now: `Reading the output of ${idOf(input)}`, past: `Read the output of ${idOf(input)}` }
      : { now: `Waiting for ${idOf(input)}`, past: `Waited for ${idOf(input)}` },
  validateInput: async (input) =>
    idOf(input) === ''
      ? { ok: false, code: 'no-task', message: 'task_id is missing: name the background task.' }
      : { ok: true },
  async call(input, context) {
    const id = idOf(input);
    const { ports, signal } = context;
    const find = (): BackgroundTask | undefined => findTask(id, backgroundTasks(context));
    const task = find();
    if (task === undefined)
      return { failure: { code: 'unknown-task', message: unknownTask(id, backgroundTasks(context)) } };
    const timeoutMs = Math.min(input.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
    const waits = input.block !== false && task.end === undefined;
    if (waits) await untilEnd(task, () => find()?.end !== undefined, timeoutMs, ports.clock, signal);
    const { end } = find() ?? task;
    const { tail, totalBytes } = await task.read(MAX_OUTPUT_BYTES);
    // It begins anywhere, and ends where the task has come to.
    const output = context.redactedPart?.(tail) ?? tail;
    return {
      data: {
        taskId: id,
        title: taskTitle(task),
        state: end?.state ?? 'running',
        status: end?.text ?? 'runs',
        ...defined({ exitCode: end?.exitCode }),
        output,
        totalBytes,
        outputPath: task.outputPath,
        timedOut: waits && end === undefined,
      },
    };
  },
  content: resultText,
  view,
  detail: ({ state, exitCode }) =>
    state === 'running' ? 'still running' : exitCode === undefined || exitCode === 0 ? '' : `exit ${exitCode}`,
});

/** Resolves when the task has ended, the time is over, or the user stops the turn. */
async function untilEnd(
  task: BackgroundTask,
  hasEnded: () => boolean,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new AbortController();
  const over = (): void => waiting.abort();
  const forget = task.onEnd(over);
  signal.addEventListener('abort', over, { once: true });
  try {
    // It may have ended before anybody listened.
    if (signal.aborted || hasEnded()) return;
    await clock.sleep(timeoutMs, waiting.signal).catch(() => undefined);
  } finally {
    forget();
    signal.removeEventListener('abort', over);
    waiting.abort();
  }
}

function resultText({ taskId, title, status, output, totalBytes, outputPath, timedOut }: TaskOutputOutput): string {
  const head = `${taskId} (${title}) ${status}${timedOut ? ' after the wait' : ''}.`;
  if (totalBytes === 0) return `${head} It has printed nothing.`;
  const part =
    totalBytes > MAX_OUTPUT_BYTES
      ? `The end of its output, of ${totalBytes} bytes in ${outputPath}:`
      : `Its output, also in ${outputPath}:`;
  return `${head} ${part}\n${terminalText(output).trimEnd()}`;
}

function view({ taskId, title, state, exitCode, output, totalBytes, outputPath }: TaskOutputOutput): ToolView {
  return {
    kind: 'terminal',
    command: title,
    state: state === 'running' ? 'background' : state,
    ...defined({ exitCode }),
    tail: tailOf(output, TAIL_CHARACTERS),
    bytes: totalBytes,
    outputPath,
    ...(state === 'running' ? { taskId } : {}),
  };
}

function idOf({ task_id, bash_id }: TaskOutputInput): string {
  return task_id ?? bash_id ?? '';
}
