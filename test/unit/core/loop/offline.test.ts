// No connection: the turn waits for one, uses up no try, runs nothing twice, and ends after half an hour with what was done.
import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/core/text/errors';
import { longestOfflineMs, offlineGap } from '../../../../src/core/model/offline-policy';
import { type ModelClient } from '../../../../src/core/ports/model';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { fakeTool, safeTool, said } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import { httpError, reply, serverToolUse, toolUse } from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../support/messages-api/server';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt } from '../../../support/session-harness';

const away = (): ModelError =>
  new ModelError(
    'No connection to api.test: the host name is not known (ENOTFOUND).',
    { kind: 'offline' },
    { retryable: true },
  );

/** Has no connection while `isAway`. */
function withConnection(model: ModelClient, isAway: () => boolean, fault = away()): ModelClient & { looks: number } {
  const client = {
    ...model,
    looks: 0,
    async *stream(...[request, signal]: Parameters<ModelClient['stream']>) {
      client.looks++;
      if (isAway()) throw fault;
      yield* model.stream(request, signal);
    },
  };
  return client;
}

describe('offline', () => {
  it('looks again with growing gaps, up to half a minute, for half an hour', () => {
    const gaps: number[] = [];
    let since = 0;
    for (let gap = offlineGap(1, 0); gap !== undefined; gap = offlineGap(gaps.length + 1, since)) {
      gaps.push(gap);
      since += gap;
    }
    assert.deepEqual(gaps.slice(0, 7), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert.equal(since, longestOfflineMs);
  });

  it('goes on when the server on the same port is back, and runs no call twice', async () => {
    let server: MessagesApi = await startMessagesApi([reply(toolUse('Act', { text: 'once' }, 't1'))]);
    const port = Number(new URL(server.url).port);
    const clock = createManualClock('manual');
    const runs: string[] = [];
    const act = fakeTool('Act', {
      call: async ({ text = '' }) => {
        runs.push(text);
        await server.close();
        return said(text);
      },
    });
    const harness = createHarness({
      model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url }),
      clock,
      tools: [act],
    });
    const turn = harness.run('Go');
    await clock.sleeping(1);
    const notice = harness.chat().items.at(-1);
    assert.ok(notice?.kind === 'notice');
    assert.equal(notice.title, 'No connection. Deft continues automatically when it is back.');
    assert.match(notice.detail, /^No connection to 127\.0\.0\.1:\d+: nothing answers there \(ECONNREFUSED\)\.$/);
    assert.deepEqual(
      [notice.action, ...(notice.more ?? [])],
      [
        { label: 'Try now', command: 'tryNow' },
        { label: 'Stop', command: 'stop' },
      ],
    );
    assert.equal(harness.chat().status, 'retrying');
    clock.advance(1_000);
    await clock.sleeping(2);
    server = await startMessagesApi([reply('Back.')], { port });
    harness.session.turns.tryNow();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(runs, ['once']);
    assert.deepEqual(server.violations, []);
    assert.deepEqual(
      harness.events.flatMap(({ type }) =>
        ['offline_waiting', 'trying_again', 'retry_over'].includes(type) ? [type] : [],
      ),
      ['offline_waiting', 'trying_again', 'offline_waiting', 'trying_again', 'retry_over'],
      'one card for all looks',
    );
    assert.deepEqual(
      harness
        .stored()
        .flatMap((record) =>
          record.type === 'system' && ['offline', 'api_retry'].includes(record.subtype) ? [record.subtype] : [],
        ),
      ['offline'],
    );
    assert.equal(
      harness.chat().items.some(({ kind }) => kind === 'notice'),
      false,
    );
    await server.close();
  });

  it('takes along what the user has typed meanwhile', async () => {
    let isAway = true;
    const clock = createManualClock('manual');
    const scripted = createScriptedModel([reply('With tabs.')]);
    const harness = createHarness({ model: withConnection(scripted, () => isAway), clock });
    const turn = harness.run('Go');
    await clock.sleeping(1);
    harness.session.steer(prompt('Use tabs.'));
    isAway = false;
    harness.session.turns.tryNow();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.equal(scripted.requests.length, 1);
    assert.deepEqual(
      scripted.requests[0]?.messages[0]?.content.slice(-2).map((block) => block.type === 'text' && block.text),
      ['Go', 'Use tabs.'],
    );
    assert.deepEqual(harness.session.pending.waiting, []);
  });

  for (const [name, fault, status] of [
    ['no connection', away(), 'offline'],
    ['a broken one', new ModelError('Lost.', { kind: 'dropped' }, { retryable: true }), 'retry'],
  ] as const) {
    it(`keeps what was typed for later while the API is in a call of its own and there is ${name}`, async () => {
      let isAway = false;
      const clock = createManualClock('manual');
      // A call of the API's own tool that has no result yet, along with one that Deft runs.
      const scripted = createScriptedModel([
        reply(serverToolUse('web_search', { query: 'a' }, 'srvtoolu_1'), toolUse('Look', { text: 'seen' }, 't1')),
        reply('Found.'),
        reply('With tabs.'),
      ]);
      const look = safeTool('Look', { call: async () => ((isAway = true), said('seen')) });
      const harness = createHarness({ model: withConnection(scripted, () => isAway, fault), clock, tools: [look] });
      const turn = harness.run('Go');
      await clock.sleeping(1);
      assert.ok(harness.events.some(({ type }) => type === `${status}_waiting`));
      harness.session.steer(prompt('Use tabs.'));
      isAway = false;
      harness.session.turns.tryNow();
      assert.deepEqual(await turn, { reason: 'completed' });
      const texts = scripted.requests.map(({ messages }) => JSON.stringify(messages).includes('Use tabs.'));
      assert.deepEqual(texts, [false, false, true]);
    });
  }

  it('uses up none of the tries', async () => {
    let looks = 0;
    const overloaded = httpError(529, 'overloaded_error', 'Overloaded');
    const scripted = createScriptedModel((_request, index) => (index < 9 ? overloaded : reply('Fine.')));
    const harness = createHarness({ model: withConnection(scripted, () => ++looks % 3 !== 0) });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(scripted.requests.length, 10);
  });

  it('ends after half an hour, with a way to go on', async () => {
    let isAway = true;
    const scripted = createScriptedModel([reply('Here.')]);
    const harness = createHarness({ model: withConnection(scripted, () => isAway) });
    const end = await harness.run('Go');
    assert.deepEqual([end.reason, end.code], ['error', 'model-offline']);
    assert.match(
      end.message ?? '',
      /^No connection to api\.test: .*Deft has retried for 30 minutes\. Finished work is kept/,
    );
    const notice = harness.chat().items.at(-1);
    assert.ok(
      notice?.kind === 'notice' &&
        notice.action !== undefined &&
        'command' in notice.action &&
        notice.action.command === 'retry',
    );
    isAway = false;
    assert.deepEqual(await harness.run(), { reason: 'completed' });
  });

  it('looks at once when the machine wakes', async () => {
    let isAway = true;
    const clock = createManualClock('manual');
    const model = withConnection(createScriptedModel([reply('Here.')]), () => isAway);
    const turn = createHarness({ model, clock }).run('Go');
    for (let looks = 1, waits = 1; looks < 6; waits++) {
      await clock.sleeping(waits);
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      looks = model.looks;
    }
    await clock.sleeping(clock.slept.length);
    isAway = false;
    // Five hours of sleep: one slice of the half minute is over, and so is the wait.
    clock.advance(5 * 3_600_000);
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.equal(model.looks, 7);
  });

  it('is stopped by the user', async () => {
    const clock = createManualClock('manual');
    const model = withConnection(createScriptedModel([reply('Here.')]), () => true);
    const harness = createHarness({ model, clock });
    const controller = new AbortController();
    const turn = harness.run('Go', controller.signal);
    await clock.sleeping(1);
    controller.abort();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.equal(harness.chat().status, 'idle');
  });

  it('gives up soon where a server on this machine was never started', async () => {
    const server = await startMessagesApi([]);
    const { url } = server;
    await server.close();
    const harness = createHarness({ model: createAnthropicClient({ apiKey: 'key', baseUrl: url }) });
    const end = await harness.run('Go');
    assert.equal(end.code, 'model-network');
    assert.match(
      end.message ?? '',
      /nothing answers there \(ECONNREFUSED\)\. Start the server there, then try again\. Deft tried 5 times\./,
    );
    assert.equal(harness.clock.slept.length, 4);
  });

  it('tries again at once when the user does not want to wait for an overloaded model', async () => {
    const clock = createManualClock('manual');
    const model = createScriptedModel([httpError(529, 'overloaded_error', 'Overloaded'), reply('Fine.')]);
    const harness = createHarness({ model, clock });
    const turn = harness.run('Go');
    await clock.sleeping(1);
    harness.session.turns.tryNow();
    assert.deepEqual(await turn, { reason: 'completed' });
  });
});
