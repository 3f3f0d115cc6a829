// TaskCreate: what the chat says and shows of it.
import assert from 'node:assert/strict';
import { addTask } from '../../../../../src/core/tasks/change-tasks';
import { taskCreateTool } from '../../../../../src/core/tools/tasks/task-create';
import { taskRows } from '../../../../support/task-rows';

describe('TaskCreate', () => {
  it('shows the whole list, and asks nobody', () => {
    const { list, task } = addTask(taskRows(), { subject: 'Tell', description: '' });
    const view = taskCreateTool.view({ ...list, task }, { subject: 'Tell', description: '' });
    assert.deepEqual(view.kind === 'todo' ? view.items.map(({ content, status }) => `${content}: ${status}`) : view, [
      '#1 Build: completed',
      '#2 Test: in_progress',
      '#3 Ship: pending',
      '#4 Tell: pending',
    ]);
    assert.equal(view.kind === 'todo' && view.step, true, 'one of many: its card begins closed');
    assert.equal(taskCreateTool.access, 'ReadOnly');
    assert.deepEqual(taskCreateTool.describe({ subject: 'Tell', description: '' }), {
      now: 'Adding the task "Tell"',
      past: 'Added the task "Tell"',
    });
  });

  it('runs one after another: each needs the number of the one before', () =>
    assert.equal(taskCreateTool.isConcurrencySafe({ subject: 'a', description: '' }), false));
});
