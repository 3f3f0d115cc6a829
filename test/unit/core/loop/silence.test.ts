// A reply of which nothing comes: the user is notified after a while, until something comes or it is over.
import assert from 'node:assert/strict';
import { type ModelClient } from '../../../../src/core/ports/model';
import { ModelError } from '../../../../src/core/text/errors';
import { latch } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import { delayed, gate, reply, text } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';

const silenceEvents = ({ events }: Harness): string[] =>
  events.flatMap(({ type }) => (type === 'reply_silent' || type === 'reply_heard' ? [type] : []));
const said = 'No data for 20 s…';

describe('silence', () => {
  const open = (model: ModelClient, more: Partial<HarnessOptions> = {}) => {
    const clock = createManualClock('manual');
    return { clock, harness: createHarness({ model, clock, session: { silenceMs: 20_000 }, ...more }) };
  };

  it('before a reply begins is told after 20 seconds, and no more once something comes', async () => {
    const begins = latch();
    const { clock, harness } = open(createScriptedModel([delayed(reply('Here.'), begins.opened)]));
    const turn = harness.run('Go');
    await clock.sleeping(1);
    clock.advance(19_999);
    assert.deepEqual(silenceEvents(harness), []);
    clock.advance(1);
    await harness.when(({ type }) => type === 'reply_silent');
    assert.equal(harness.chat().activity, said);
    assert.equal(harness.chat().status, 'working');
    begins.open();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(silenceEvents(harness), ['reply_silent', 'reply_heard']);
    assert.equal(harness.chat().activity, '');
  });

  it('in the middle of a reply counts from the last of it, and is told again where it comes again', async () => {
    const [first, second] = [latch(), latch()];
    const { clock, harness } = open(
      createScriptedModel([reply(text('One', gate(first.opened), 'two', gate(second.opened), 'three'))]),
    );
    const silences = (count: number): Promise<void> =>
      harness.when(() => silenceEvents(harness).filter((type) => type === 'reply_silent').length === count);
    const turn = harness.run('Go');
    await clock.sleeping(1);
    await harness.when((event) => event.type === 'block_delta');
    clock.advance(20_000);
    await silences(1);
    first.open();
    await harness.when((event) => event.type === 'block_delta' && event.text === 'two');
    assert.equal(harness.chat().activity, '');
    clock.advance(20_000);
    await silences(2);
    second.open();
    await turn;
    assert.deepEqual(silenceEvents(harness), ['reply_silent', 'reply_heard', 'reply_silent', 'reply_heard']);
  });

  it('is none while there are signs of life that are no events', async () => {
    const ends = latch();
    const scripted = createScriptedModel([delayed(reply('Here.'), ends.opened)]);
    let ping = (): void => undefined;
    const model: ModelClient = {
      ...scripted,
      stream: (request, signal, heard = () => undefined) => ((ping = heard), scripted.stream(request, signal)),
    };
    const { clock, harness } = open(model);
    const turn = harness.run('Go');
    await clock.sleeping(1);
    clock.advance(15_000);
    ping();
    clock.advance(5_000);
    await clock.sleeping(2);
    assert.deepEqual([silenceEvents(harness), clock.slept], [[], [20_000, 15_000]]);
    ends.open();
    await turn;
    assert.deepEqual(silenceEvents(harness), []);
  });

  it('is over where the user stops, and where the request fails', async () => {
    const never = new Promise<void>(() => undefined);
    const controller = new AbortController();
    const stopped = open(createScriptedModel([delayed(reply('Never.'), never)]));
    const turn = stopped.harness.run('Go', controller.signal);
    await stopped.clock.sleeping(1);
    stopped.clock.advance(20_000);
    await stopped.harness.when(({ type }) => type === 'reply_silent');
    controller.abort();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.deepEqual(silenceEvents(stopped.harness), ['reply_silent', 'reply_heard']);

    const gives = latch();
    const failing: ModelClient = {
      ...createScriptedModel([]),
      async *stream() {
        await gives.opened;
        throw new ModelError('It stalled.', { kind: 'stalled', maxTries: 1 }, { retryable: true });
      },
    };
    const failed = open(failing);
    const end = failed.harness.run('Go');
    await failed.clock.sleeping(1);
    failed.clock.advance(20_000);
    await failed.harness.when(({ type }) => type === 'reply_silent');
    gives.open();
    assert.equal((await end).reason, 'error');
    assert.equal(failed.harness.chat().activity, '');
  });
});
