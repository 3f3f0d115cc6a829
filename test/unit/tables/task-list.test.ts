// TaskList, row by row.
import { noTasks } from '../../../src/core/tasks/task';
import { taskListTool } from '../../../src/core/tools/tasks/task-list';
import { sessionTasks } from '../../support/task-rows';
import { type ToolRow, toolTable } from '../../support/tool-table';

const rows: ToolRow[] = [
  {
    name: 'all of them',
    input: {},
    session: sessionTasks(),
    text: '#1 Build (completed)\n#2 Test (in_progress, owner ann)\n#3 Ship (pending, waits for #2)',
    detail: '1/3',
  },
  { name: 'an empty list', input: {}, session: sessionTasks(noTasks), text: 'There are no tasks.', detail: '0/0' },
  { name: 'where there is no list', input: {}, code: 'no-task-list', text: /has no task list/ },
];

describe('TaskList, row by row', () => toolTable(taskListTool, rows));
