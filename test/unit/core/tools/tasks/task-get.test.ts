// TaskGet: it only reads, also in parallel with other calls.
import assert from 'node:assert/strict';
import { taskGetTool } from '../../../../../src/core/tools/tasks/task-get';

describe('TaskGet', () => {
  it('runs beside other calls and names the task', () => {
    assert.equal(taskGetTool.isConcurrencySafe({ taskId: '2' }), true);
    assert.deepEqual(taskGetTool.describe({ taskId: '2' }), { now: 'Looking at task 2', past: 'Looked at task 2' });
  });
});
