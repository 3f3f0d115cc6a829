// The tasks of VS Code: lists them as data, and runs one as its own "Run Task" would, in a terminal of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Diagnostics } from '../../core/ports/diagnostics';
import { type EditorTask, type EditorTasks, type TaskRun } from '../../core/ports/editor-tasks';
import { messageOf } from '../../core/text/errors';
import { isObject } from '../../shared/plain-object';
import { commandOf } from './task-command';
import { followProblems } from './task-problems';

/** Milliseconds in which a background task shows whether it fails at once. */
const backgroundMs = 5_000;
/** Findings of a matcher come up to 150 ms after the end. */
const matcherMs = 500;

export function createEditorTasks(diagnostics: Pick<Diagnostics, 'current'>): EditorTasks {
  /** Started here and not ended yet, by name. */
  const running = new Map<string, vscode.TaskExecution>();
  /** What the last run has found, by name. */
  const earlierOf = new Map<string, Set<string>>();
  return {
    list: async () => (await found()).map(({ listed }) => listed),
    async run(task, timeoutMs, signal) {
      if (!vscode.workspace.isTrusted) return { problem: 'This workspace is not trusted, so no task was started.' };
      const now = (await found()).find(({ listed }) => listed.name === task.name);
      if (now?.listed.definition !== task.definition)
        return {
          problem: `The task "${task.name}" has changed since it was looked at, so it was not started. Call it again.`,
        };
      signal.throwIfAborted();
      const { name, background } = task;
      const earlier = earlierOf.get(name) ?? new Set();
      earlierOf.set(name, earlier);
      return follow(now.task, { name, background, timeoutMs, running, earlier }, diagnostics, signal);
    },
    async stop(name) {
      const execution = running.get(name);
      running.delete(name);
      execution?.terminate();
      return execution !== undefined;
    },
  };
}

interface Following {
  name: string;
  background: boolean;
  timeoutMs: number;
  running: Map<string, vscode.TaskExecution>;
  earlier: Set<string>;
}

async function follow(
  task: vscode.Task,
  { name, background, timeoutMs, running, earlier }: Following,
  diagnostics: Pick<Diagnostics, 'current'>,
  signal: AbortSignal,
): Promise<TaskRun | { problem: string }> {
  const problems = followProblems(diagnostics, earlier);
  const over = new AbortController();
  let execution: vscode.TaskExecution | undefined;
  let end: TaskRun['end'] | undefined;
  const ended = (one: TaskRun['end']): void => {
    // Its process ends ahead of the task, and alone knows the exit code.
    end ??= one;
    over.abort();
  };
  const ofProcess = vscode.tasks.onDidEndTaskProcess(({ execution: of, exitCode }) => {
    if (of === execution) ended({ state: 'ended', ...(exitCode === undefined ? {} : { code: exitCode }) });
  });
  // In the background it goes on after this call.
  const wholeTask = vscode.tasks.onDidEndTask(({ execution: of }) => {
    if (of !== execution) return;
    wholeTask.dispose();
    if (running.get(name) === of) running.delete(name);
    ended({ state: 'ended' });
  });
  const stop = (): void => execution?.terminate();
  signal.addEventListener('abort', stop);
  try {
    execution = await vscode.tasks.executeTask(task);
    if (signal.aborted) stop();
    if (end === undefined) running.set(name, execution);
    const waitMs = background ? Math.min(backgroundMs, timeoutMs) : timeoutMs;
    await sleep(waitMs, undefined, { signal: AbortSignal.any([over.signal, signal]) }).catch(() => undefined);
    signal.throwIfAborted();
    await sleep(matcherMs);
    return { end: end ?? { state: 'running' }, ...problems.found() };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: `VS Code did not start the task "${name}": ${messageOf(error)}` };
  } finally {
    signal.removeEventListener('abort', stop);
    ofProcess.dispose();
    if (execution === undefined) wholeTask.dispose();
    problems.dispose();
  }
}

interface FoundTask {
  task: vscode.Task;
  listed: EditorTask;
}

async function found(): Promise<FoundTask[]> {
  const tasks = await vscode.tasks.fetchTasks();
  const names = tasks.map(plainName);
  return tasks.map((task, index) => {
    const plain = names[index] ?? task.name;
    const isAlone = names.indexOf(plain) === names.lastIndexOf(plain);
    return { task, listed: listedTask(task, isAlone ? plain : `${plain} (${placeOf(task) ?? task.source})`) };
  });
}

/** As VS Code's list: the source in front of what is not from tasks.json. */
function plainName({ name, source }: vscode.Task): string {
  return source === 'Workspace' ? name : `${source}: ${name}`;
}

function placeOf({ scope }: vscode.Task): string | undefined {
  return isFolder(scope) ? scope.name : undefined;
}

function isFolder(scope: vscode.Task['scope']): scope is vscode.WorkspaceFolder {
  return typeof scope === 'object' && scope !== null;
}

function listedTask(task: vscode.Task, name: string): EditorTask {
  const { source, group, isBackground, definition } = task;
  const written = writtenTask(task);
  const { command, obstacle } = commandOf(task.execution);
  const before = written?.['dependsOn'] === undefined ? [] : namesIn(written['dependsOn']);
  const blocked =
    before === undefined
      ? 'it depends on tasks that are not named by their labels, so what would run is not known.'
      : obstacle;
  return {
    name,
    source,
    ...(group === undefined ? {} : { group: group.id }),
    ...(command === undefined ? {} : { command }),
    background: isBackground,
    before: before ?? [],
    ...(blocked === undefined ? {} : { obstacle: blocked }),
    definition: JSON.stringify([name, source, definition, command, written]),
  };
}

/** What tasks.json says of it: VS Code's API leaves out what it depends on. */
function writtenTask({ name, scope, source }: vscode.Task): Record<string, unknown> | undefined {
  if (source !== 'Workspace') return undefined;
  const settings = vscode.workspace.getConfiguration('tasks', isFolder(scope) ? scope.uri : undefined);
  const { workspaceFolderValue, workspaceValue, globalValue } = settings.inspect<unknown>('tasks') ?? {};
  const lists = [workspaceFolderValue, workspaceValue, globalValue].filter(Array.isArray) as unknown[][];
  return lists
    .flat()
    .filter(isObject)
    .find((one) => (one['label'] ?? one['taskName']) === name);
}

/** Undefined where one of them has no name. */
function namesIn(dependsOn: unknown): string[] | undefined {
  const list: unknown[] = Array.isArray(dependsOn) ? dependsOn : [dependsOn];
  return list.every((one): one is string => typeof one === 'string') ? list : undefined;
}
