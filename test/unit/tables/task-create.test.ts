// TaskCreate, row by row: what is added, and what is refused.
import { noTasks } from '../../../src/core/tasks/task';
import { taskCreateTool } from '../../../src/core/tools/tasks/task-create';
import { sessionTasks } from '../../support/task-rows';
import { type ToolRow, toolTable } from '../../support/tool-table';

const task = { subject: 'Run the tests', description: 'All of them' };

const rows: ToolRow[] = [
  {
    name: 'the first',
    input: task,
    session: sessionTasks(noTasks),
    text: 'Added task #1: Run the tests',
    detail: '#1',
  },
  {
    name: 'one more',
    input: { ...task, activeForm: 'Running the tests', metadata: { pr: 7 } },
    session: sessionTasks(),
    text: 'Added task #4: Run the tests',
    detail: '#4',
  },
  {
    name: 'other scripts',
    input: { ...task, subject: 'größe 漢字 😀' },
    session: sessionTasks(),
    text: /größe 漢字 😀$/,
  },
  {
    name: 'what a hook refuses',
    input: task,
    session: sessionTasks(noTasks, 'Write a ticket first.'),
    code: 'hook-refused',
    text: 'A hook refused the task, so it was not added: Write a ticket first.',
  },
  { name: 'where there is no list', input: task, code: 'no-task-list', text: /has no task list/ },
  {
    name: 'no subject',
    input: { description: '' },
    session: sessionTasks(),
    code: 'InputValidationError',
    text: /`subject`: Required/,
  },
  {
    name: 'an empty subject',
    input: { ...task, subject: '' },
    session: sessionTasks(),
    code: 'InputValidationError',
    text: /`subject`/,
  },
  {
    name: 'no description',
    input: { subject: 'A' },
    session: sessionTasks(),
    code: 'InputValidationError',
    text: /`description`: Required/,
  },
];

describe('TaskCreate, row by row', () => toolTable(taskCreateTool, rows));
