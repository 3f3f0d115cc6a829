// /loop: rounds at an interval or as the agent says, never two at once, and an end to all of them.
import assert from 'node:assert/strict';
import { setImmediate as nextTask } from 'node:timers/promises';
import { type FeatureLine } from '../../../../src/shared/chat';
import { createPromptLoop, maxRounds } from '../../../../src/vscode/chat/conversation/prompt-loop';
import { createManualClock } from '../../../support/manual-clock';

describe('a loop', () => {
  const begin = () => {
    const clock = createManualClock('manual');
    const sent: [string, boolean][] = [];
    const shown: (FeatureLine | null)[] = [];
    const notices: string[] = [];
    const turn = { runs: false };
    const loop = createPromptLoop({
      clock,
      send: async (text, note) => {
        sent.push([text, note !== undefined]);
        turn.runs = true;
      },
      running: () => turn.runs,
      shown: (item) => void shown.push(item),
      notice: (title) => void notices.push(title),
    });
    const over = (completed = true, answer = ''): void => {
      turn.runs = false;
      loop.turnEnded(completed, answer);
    };
    const pass = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await nextTask();
    };
    return { clock, sent, shown, notices, turn, loop, over, pass };
  };

  const line = {
    id: 'loop',
    name: 'Loop',
    icon: 'sync',
    text: 'Test',
    stop: 'Stop the loop',
    stopped: 'Loop stopped',
  };

  it('sends at once, and again when the time has passed since the end of a round', async () => {
    const { clock, sent, shown, loop, over, pass } = begin();
    loop.start({ prompt: 'Test', everyMs: 60_000 });
    assert.deepEqual(sent, [['Test', false]]);
    await pass(120_000);
    assert.equal(sent.length, 1, 'not while the round runs');
    over();
    assert.deepEqual(shown.at(-1), { ...line, progress: 'round 1, every 1m', nextAt: clock.now() + 60_000 });
    await pass(59_000);
    assert.equal(sent.length, 1);
    await pass(1_000);
    assert.equal(sent.length, 2);
    assert.deepEqual(shown.at(-1), { ...line, progress: 'round 2, every 1m' });
  });

  it("waits for a turn of the user's, and follows it", async () => {
    const { sent, turn, loop, over, pass } = begin();
    loop.start({ prompt: 'Test', everyMs: 60_000 });
    over();
    turn.runs = true;
    await pass(60_000);
    assert.equal(sent.length, 1);
    over();
    assert.equal(sent.length, 2);
    // A turn before the time changes nothing.
    over();
    turn.runs = true;
    over();
    assert.equal(sent.length, 2);
  });

  it('waits its interval behind a turn that the user has stopped, and does not begin at once', async () => {
    const { clock, sent, shown, turn, loop, over, pass } = begin();
    loop.start({ prompt: 'Test', everyMs: 60_000 });
    over();
    turn.runs = true;
    await pass(60_000);
    over(false);
    assert.deepEqual([sent.length, loop.current?.prompt, shown.at(-1)?.nextAt], [1, 'Test', clock.now() + 60_000]);
    turn.runs = true;
    over();
    assert.equal(sent.length, 1, 'nor behind a further turn');
    await pass(60_000);
    assert.equal(sent.length, 2);
  });

  it("goes at the agent's pace, and ends when it is done", async () => {
    const { clock, sent, shown, notices, loop, over, pass } = begin();
    loop.start({ prompt: 'Look' });
    assert.deepEqual(sent, [['Look', true]]);
    over(true, 'Wait.\nNEXT: 30s');
    await pass(30_000);
    assert.equal(sent.length, 2);
    over(true, 'It says nothing.');
    assert.equal(shown.at(-1)?.nextAt, clock.now() + 600_000);
    await pass(600_000);
    over(true, 'NEXT: done');
    assert.deepEqual([shown.at(-1), notices, loop.current], [null, ['The loop is done.'], undefined]);
  });

  it('ends with Stop, with a round that did not finish, after its last round, and after a day', async () => {
    const stopped = begin();
    stopped.loop.start({ prompt: 'Test', everyMs: 60_000 });
    stopped.over();
    assert.equal(stopped.loop.stop(), true);
    assert.equal(stopped.loop.stop(), false);
    await stopped.pass(600_000);
    assert.deepEqual([stopped.sent.length, stopped.shown.at(-1)], [1, null]);
    const failed = begin();
    failed.loop.start({ prompt: 'Test', everyMs: 60_000 });
    failed.over(false);
    assert.deepEqual([failed.loop.current, failed.notices], [undefined, ['The loop has ended.']]);
    const long = begin();
    long.loop.start({ prompt: 'Test', everyMs: 10_000 });
    for (let round = 0; round < maxRounds + 5; round++) {
      long.over();
      await long.pass(10_000);
    }
    assert.deepEqual([long.sent.length, long.loop.current], [maxRounds, undefined]);
    const day = begin();
    day.loop.start({ prompt: 'Test', everyMs: 13 * 3_600_000 });
    for (let round = 0; round < 5; round++) {
      day.over();
      await day.pass(13 * 3_600_000);
    }
    assert.deepEqual([day.sent.length, day.loop.current], [3, undefined]);
  });
});
