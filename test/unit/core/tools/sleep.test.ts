// Sleep beyond its table: what wakes it.
import assert from 'node:assert/strict';
import { createArrivalBell, type Arrival } from '../../../../src/core/tool/arrivals';
import { sleepTool } from '../../../../src/core/tools/sleep';
import { isFailure, type ToolContext } from '../../../../src/core/tool/tool';
import { createManualClock } from '../../../support/manual-clock';
import { reply, text, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt } from '../../../support/session-harness';

describe('Sleep', () => {
  function start(ms: number) {
    const clock = createManualClock('manual');
    let news: Arrival | undefined;
    const bell = createArrivalBell(() => news);
    const abort = new AbortController();
    const context = {
      signal: abort.signal,
      ports: { clock },
      session: { onArrival: bell.listen },
    } as unknown as ToolContext;
    const done = sleepTool.call({ duration_ms: ms }, context).then((result) => {
      assert.ok(!isFailure(result));
      assert.equal(sleepTool.outputSchema?.safeParse(result.data).success, true);
      return `${String(sleepTool.mapToolResultToToolResultBlockParam(result.data, 't').content)} [${sleepTool.detail(result.data)}]`;
    });
    const arrives = (kind: Arrival): void => {
      news = kind;
      bell.ring();
    };
    return { clock, done, arrives, abort };
  }

  const wakings: [Arrival, string][] = [
    ['message', 'Woke after 12 s of 1 min: the user has written; their message follows. [woken by your message]'],
    [
      'event',
      'Woke after 12 s of 1 min: something has happened in the background; it follows. [woken by a background event]',
    ],
  ];
  for (const [kind, said] of wakings) {
    it(`wakes for a ${kind}`, async () => {
      const { clock, done, arrives } = start(60_000);
      await clock.sleeping(1);
      clock.advance(12_000);
      arrives(kind);
      assert.equal(await done, said);
    });
  }

  it('ends with the turn', async () => {
    const { clock, done, abort } = start(60_000);
    await clock.sleeping(1);
    abort.abort(new DOMException('Stopped.', 'AbortError'));
    await assert.rejects(done, { name: 'AbortError' });
  });

  it('ends with the turn also where news came in the same moment', async () => {
    const { clock, done, arrives, abort } = start(60_000);
    await clock.sleeping(1);
    arrives('event');
    abort.abort(new DOMException('Stopped.', 'AbortError'));
    await assert.rejects(done, { name: 'AbortError' });
  });

  it('no longer listens once it is over', async () => {
    const clock = createManualClock('manual');
    let listeners = 0;
    const onArrival = (): (() => void) => {
      listeners++;
      return () => void listeners--;
    };
    const done = sleepTool.call({ duration_ms: 10 }, {
      signal: new AbortController().signal,
      ports: { clock },
      session: { onArrival },
    } as unknown as ToolContext);
    await clock.sleeping(1);
    assert.equal(listeners, 1);
    clock.advance(10);
    await done;
    assert.equal(listeners, 0);
  });

  it('needs no approval, holds no shell, and other calls wait for it', () => {
    const input = { duration_ms: 1 };
    assert.deepEqual(
      [
        sleepTool.access,
        sleepTool.isReadOnly(input),
        sleepTool.isConcurrencySafe(input),
        sleepTool.targets(input, '/w'),
      ],
      ['ReadOnly', true, false, []],
    );
  });

  const inSession = async (wake: (harness: ReturnType<typeof createHarness>) => void): Promise<string> => {
    const clock = createManualClock('manual');
    const model = createScriptedModel([reply(toolUse('Sleep', { duration_ms: 60_000 })), reply(text('On we go.'))]);
    const harness = createHarness({ model, tools: [sleepTool], clock });
    const turn = harness.run('Wait for it');
    await clock.sleeping(1);
    wake(harness);
    assert.equal((await turn).reason, 'completed');
    assert.deepEqual(harness.approvals, []);
    return JSON.stringify(model.requests[1]?.messages.at(-1));
  };

  it('hears the user, whose message follows the result', async () => {
    assert.match(
      await inSession(({ session }) => session.steer(prompt('Never mind'))),
      /their message follows.*Never mind/,
    );
  });

  it('hears of a command that has ended', async () => {
    assert.match(
      await inSession(({ session }) => session.remind('Background command b1 has ended.')),
      /it follows.*Background command b1 has ended\./,
    );
  });

  it('tells nobody who has stopped to listen', () => {
    const heard: Arrival[] = [];
    const bell = createArrivalBell(() => 'event');
    const unsubscribe = bell.listen((news) => heard.push(news));
    bell.ring();
    unsubscribe();
    bell.ring();
    assert.deepEqual(heard, ['event', 'event']);
  });
});
