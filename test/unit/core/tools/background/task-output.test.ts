// TaskOutput beyond its table: the ways in which a wait ends.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { taskOutputTool } from '../../../../../src/core/tools/background/task-output';
import { type BackgroundTasks, createBackgroundTasks } from '../../../../support/background-tasks';
import { createManualClock } from '../../../../support/manual-clock';

describe('TaskOutput', () => {
  let tasks: BackgroundTasks;
  before(() => (tasks = createBackgroundTasks()));
  after(() => tasks.dispose());

  it('answers at once where it shall not wait', async () => {
    const id = await tasks.start('sleep 43.5');
    const done = await tasks.use(taskOutputTool, { task_id: id, block: false });
    assert.match(done.text, /^bash_\d+ \(sleep 43\.5\) runs\. It has printed nothing\.$/);
    assert.equal(done.detail, 'still running');
    assert.deepEqual(done.view?.kind === 'terminal' && [done.view.state, done.view.taskId], ['background', id]);
  });

  it('tells what was printed so far when the time is over, and the task goes on', async () => {
    const go = path.join(tasks.root, 'go');
    const id = await tasks.start(`echo first; until [ -e ${go} ]; do sleep 0.02; done; echo second`);
    const clock = createManualClock();
    await untilPrinted(id, 'first');
    const done = await tasks.use(taskOutputTool, { task_id: id }, { clock });
    assert.match(done.text, /runs after the wait\. Its output, also in .*:\nfirst$/);
    await tasks.use(taskOutputTool, { task_id: id, timeout: 9_000_000 }, { clock });
    await tasks.use(taskOutputTool, { task_id: id, timeout: 5 }, { clock });
    assert.deepEqual(clock.slept, [30_000, 600_000, 5]);
    writeFileSync(go, '');
    assert.match(
      (await tasks.use(taskOutputTool, { task_id: id })).text,
      /has ended without an error.*\nfirst\nsecond$/s,
    );
  });

  it('stops waiting when the user stops the turn', async () => {
    const id = await tasks.start('sleep 44.5');
    const clock = createManualClock('manual');
    const controller = new AbortController();
    const waiting = tasks.use(taskOutputTool, { task_id: id }, { clock, signal: controller.signal });
    await clock.sleeping(1);
    controller.abort();
    assert.match((await waiting).text, /\(sleep 44\.5\) runs after the wait\./);
    const late = await tasks.use(taskOutputTool, { task_id: id }, { clock, signal: controller.signal });
    assert.equal(late.code, 'ok');
    assert.deepEqual(clock.slept, [30_000], 'and does not begin to wait in a turn that is over');
  });

  async function untilPrinted(id: string, text: string): Promise<void> {
    while (!(await tasks.use(taskOutputTool, { task_id: id, block: false })).text.includes(`\n${text}`));
  }
});
