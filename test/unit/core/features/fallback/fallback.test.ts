// Another model answers: only where the user has agreed, for that turn, with a history that the API accepts.
import assert from 'node:assert/strict';
import { type FallbackOptions, fallbackWithin } from '../../../../../src/core/settings/fallback-models';
import { type ModelClient } from '../../../../../src/core/ports/model';
import { type ProviderId } from '../../../../../src/core/wire/model-capabilities';
import { createAnthropicClient } from '../../../../../src/providers/anthropic-client';
import { type NoticeItem } from '../../../../../src/shared/chat';
import { violationsOf } from '../../../../support/accepted-history';
import { fakeTool, said } from '../../../../support/fake-tools';
import {
  httpError,
  reply,
  text,
  thinking,
  toolUse,
  withFields,
  type ScriptedReply,
} from '../../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../../support/messages-api/server';
import { createHarness, type Harness } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { fallback } from '../../../../../src/core/features/fallback/fallback-key';

const details = { type: 'refusal', category: 'cyber', explanation: 'It could do harm.' };
const refusal = (...content: Parameters<typeof reply>): ScriptedReply =>
  withFields(reply(...content), { stopReason: 'refusal', stopDetails: details });
const overloaded = httpError(529, 'overloaded_error', 'Overloaded');

/** The client under the name of another provider. */
function namedAs(provider: ProviderId, client: ModelClient): ModelClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === 'provider') return provider;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('fallback', () => {
  let server: MessagesApi;
  let harness: Harness;
  let runs: string[];
  const start = async (
    script: readonly ScriptedReply[],
    fallback?: FallbackOptions,
    provider: ProviderId = 'gateway',
  ): Promise<void> => {
    runs = [];
    server = await startMessagesApi(script);
    const act = fakeTool('Act', {
      call: async ({ text: name = '' }) => {
        runs.push(name);
        return said(name);
      },
    });
    const client = createAnthropicClient({ apiKey: 'key', baseUrl: server.url });
    harness = createHarness({
      model: namedAs(provider, client),
      tools: [act],
      session: fallback === undefined ? {} : { fallback: () => fallback },
    });
  };
  const models = (): unknown[] => server.requests.map(({ body }) => body['model']);
  const lastNotice = (): NoticeItem => {
    const item = harness.chat().items.findLast(({ kind }) => kind === 'notice');
    return item?.kind === 'notice' ? item : assert.fail('no notice');
  };
  const buttons = (): unknown[] =>
    [lastNotice().action, ...(lastNotice().more ?? [])].map((button) =>
      button !== undefined && 'command' in button ? [button.label, button.command] : button,
    );

  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
    // It has not seen the thinking go out.
    assert.deepEqual(
      violationsOf(harness.stored()).filter((violation) => (violation as { rule: string }).rule !== 'thinking-unknown'),
      [],
    );
  });

  it('asks nobody else after a refusal, says why, and offers the model of the settings', async () => {
    await start([refusal('I begin'), reply('Sure.')], { models: ['claude-opus-4-8'], refusals: false });
    const end = await harness.run('Go');
    assert.deepEqual([end.reason, end.offer, models()], ['refusal', 'claude-opus-4-8', ['claude-opus-5']]);
    assert.match(end.message ?? '', /^The model declined to answer \(cyber\)\. It says: It could do harm\. /);
    assert.deepEqual(buttons(), [
      ['Ask Opus 4.8 instead', 'askFallback'],
      ['Always ask Opus 4.8 when declined', 'alwaysFallback'],
      ['Pick another model', 'selectModel'],
    ]);
    assert.ok(featureOf(harness.session, fallback).accept(false));
    assert.deepEqual(await harness.run(), { reason: 'completed' });
    assert.deepEqual(models(), ['claude-opus-5', 'claude-opus-4-8']);
    assert.ok(!server.requests[1]?.text.includes('I begin'), 'what was declined is not sent again');
    assert.equal(lastNotice().title, 'Opus 5 did not answer: Opus 4.8 answers for the rest of this turn.');
    assert.deepEqual(harness.replayed().items, harness.chat().items);
  });

  it('tells of a refusal that another model makes good without advice, each sentence with its end', async () => {
    const said = withFields(reply(), {
      stopReason: 'refusal',
      stopDetails: { ...details, explanation: 'It could do harm' },
    });
    await start([said, reply('Sure.')], { models: ['claude-opus-4-8'], refusals: true });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const [message] = harness
      .stored()
      .flatMap((record) => (record.type === 'system' && record.subtype === 'model_fallback' ? [record.message] : []));
    assert.equal(message, 'The model declined to answer (cyber). It says: It could do harm.');
  });

  it('asks the chosen model again in the next turn', async () => {
    await start([refusal(), reply('Sure.'), reply('Me again.')], { models: ['claude-opus-4-8'], refusals: false });
    await harness.run('Go');
    featureOf(harness.session, fallback).accept(false);
    await harness.run();
    await harness.run('Next');
    assert.deepEqual(models(), ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-5']);
  });

  it('goes on by itself for the rest of the session once the user said so', async () => {
    await start([refusal(), reply('Sure.'), refusal(), reply('And again.'), refusal(), refusal()], {
      models: ['claude-opus-4-8', 'claude-sonnet-5'],
      refusals: false,
    });
    await harness.run('Go');
    featureOf(harness.session, fallback).accept(true);
    await harness.run();
    assert.deepEqual(await harness.run('Next'), { reason: 'completed' });
    assert.deepEqual(models(), ['claude-opus-5', 'claude-opus-4-8', 'claude-opus-5', 'claude-opus-4-8']);
    const end = await harness.run('Once more');
    assert.deepEqual(
      [end.reason, end.offer, models().at(-1)],
      ['refusal', 'claude-sonnet-5', 'claude-opus-4-8'],
      'that one was agreed to, and no other',
    );
  });

  it('goes on by itself where a flag says so, through the list, until none is left', async () => {
    await start([refusal(), refusal(), refusal()], { models: ['claude-opus-4-8', 'claude-sonnet-5'], refusals: true });
    const end = await harness.run('Go');
    assert.deepEqual(
      [end.reason, end.offer, models()],
      ['refusal', undefined, ['claude-opus-5', 'claude-opus-4-8', 'claude-sonnet-5']],
    );
  });

  it('keeps the calls of a refused reply that ran, and nothing else of it', async () => {
    await start(
      [
        refusal(thinking('Hm', 'sig'), 'I act.', toolUse('Act', { text: 'done' }, 't1'), text('And then')),
        reply('Sure.'),
      ],
      { models: ['claude-opus-4-8'], refusals: true },
    );
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(runs, ['done']);
    const messages = server.requests[1]?.body['messages'] as { content: { type: string }[] }[];
    assert.deepEqual(
      messages.map(({ content }) => content.map(({ type }) => type)).slice(1),
      [['tool_use'], ['tool_result']],
      'what one model thought is nothing to another',
    );
  });

  it("is the settings' word for a model that is overloaded after all tries", async () => {
    await start([...Array.from({ length: 10 }, () => overloaded), reply('Sure.')], {
      models: ['claude-sonnet-5'],
      refusals: false,
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual([models().length, models().at(-1)], [11, 'claude-sonnet-5']);
    assert.match(lastNotice().title, /^Opus 5 is overloaded: Sonnet 5 answers/);
    assert.match(lastNotice().detail, /^The model is overloaded at [\d.:]+\. Deft tried 10 times\.$/);
  });

  it("is the settings' word for a model that does not exist, at once", async () => {
    await start([httpError(404, 'not_found_error', 'model: claude-opus-5'), reply('Sure.')], {
      models: ['claude-sonnet-5'],
      refusals: false,
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(models(), ['claude-opus-5', 'claude-sonnet-5']);
  });

  const others: [string, ScriptedReply, string][] = [
    ['a wrong address', httpError(404, 'not_found_error', 'Not found'), 'model-address'],
    ['a wrong key', httpError(401, 'authentication_error', 'no'), 'model-authentication'],
    [
      'a spend limit',
      httpError(400, 'invalid_request_error', 'You have reached your specified API usage limits.'),
      'model-spend_limit',
    ],
  ];
  for (const [name, answer, code] of others) {
    it(`does not help against ${name}`, async () => {
      await start([answer], { models: ['claude-sonnet-5'], refusals: true });
      const end = await harness.run('Go');
      assert.deepEqual([end.code, end.offer, models().length], [code, undefined, 1]);
    });
  }

  it('offers a model of the vendor where the settings name none, and asks it only on a click', async () => {
    await start([httpError(404, 'not_found_error', 'model: claude-opus-5'), reply('Sure.')], undefined, 'anthropic');
    const end = await harness.run('Go');
    assert.deepEqual([end.code, end.offer], ['model-not_found', 'claude-opus-4-8']);
    assert.deepEqual(buttons(), [
      ['Ask Opus 4.8 instead', 'askFallback'],
      ['Pick another model', 'selectModel'],
    ]);
    assert.equal(server.requests.length, 1);
  });

  it('goes to none that `availableModels` leaves out: neither of the settings nor of the vendor', async () => {
    const script = () => [httpError(404, 'not_found_error', 'model: claude-opus-5'), reply('Sure.')];
    await start(
      script(),
      fallbackWithin('claude-opus-4-8,claude-haiku-4-5', ['opus-5', 'haiku'], {}, false),
      'anthropic',
    );
    assert.deepEqual(
      [await harness.run('Go'), models()],
      [{ reason: 'completed' }, ['claude-opus-5', 'claude-haiku-4-5']],
    );
    await server.close();
    await start(script(), fallbackWithin(undefined, ['claude-opus-5', 'sonnet'], {}, false), 'anthropic');
    assert.equal((await harness.run('Go')).offer, 'claude-sonnet-5');
    await server.close();
    await start(script(), fallbackWithin(undefined, ['claude-opus-5'], {}, false), 'anthropic');
    const end = await harness.run('Go');
    assert.deepEqual([end.offer, featureOf(harness.session, fallback).accept(false)], [undefined, false]);
  });

  it('offers none behind a gateway that knows other models', async () => {
    await start([refusal()]);
    const end = await harness.run('Go');
    assert.deepEqual(
      [end.reason, end.offer, featureOf(harness.session, fallback).accept(false)],
      ['refusal', undefined, false],
    );
  });
});
