// Failed and broken requests: what is tried again, what is kept, what runs twice (nothing), and what the user sees.
import assert from 'node:assert/strict';
import { maxContinuations } from '../../../../src/core/loop/after-reply';
import { ModelError } from '../../../../src/core/text/errors';
import { defaultRetryPolicy } from '../../../../src/core/model/retry-policy';
import { type ModelClient } from '../../../../src/core/ports/model';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { fakeTool, latch, said } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import {
  dropAfter,
  errorEvent,
  gate,
  hangup,
  httpError,
  reply,
  text,
  thinking,
  toolUse,
  withFields,
  type ScriptedReply,
} from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../support/messages-api/server';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const overloaded = httpError(529, 'overloaded_error', 'Overloaded');

describe('retries over HTTP', () => {
  let server: MessagesApi;
  let harness: Harness;
  let runs: string[];

  const start = async (script: readonly ScriptedReply[]): Promise<void> => {
    runs = [];
    server = await startMessagesApi(script);
    const act = fakeTool('Act', {
      call: async ({ text: name = '' }) => {
        runs.push(name);
        return said(name);
      },
    });
    harness = createHarness({
      model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url, now: () => harness.clock.now() }),
      tools: [act],
    });
  };

  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
  });

  const failures: [string, ScriptedReply, number][] = [
    ['429 with retry-after', httpError(429, 'rate_limit_error', 'Slow down', { 'retry-after': '7' }), 7_000],
    ['529', overloaded, 500],
    ['500', httpError(500, 'api_error', 'Oops'), 500],
    ['a connection that is closed at once', hangup(), 500],
    ['an error event before any block', errorEvent(reply('Hello'), 1, 'overloaded_error', 'Overloaded'), 500],
    ['a drop before any block', dropAfter(reply('Hello'), { events: 2 }), 500],
    ['a drop inside a block', dropAfter(reply('Hello there, this is a longer text.'), { events: 4 }), 500],
    [
      'a drop during thinking',
      dropAfter(reply(thinking('A longer thought about it', 's'), 'Hello'), { events: 4 }),
      500,
    ],
    ['a drop after thinking', dropAfter(reply(thinking('Thought', 's'), 'Hello'), { events: 6 }), 500],
  ];
  for (const [name, failure, delay] of failures) {
    it(`sends the same request again after ${name}`, async () => {
      await start([failure, reply('Fine.')]);
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.deepEqual(harness.clock.slept, [delay]);
      assert.equal(server.requests.length, 2);
      assert.equal(server.requests[1]?.text, server.requests[0]?.text);
      const [waiting, over, ...more] = harness.events.filter(({ type }) => type.startsWith('retry'));
      assert.ok(
        waiting?.type === 'retry_waiting' &&
          waiting.delayMs === delay &&
          waiting.attempt === 2 &&
          waiting.maxAttempts === 10,
      );
      assert.equal(waiting.until - waiting.delayMs, Date.UTC(2026, 10, 21));
      assert.deepEqual([over?.type, more.length], ['retry_over', 0]);
      assert.deepEqual(
        harness
          .stored()
          .flatMap((record) => (record.type === 'system' && record.subtype === 'api_retry' ? [record.attempt] : [])),
        [2],
      );
      assert.deepEqual(
        harness.chat().items.map(({ kind }) => kind),
        ['user', 'text'],
        'what was dropped is gone from the chat',
      );
    });
  }

  it('counts what a reply took that broke before its first whole block, with each try', async () => {
    const usage = { input_tokens: 500_000, output_tokens: 3 };
    const broken = withFields(dropAfter(reply('Hello there, this is a longer text.'), { events: 4 }), { usage });
    await start([broken, broken, reply('Fine.')]);
    await harness.run('Go');
    const lost = harness
      .stored()
      .flatMap((record) =>
        record.type === 'system' && record.subtype === 'side_usage'
          ? [[record.whom, record.model, record.usage.input_tokens]]
          : [],
      );
    assert.deepEqual(lost, [
      ['Broken reply', 'claude-opus-5', 500_000],
      ['Broken reply', 'claude-opus-5', 500_000],
    ]);
    assert.ok(harness.chat().usage.costUsd >= 5, 'two times 500,000 tokens at $5');
  });

  it('keeps a finished text when the stream drops behind it', async () => {
    await start([dropAfter(reply('Kept.', 'Lost and then some.'), { events: 7 }), reply('Rest.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const messages = server.requests[1]?.body['messages'] as { role: string; content: { text: string }[] }[];
    assert.deepEqual(
      messages[1]?.content.map(({ text: kept }) => kept),
      ['Kept.'],
    );
    assert.match(messages[2]?.content[0]?.text ?? '', /connection broke/);
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
      ['Kept.', 'Rest.'],
    );
  });

  it('runs a finished call once when the stream drops behind it', async () => {
    await start([
      dropAfter(
        reply(
          thinking('T', 'sig'),
          toolUse('Act', { text: 'once' }, 't1'),
          toolUse('Act', { text: 'cut off in the middle of it' }, 't2'),
        ),
        { events: 13 },
      ),
      reply('Done.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(runs, ['once']);
    const messages = server.requests[1]?.body['messages'] as {
      content: { type: string; tool_use_id?: string; content?: string }[];
    }[];
    assert.deepEqual(
      messages[1]?.content.map(({ type }) => type),
      ['thinking', 'tool_use'],
    );
    assert.deepEqual([messages[2]?.content[0]?.tool_use_id, messages[2]?.content[0]?.content], ['t1', 'once']);
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [[item.id, item.state]] : [])),
      [['t1', 'done']],
    );
  });

  it('waits for a call that runs when the stream drops, and sends its result', async () => {
    const started = latch();
    const held = latch();
    runs = [];
    server = await startMessagesApi([
      dropAfter(reply(toolUse('Act', { text: 'slow' }, 't1'), text('a', gate(started.opened), 'b')), { events: 7 }),
      reply('Done.'),
    ]);
    const act = fakeTool('Act', {
      call: async () => {
        started.open();
        await held.opened;
        runs.push('slow');
        return said('slow');
      },
    });
    harness = createHarness({ model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url }), tools: [act] });
    const turn = harness.run('Go');
    await (
      await server.waitForRequest(1)
    ).ended;
    held.open();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(runs, ['slow']);
  });

  it('says what happened before each try, and what to do only behind the last', async () => {
    await start(Array.from({ length: 10 }, () => overloaded));
    const end = await harness.run('Go');
    const host = new URL(server.url).host;
    const waits = harness.events.flatMap((event) => (event.type === 'retry_waiting' ? [event.message] : []));
    assert.deepEqual([...new Set(waits)], [`The model is overloaded at ${host}.`]);
    assert.equal(
      end.message,
      `The model is overloaded at ${host}. Try again later, or pick another model. Deft tried 10 times.`,
    );
  });

  const final: [string, ScriptedReply, string][] = [
    ['a wrong key', httpError(401, 'authentication_error', 'invalid x-api-key'), 'model-authentication'],
    ['a bad request', httpError(400, 'invalid_request_error', 'nope'), 'model-invalid_request'],
    ['an unknown model', httpError(404, 'not_found_error', 'model: x'), 'model-not_found'],
    [
      'a spend limit',
      httpError(400, 'invalid_request_error', 'You have reached your specified API usage limits.'),
      'model-spend_limit',
    ],
    ['a wait of an hour', httpError(429, 'rate_limit_error', 'later', { 'retry-after': '3600' }), 'model-rate_limit'],
  ];
  for (const [name, failure, code] of final) {
    it(`ends the turn at once on ${name}, and the next prompt is accepted`, async () => {
      await start([failure, reply('Hello.')]);
      const end = await harness.run('Go');
      assert.deepEqual([end.reason, end.code], ['error', code]);
      assert.ok((end.message ?? '').length > 10);
      assert.deepEqual(harness.clock.slept, []);
      const notice = harness.chat().items.at(-1);
      assert.ok(notice?.kind === 'notice' && notice.level === 'error' && notice.action !== undefined);
      assert.deepEqual(await harness.run('Again'), { reason: 'completed' });
    });
  }
});

describe('retries on a clock', () => {
  let model: ScriptedModel;
  afterEach(() => assert.deepEqual(model.violations, []));

  it('gives up after ten tries in a row, each wait twice the last', async () => {
    model = createScriptedModel(() => overloaded);
    const harness = createHarness({ model });
    const end = await harness.run('Go');
    assert.equal(end.reason, 'error');
    assert.match(end.message ?? '', /Deft tried 10 times\./);
    assert.equal(model.requests.length, 10);
    assert.deepEqual(harness.clock.slept, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000]);
  });

  it('counts anew after progress', async () => {
    model = createScriptedModel((_request, index) =>
      index % 4 === 3 ? (index < 12 ? reply(toolUse('Act', {})) : reply('Done.')) : overloaded,
    );
    const harness = createHarness({ model });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(harness.clock.slept.slice(0, 6), [500, 1_000, 2_000, 500, 1_000, 2_000]);
  });

  it('counts what came before each break as progress, however often the stream breaks', async () => {
    const breaks = 2 * defaultRetryPolicy.maxAttempts;
    model = createScriptedModel((_request, index) =>
      index < breaks
        ? errorEvent(reply(toolUse(index % 2 === 0 ? 'Act' : 'Look', {}), 'more'), 5, 'overloaded_error', 'Overloaded')
        : reply('Done.'),
    );
    const harness = createHarness({ model });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      harness.clock.slept,
      Array.from({ length: breaks }, () => 500),
    );
  });

  it('sends a reply that stalls once more, whatever failed before it, and no oftener', async () => {
    const error = (kind: 'overloaded' | 'stalled', more = {}): ModelError =>
      new ModelError(`It ${kind}.`, { kind, ...more }, { retryable: true });
    const stalled = error('stalled', { maxTries: 2 });
    const runs = async (errors: readonly ModelError[]): Promise<[number, string]> => {
      const answers = createScriptedModel([reply('Done.')]);
      let asked = 0;
      const failing: ModelClient = {
        ...answers,
        async *stream(request, signal) {
          const failed = errors[asked++];
          if (failed !== undefined) throw failed;
          yield* answers.stream(request, signal);
        },
      };
      const { reason } = await createHarness({ model: failing }).run('Go');
      return [asked, reason];
    };
    assert.deepEqual(await runs([error('overloaded'), stalled]), [3, 'completed']);
    assert.deepEqual(await runs([error('overloaded'), stalled, stalled]), [3, 'error']);
    assert.deepEqual(await runs([stalled, stalled]), [2, 'error']);
  });

  it('does not count tries as turns', async () => {
    model = createScriptedModel([overloaded, overloaded, overloaded, reply('Done.')]);
    assert.deepEqual(await createHarness({ model, session: { maxTurns: 1 } }).run('Go'), { reason: 'completed' });
  });

  it('ends when every stream drops behind a finished text', async () => {
    model = createScriptedModel(() => dropAfter(reply('One.', 'Two is longer.'), { events: 7 }));
    const end = await createHarness({ model }).run('Go');
    assert.equal(end.reason, 'error');
    assert.equal(model.requests.length, maxContinuations);
  });

  it('shows the wait while it lasts, and Stop ends it', async () => {
    model = createScriptedModel([overloaded, reply('Hello.')]);
    const clock = createManualClock('manual');
    const harness = createHarness({ model, clock });
    const controller = new AbortController();
    const turn = harness.run('Go', controller.signal);
    await clock.sleeping(1);
    const chat = harness.chat();
    assert.equal(chat.status, 'retrying');
    const notice = chat.items.at(-1);
    assert.ok(notice?.kind === 'notice' && notice.retryAt === clock.now() + 500 && /2 of 10/.test(notice.detail));
    controller.abort();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.equal(model.requests.length, 1);
    assert.deepEqual(await harness.run('Again'), { reason: 'completed' });
    assert.equal(harness.chat().status, 'idle');
  });

  it('is one card that stays until the request is answered, whatever the tries', async () => {
    const cards: string[] = [];
    let statuses = 0;
    model = createScriptedModel([
      overloaded,
      overloaded,
      httpError(500, 'api_error', 'Oops'),
      overloaded,
      reply('Hello.'),
    ]);
    const harness = createHarness({
      model,
      onEvent: () => {
        const chat = harness.chat();
        const now = chat.items.flatMap((item) =>
          item.kind === 'notice' ? [`${item.id} ${item.detail} ${item.retryAt === 0 ? 'tries' : 'waits'}`] : [],
        );
        if (now.join() !== cards.at(-1)) cards.push(now.join());
        if (cards.length > 1 && now.length > 0 && chat.status !== 'retrying') statuses++;
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const card = (attempt: number, does: string) => `retry Deft is retrying: attempt ${attempt} of 10. ${does}`;
    assert.deepEqual(cards, [
      '',
      ...[2, 3, 4, 5].flatMap((attempt) => [card(attempt, 'waits'), card(attempt, 'tries')]),
      '',
    ]);
    assert.equal(statuses, 0, 'it says that it tries again all the while');
    const [answered, over] = ['block_started', 'retry_over'].map((type) =>
      harness.events.findIndex((event) => event.type === type),
    );
    assert.equal(over, (answered ?? 0) - 1, 'gone with the first of the answer');
  });

  it('is over when the time is', async () => {
    model = createScriptedModel([overloaded, reply('Hello.')]);
    const clock = createManualClock('manual');
    const turn = createHarness({ model, clock }).run('Go');
    await clock.sleeping(1);
    clock.advance(499);
    assert.equal(model.requests.length, 1);
    clock.advance(1);
    assert.deepEqual(await turn, { reason: 'completed' });
  });
});
