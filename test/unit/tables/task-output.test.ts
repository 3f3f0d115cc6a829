// TaskOutput, row by row, on real background commands: state, exit code, output, and what is refused.
import { taskOutputTool } from '../../../src/core/tools/background/task-output';
import { type BackgroundTasks, createBackgroundTasks } from '../../support/background-tasks';
import { type ToolRow, toolTable } from '../../support/tool-table';

describe('TaskOutput, row by row', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  /** Ids count up from row to row. */
  const rows: ToolRow[] = [
    {
      name: 'nothing has run',
      input: { task_id: 'bash_1' },
      code: 'unknown-task',
      text: /There is no background task "bash_1"\. Nothing runs/,
    },
    {
      name: 'output',
      prepare: () => tasks.start('echo one; echo two'),
      input: { task_id: 'bash_1' },
      text: /^bash_1 \(echo one; echo two\) has ended without an error\. Its output, also in \/.*\.out:\none\ntwo$/,
      detail: '',
    },
    {
      name: 'the same again, by its older name',
      input: { bash_id: 'bash_1', block: false },
      text: /^bash_1 \(echo one; echo two\) has ended without an error\. .*:\none\ntwo$/,
    },
    {
      name: 'an exit code',
      prepare: () => tasks.start('echo bad; exit 4'),
      input: { task_id: 'bash_2' },
      text: /has ended with exit code 4\. Its output, also in .*:\nbad$/,
      detail: 'exit 4',
    },
    {
      name: 'nothing printed',
      prepare: () => tasks.start('true'),
      input: { task_id: 'bash_3' },
      text: /has ended without an error\. It has printed nothing\.$/,
      detail: '',
    },
    {
      name: 'a signal',
      prepare: () => tasks.start('kill -TERM $$'),
      input: { task_id: 'bash_4' },
      text: /was ended by SIGTERM\. It has printed nothing\.$/,
      detail: 'exit 143',
    },
    {
      name: 'the end of much output',
      prepare: () => tasks.start('seq 1 20000'),
      input: { task_id: 'bash_5' },
      text: /The end of its output, of 108894 bytes in \/.*\.out:\n(?:\d+\n){3000,3333}20000$/,
      detail: '',
    },
    {
      name: 'one that runs',
      prepare: () => tasks.start('sleep 45.5'),
      input: { task_id: 'bash_6', block: false },
      text: /^bash_6 \(sleep 45\.5\) runs\. It has printed nothing\.$/,
      detail: 'still running',
    },
    {
      name: 'one that runs on after the wait',
      input: { task_id: 'bash_6', timeout: 20 },
      text: /^bash_6 \(sleep 45\.5\) runs after the wait\./,
    },
    {
      name: 'a progress bar: its last state',
      prepare: () => tasks.start("printf 'a\\r 50%%\\r100%%\\n'"),
      input: { task_id: 'bash_7' },
      text: /:\n100%$/,
    },
    {
      name: 'an id that is not known lists what runs',
      input: { task_id: 'bash_999' },
      code: 'unknown-task',
      text: /There is no background task "bash_999"\. Running in the background: bash_6/,
    },
    { name: 'no id', input: { block: true }, code: 'no-task', text: /task_id is missing/ },
    {
      name: 'an id that is a list',
      input: { task_id: ['bash_1'] },
      code: 'InputValidationError',
      text: /Expected string, received array/,
    },
    {
      name: 'a wait that is none',
      input: { task_id: 'a', timeout: -1 },
      code: 'InputValidationError',
      text: /timeout/,
    },
    { name: 'block in words', input: { task_id: 'a', block: 'perhaps' }, code: 'InputValidationError', text: /block/ },
  ];
  toolTable(taskOutputTool, rows, { ports: () => tasks.ports });
});
