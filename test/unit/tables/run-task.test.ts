// RunTask, row by row: what the model reads of a list and of a run, and what is said where nothing is started.
import assert from 'node:assert/strict';
import { type EditorTask, type EditorTasks, type TaskRun } from '../../../src/core/ports/editor-tasks';
import { runTaskTool } from '../../../src/core/tools/run-task/run-task';
import { type ToolRow, toolTable } from '../../support/tool-table';

const task = (name: string, more: Partial<EditorTask> = {}): EditorTask => ({
  name,
  source: 'Workspace',
  command: `echo ${name}`,
  background: false,
  before: [],
  definition: name,
  ...more,
});
const problem = (line: number) =>
  ({ path: '/w/a.ts', line, column: 1, severity: 'error', message: `bad\n  here`, source: 'ts', code: '1' }) as const;

function having(list: EditorTask[], run: TaskRun | { problem: string } = ended(0)): Pick<ToolRow, 'ports' | 'answer'> {
  const editorTasks: EditorTasks = {
    list: async () => list,
    run: async () => run,
    stop: async (name) => name === 'watch',
  };
  return { ports: { editorTasks }, answer: {} };
}
const ended = (code: number | undefined, lines: number[] = []): TaskRun => ({
  end: { state: 'ended', ...(code === undefined ? {} : { code }) },
  problems: lines.map(problem),
  unchanged: 0,
});

const rows: ToolRow[] = [
  {
    name: 'the list',
    input: {},
    ...having([
      task('build', { group: 'build' }),
      task('watch', { background: true }),
      task('ext: x', { command: undefined as never }),
    ]),
    text: /^build \(build\): echo build\nwatch \(background\): echo watch\next: x/,
    detail: '3 tasks',
  },
  { name: 'no tasks', input: {}, ...having([]), text: /^There are no tasks here/, detail: '0 tasks' },
  {
    name: 'a list that is cut says so',
    input: {},
    ...having(Array.from({ length: 103 }, (_, at) => task(`t${at}`))),
    text: /\n\[3 more tasks, not shown\]$/,
  },
  {
    name: 'an end with problems',
    input: { task: 'build' },
    ...having([task('build')], ended(2, [3, 7])),
    text: 'The task "build" ended with exit code 2. 2 problems since it began:\na.ts:3 error bad here (ts 1)\na.ts:7 error bad here (ts 1)',
    detail: 'exit code 2, 2 problems',
    check: ({ view }) =>
      assert.deepEqual(view?.kind === 'report' && view.places, [
        { shown: 'a.ts:3', path: '/w/a.ts', line: 3 },
        { shown: 'a.ts:7', path: '/w/a.ts', line: 7 },
      ]),
  },
  {
    name: 'more problems than are shown are counted',
    input: { task: 'build' },
    ...having(
      [task('build')],
      ended(
        1,
        Array.from({ length: 34 }, (_, at) => at + 1),
      ),
    ),
    text: /\n\[4 more problems, not shown\]$/,
  },
  {
    name: 'a failure without a problem names the command',
    input: { task: 'build' },
    ...having([task('build')], ended(1)),
    text: 'The task "build" ended with exit code 1. No problem was reported since it began.\nWhat it printed stands in its terminal only. Run its command with Bash to read it: echo build',
  },
  {
    name: 'what stood there before',
    input: { task: 'build' },
    ...having([task('build')], { ...ended(0), unchanged: 2 }),
    text: 'The task "build" ended with exit code 0. No problem was reported since it began.\n2 problems were reported before and still are, perhaps by this task too; Problems lists them.',
  },
  {
    name: 'an end that nobody knows',
    input: { task: 'build' },
    ...having([task('build')], ended(undefined)),
    text: /its exit code is not known/,
  },
  {
    name: 'in the background',
    input: { task: 'watch' },
    ...having([task('watch', { background: true })], { end: { state: 'running' }, problems: [], unchanged: 0 }),
    text: /runs in the background\. The editor does not tell when it is ready\./,
    detail: 'running, no problems',
  },
  {
    name: 'one that takes too long',
    input: { task: 'build' },
    ...having([task('build')], { end: { state: 'running' }, problems: [], unchanged: 0 }),
    text: /still runs: the time was over/,
  },
  {
    name: 'by a part of its name',
    input: { task: 'build' },
    ...having([task('npm: build')]),
    text: /"npm: build" ended/,
  },
  {
    name: 'a name that is not there',
    input: { task: 'npm: biuld' },
    ...having([task('npm: build')]),
    code: 'no-such-task',
    text: /There is no task "npm: biuld"\. Did you mean "npm: build"\?/,
  },
  {
    name: 'a name of two',
    input: { task: 'build' },
    ...having([task('npm: build'), task('gulp: build')]),
    code: 'ambiguous',
    text: /Several tasks are called "build"/,
  },
  {
    name: 'one that VS Code computes, also before another',
    input: { task: 'all' },
    ...having([task('all', { before: ['one'] }), task('one', { obstacle: 'VS Code computes it.' })]),
    code: 'unattended',
    text: /"one" was not started: VS Code computes it\./,
  },
  {
    name: 'two that name each other',
    input: { task: 'a' },
    ...having([task('a', { before: ['b'] }), task('b', { before: ['a'] })]),
    text: /"a" ended with exit code 0/,
  },
  {
    name: 'changed since',
    input: { task: 'build' },
    ...having([task('build')], { problem: 'The task "build" has changed since.' }),
    code: 'not-started',
    text: /has changed since/,
  },
  { name: 'stop', input: { task: 'watch', stop: true }, ...having([]), text: 'The task "watch" was ended.' },
  {
    name: 'stop of another',
    input: { task: 'x', stop: true },
    ...having([]),
    code: 'not-running',
    text: /that you started runs/,
  },
  { name: 'stop without a name', input: { stop: true }, ...having([]), code: 'no-task', text: /needs the name/ },
];

describe('RunTask', () => toolTable(runTaskTool, rows));
