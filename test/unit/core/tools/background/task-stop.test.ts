// TaskStop beyond its table: that everything a command has started ends with it.
import assert from 'node:assert/strict';
import { taskStopTool } from '../../../../../src/core/tools/background/task-stop';
import { type BackgroundTasks, createBackgroundTasks } from '../../../../support/background-tasks';

describe('TaskStop', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  it('ends a command and everything it has started', async () => {
    const id = await tasks.start('echo up; sleep 41.25 & sleep 41.25');
    const done = await tasks.use(taskStopTool, { task_id: id });
    assert.match(
      done.text,
      new RegExp(
        `^Stopped ${id} \\(echo up; .*\\) and every process that it started\\. Its output is in ${tasks.root}/`,
      ),
    );
    const left = await tasks.start('pgrep -fx "sleep 41.25" && exit 3');
    await tasks.ended(left);
    assert.match((await tasks.use(taskStopTool, { task_id: left })).text, /has ended with exit code 1/);
  });

  it('looks right and needs no question', async () => {
    assert.deepEqual(taskStopTool.describe({ task_id: 'bash_1' }), { now: 'Stopping bash_1', past: 'Stopped bash_1' });
    assert.equal(taskStopTool.access, 'ReadOnly');
    assert.equal(taskStopTool.isConcurrencySafe({ task_id: 'bash_1' }), false);
  });
});
