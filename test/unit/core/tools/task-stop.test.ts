// TaskStop on real commands: what ends, what is refused and with which words.
import assert from 'node:assert/strict';
import { taskStopTool } from '../../../../src/core/tools/task-stop';
import { type BackgroundTasks, createBackgroundTasks } from '../../../support/background-tasks';

describe('TaskStop', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  it('says so where nothing runs', async () => {
    assert.deepEqual(await tasks.use(taskStopTool, { task_id: 'bash_9' }), {
      code: 'unknown-task',
      text: 'There is no background task "bash_9". Nothing runs in the background.',
    });
  });

  it('ends a command and everything it has started', async () => {
    const id = await tasks.start('echo up; sleep 41.25 & sleep 41.25');
    const done = await tasks.use(taskStopTool, { task_id: id });
    assert.match(done.text, new RegExp(`^Stopped ${id} \\(echo up; .*\\) with everything that it had started\\. Its output is in ${tasks.root}/`));
    const left = await tasks.start('pgrep -fx "sleep 41.25" && exit 3');
    await tasks.ended(left);
    assert.match((await tasks.use(taskStopTool, { task_id: left })).text, /has ended with exit code 1/);
  });

  const bad: [situation: string, input: (ids: { runs: string; over: string }) => object, code: string, text: RegExp][] = [
    ['an id that is not known lists what runs', () => ({ task_id: 'nope' }), 'unknown-task', /^There is no background task "nope"\. Running in the background: bash_\d+ \(sleep 42\.5…\)\.$/],
    ['one that has ended says how', ({ over }) => ({ task_id: over }), 'task-ended', /^bash_\d+ is over: it has ended with exit code 6\. Its output is in \/.*\.out\.$/],
    ['no id at all', () => ({}), 'no-task', /task_id is missing/],
    ['an empty id', () => ({ shell_id: '' }), 'no-task', /task_id is missing/],
  ];
  for (const [situation, input, code, text] of bad) {
    it(situation, async () => {
      const runs = await tasks.start('sleep 42.5\necho second');
      const over = await tasks.start('exit 6');
      await tasks.ended(over);
      const done = await tasks.use(taskStopTool, input({ runs, over }));
      assert.equal(done.code, code);
      assert.match(done.text, text);
      // By its older name, too.
      assert.equal((await tasks.use(taskStopTool, { shell_id: runs })).code, 'ok');
      assert.equal((await tasks.use(taskStopTool, { shell_id: runs })).code, 'task-ended');
    });
  }

  it('looks right and needs no question', async () => {
    assert.deepEqual(taskStopTool.describe({ task_id: 'bash_1' }), { now: 'Stopping bash_1', past: 'Stopped bash_1' });
    assert.equal(taskStopTool.access, 'ReadOnly');
    assert.equal(taskStopTool.isConcurrencySafe({ task_id: 'bash_1' }), false);
  });
});
