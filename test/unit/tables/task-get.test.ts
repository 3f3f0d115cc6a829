// TaskGet, row by row.
import { noTasks } from '../../../src/core/tasks/task';
import { taskGetTool } from '../../../src/core/tools/tasks/task-get';
import { sessionTasks } from '../../support/task-rows';
import { type ToolRow, toolTable } from '../../support/tool-table';

const rows: ToolRow[] = [
  {
    name: 'a task with all that belongs to it',
    input: { taskId: '3' },
    session: sessionTasks(),
    text: /"subject": "Ship",\s+"description": "Ship all",\s+"status": "pending",\s+"blocks": \[\],\s+"blockedBy": \[\s+"2"/,
    detail: 'pending',
  },
  {
    name: 'a number with its sign',
    input: { taskId: '#2' },
    session: sessionTasks(),
    text: /"owner": "ann"/,
    detail: 'in progress',
  },
  {
    name: 'an unknown one',
    input: { taskId: '7' },
    session: sessionTasks(),
    code: 'unknown-task',
    text: 'There is no task #7. There are #1, #2, #3.',
  },
  {
    name: 'of an empty list',
    input: { taskId: '1' },
    session: sessionTasks(noTasks),
    code: 'unknown-task',
    text: 'There is no task #1. The list is empty.',
  },
  { name: 'where there is no list', input: { taskId: '1' }, code: 'no-task-list', text: /has no task list/ },
  { name: 'no number', input: {}, session: sessionTasks(), code: 'InputValidationError', text: /`taskId`: Required/ },
];

describe('TaskGet, row by row', () => toolTable(taskGetTool, rows));
