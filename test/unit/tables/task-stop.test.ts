// TaskStop, row by row, on real background commands: what ends, what is refused and with which words.
import { taskStopTool } from '../../../src/core/tools/background/task-stop';
import { type BackgroundTasks, createBackgroundTasks } from '../../support/background-tasks';
import { type ToolRow, toolTable } from '../../support/tool-table';

describe('TaskStop, row by row', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  const over = async (): Promise<void> => tasks.ended(await tasks.start('exit 6'));
  const runs = (): Promise<string> => tasks.start('sleep 42.5\necho second');

  /** Ids count up from row to row. */
  const rows: ToolRow[] = [
    {
      name: 'nothing runs',
      input: { task_id: 'bash_9' },
      code: 'unknown-task',
      text: 'There is no background task "bash_9". Nothing runs in the background.',
    },
    {
      name: 'one that runs',
      prepare: runs,
      input: { task_id: 'bash_1' },
      text: /^Stopped bash_1 \(sleep 42\.5…\) and every process that it started\. Its output is in \/.*\.out\.$/,
    },
    { name: 'the same again', input: { task_id: 'bash_1' }, code: 'task-ended', text: /^bash_1 has already ended: / },
    { name: 'one by its older name', prepare: runs, input: { shell_id: 'bash_2' }, text: /^Stopped bash_2 / },
    {
      name: 'one that has ended',
      prepare: over,
      input: { task_id: 'bash_3' },
      code: 'task-ended',
      text: /^bash_3 has already ended: it has ended with exit code 6\. Its output is in \/.*\.out\.$/,
    },
    {
      name: 'an id that is not known lists what runs',
      prepare: runs,
      input: { task_id: 'nope' },
      code: 'unknown-task',
      text: /There is no background task "nope"\. Running in the background: bash_4 \(sleep 42\.5…\)\./,
    },
    {
      name: 'a path in the place of an id',
      input: { task_id: '../../etc/passwd' },
      code: 'unknown-task',
      text: /There is no background task/,
    },
    {
      name: 'a huge id',
      input: { task_id: 'x'.repeat(100_000) },
      code: 'unknown-task',
      text: /There is no background task/,
    },
    { name: 'no id at all', input: {}, code: 'no-task', text: /task_id is missing/ },
    { name: 'an empty id', input: { shell_id: '' }, code: 'no-task', text: /task_id is missing/ },
    {
      name: 'an id that is a number',
      input: { task_id: 4 },
      code: 'unknown-task',
      text: /There is no background task "4"\. Running/,
    },
  ];
  toolTable(taskStopTool, rows, { ports: () => tasks.ports });
});
