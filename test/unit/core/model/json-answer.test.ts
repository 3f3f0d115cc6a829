// Jobs that want one JSON object: held to a schema where the model can be, read with patience elsewhere, and never read out of a refusal.
import assert from 'node:assert/strict';
import { createAutoMode } from '../../../../src/core/calls/auto-mode';
import { type HookEntry } from '../../../../src/core/hooks/hook-entry';
import { askVerdict, promptRequest } from '../../../../src/core/hooks/prompt-hook';
import { answerSchema, lastObject } from '../../../../src/core/model/json-answer';
import { askForJson, createSmallModel } from '../../../../src/core/model/small-model';
import { aiTitle } from '../../../../src/core/sessions/ai-title';
import { type Usage } from '../../../../src/core/wire/wire';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { safeTool } from '../../../support/fake-tools';
import { createManualClock } from '../../../support/manual-clock';
import { reply, thinking, toolUse, withFields, type ScriptedReply } from '../../../support/messages-api/script';
import { startMessagesApi } from '../../../support/messages-api/server';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { featureOf } from '../../../support/feature-of';
import { goal } from '../../../../src/core/features/goal/goal-facts';

const never = new AbortController().signal;
const haiku = 'claude-haiku-4-5-20251001';

/** One verdict over HTTP, by a server that takes schemas or does not. */
async function verdict(answer: ScriptedReply, features: 'all' | 'plain', model = haiku) {
  const server = await startMessagesApi([answer]);
  const used: Usage[] = [];
  try {
    const client = createAnthropicClient({ apiKey: 'key', baseUrl: server.url, features });
    const small = createSmallModel(
      model,
      { model: client, clock: createManualClock() },
      (usage) => void used.push(usage),
    );
    const result = await askVerdict(small, promptRequest('Is it safe?', '{}'), never);
    assert.deepEqual(server.violations, []);
    assert.equal(used.length, 1);
    return { result, body: server.requests[0]?.body ?? assert.fail() };
  } finally {
    await server.close();
  }
}

describe('an answer in JSON', () => {
  for (const features of ['all', 'plain'] as const) {
    it(`is ${features === 'all' ? 'held to its schema' : 'only asked for in words'}, and read`, async () => {
      const { result, body } = await verdict(reply('{"ok":false,"reason":"Too loud."}'), features);
      assert.deepEqual(result, { kind: 'verdict', ok: false, reason: 'Too loud.' });
      const schema = {
        type: 'object',
        properties: { ok: { type: 'boolean' }, reason: { type: 'string', description: 'Empty if ok is true.' } },
        required: ['ok', 'reason'],
        additionalProperties: false,
      };
      assert.deepEqual(
        body['output_config'],
        features === 'all' ? { format: { type: 'json_schema', schema } } : undefined,
      );
    });

    it(`counts for nothing where it is none (${features})`, async () => {
      const failures: [ScriptedReply, RegExp][] = [
        [reply('I think so.'), /not the requested JSON/],
        [reply('{"ok": "yes"}'), /not the requested JSON/],
        [reply('{"ok": tru'), /not the requested JSON/],
        [withFields(reply('{"ok": true, "reason": "It wou'), { stopReason: 'max_tokens' }), /cut off/],
        [withFields(reply('{"ok": true, "reason": ""}'), { stopReason: 'refusal' }), /declined/],
        [reply(), /not the requested JSON/],
      ];
      for (const [answer, why] of failures) {
        const { result } = await verdict(answer, features);
        assert.ok(result.kind === 'failed' && why.test(result.message), JSON.stringify(result));
      }
    });
  }

  it('is found among other words, the last one first', async () => {
    assert.deepEqual(
      (await verdict(reply('Sure: {"ok": true}. No, rather\n```json\n{"ok": false, "reason": "a {b}"}\n```'), 'plain'))
        .result,
      { kind: 'verdict', ok: false, reason: 'a {b}' },
    );
    assert.equal(
      lastObject('{"a": 1} {"a": 2}', ({ a }) => a),
      2,
    );
    assert.equal(
      lastObject('null []', () => 1),
      undefined,
    );
    assert.equal(
      lastObject('', () => 1),
      undefined,
    );
  });

  it('of a model that thinks first is read behind that', async () => {
    const { result, body } = await verdict(
      reply(thinking('Hm.', 's'), '{"ok":true,"reason":""}'),
      'all',
      'claude-fable-5',
    );
    assert.deepEqual(result, { kind: 'verdict', ok: true, reason: '' });
    assert.ok(Number(body['max_tokens']) > 4_000, 'there is room to think');
  });

  it('may be of any shape', async () => {
    const model = createScriptedModel([reply('{"count": 3, "name": "x"}')], { provider: 'anthropic' });
    const small = createSmallModel(haiku, { model, clock: createManualClock() }, () => undefined);
    const schema = answerSchema({ count: { type: 'integer' }, name: { type: 'string' } });
    const answer = await askForJson(
      small,
      {
        max_tokens: 10,
        system: [],
        tools: [],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Count' }] }],
      },
      { schema, read: ({ count }) => (typeof count === 'number' ? count : undefined) },
      never,
    );
    assert.deepEqual(answer, { kind: 'answer', value: 3 });
    assert.deepEqual(model.violations, []);
  });
});

describe('the jobs that ask for one', () => {
  const formats = (model: ReturnType<typeof createScriptedModel>): unknown[] =>
    model.requests.map((request) => Object.keys(request.output_config?.format?.schema.properties ?? {}));

  for (const provider of ['anthropic', 'gateway'] as const) {
    const held = (...fields: string[]): string[] => (provider === 'anthropic' ? fields : []);

    it(`a goal's check (${provider})`, async () => {
      const model = createScriptedModel([reply('Done.'), reply('{"ok": true, "reason": "It is."}')], { provider });
      const harness = createHarness({ model });
      featureOf(harness.session, goal).set('it works');
      await harness.run('Go');
      assert.deepEqual(formats(model), [[], held('ok', 'reason')]);
      assert.equal(featureOf(harness.session, goal).condition, '');
      assert.deepEqual(model.violations, []);
    });

    it(`the classifier of auto mode (${provider}), which also reads behind thinking`, async () => {
      for (const said of [
        reply('{"block":true,"reason":"No."}'),
        reply(thinking('Hm.', 's'), '{"block": true, "reason": "No."}'),
      ]) {
        const model = createScriptedModel([said], { provider });
        const auto = createAutoMode({
          records: [],
          small: createSmallModel(haiku, { model, clock: createManualClock() }, () => undefined),
          clock: createManualClock('manual'),
        });
        assert.deepEqual(await auto.review('t', { tool: 'Bash', input: {}, cwd: '/w' }, never), {
          outcome: 'block',
          reason: 'No.',
        });
        assert.deepEqual(formats(model), [held('block', 'reason')]);
      }
    });

    it(`a title (${provider}), never out of a refusal or a piece of JSON`, async () => {
      for (const [answer, title] of [
        [reply('{"title": "Finding the order code."}'), 'Finding the order code'],
        [withFields(reply('No.'), { stopReason: 'refusal' }), undefined],
        [withFields(reply('{"title": "Find'), { stopReason: 'max_tokens' }), undefined],
      ] as const) {
        const model = createScriptedModel([reply('It is in orders.ts.'), answer], { provider });
        const { session, run } = createHarness({ model });
        await run('Where is it?');
        assert.equal(await aiTitle(session.records, session.surroundings.smallModel, never), title);
        assert.deepEqual(formats(model), [[], held('title')]);
      }
    });

    it(`the agent of a hook (${provider}), in all of its requests, so that they have one prefix`, async () => {
      const entry: HookEntry = {
        ...commandHook('UserPromptSubmit', ''),
        handler: { type: 'agent', prompt: 'Is this safe? $ARGUMENTS' },
      };
      const hooks = () =>
        ({
          active: [entry],
          allowedUrls: undefined,
          allowedVariables: undefined,
          refuses: () => undefined,
          off: false,
          projectOff: false,
          brought: [],
          wanted: [],
        }) as never;
      const model = createScriptedModel(
        [reply(toolUse('Read', { text: 'x' })), reply('{"ok": false, "reason": "Too loud."}'), reply('Fine.')],
        { provider },
      );
      const harness = createHarness({
        model,
        tools: [safeTool('Read')],
        clock: createManualClock('manual'),
        ports: { hooks: scriptedHooks(() => undefined) },
        session: { hooks },
      });
      await harness.run('Go');
      assert.deepEqual(formats(model).slice(0, 2), [held('ok', 'reason'), held('ok', 'reason')]);
      assert.ok(JSON.stringify(harness.chat().items).includes('Too loud.'));
    });
  }
});
