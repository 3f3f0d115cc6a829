// TaskList: it only looks, and shows the list as the user watches it.
import assert from 'node:assert/strict';
import { taskListTool } from '../../../../../src/core/tools/tasks/task-list';
import { taskRows } from '../../../../support/task-rows';

describe('TaskList', () => {
  it('runs beside other calls and shows all tasks', () => {
    assert.equal(taskListTool.isConcurrencySafe({}), true);
    const view = taskListTool.view(taskRows(), {});
    assert.deepEqual(view.kind === 'todo' ? view.items.length : view, 3);
  });
});
