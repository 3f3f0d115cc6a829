// What is sent to each kind of model about thinking and effort: a table, each row judged by the rules of the scripted API.
import assert from 'node:assert/strict';
import { buildRequest, type RequestSettings } from '../../../../src/core/loop/build-request';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { modelFacts } from '../../../../src/core/model/models';
import { fittingEffort, isSameModel } from '../../../../src/core/model/thinking';
import { quickRequest } from '../../../../src/core/model/quick-request';
import { refuseBody } from '../../../support/messages-api/validate-request';
import { efforts, type ModelRequest } from '../../../../src/core/wire/wire';

const on = { on: true, summaries: true };

function request(model: string, more: Partial<RequestSettings> = {}): ModelRequest {
  return buildRequest([], {
    model,
    can: capabilitiesOf('anthropic', model),
    provider: 'anthropic',
    system: ['s'],
    tools: [],
    maxOutputTokens: 32_000,
    sessionId: 's',
    messages: () => [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
    ...more,
  });
}

function accepted({ betas = [], ...body }: ModelRequest): void {
  const refusal = refuseBody(
    body,
    { 'anthropic-version': '2023-06-01', ...(betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }) },
    [],
    {},
    false,
  );
  assert.deepEqual(refusal?.violations ?? [], [], `${body.model} ${JSON.stringify(body.thinking)}`);
}

const adaptive = { type: 'adaptive', display: 'summarized' };
const rows: [string, unknown, unknown][] = [
  ['claude-fable-5', adaptive, adaptive],
  ['claude-opus-5', adaptive, { type: 'disabled' }],
  ['claude-sonnet-5', adaptive, { type: 'disabled' }],
  ['claude-opus-4-8', adaptive, undefined],
  ['claude-sonnet-4-6', adaptive, undefined],
  ['claude-opus-4-5-20251101', { type: 'enabled', budget_tokens: 10_000 }, undefined],
  ['claude-sonnet-4-5-20250929', { type: 'enabled', budget_tokens: 10_000 }, undefined],
  ['claude-haiku-4-5-20251001', { type: 'enabled', budget_tokens: 10_000 }, undefined],
  ['mystery', undefined, undefined],
];

describe('thinking', () => {
  for (const [model, whenOn, whenOff] of rows) {
    it(`${model}: on, off, and with every effort`, () => {
      assert.deepEqual(request(model, { thinking: on }).thinking, whenOn);
      assert.deepEqual(request(model, { thinking: { on: false, summaries: true } }).thinking, whenOff);
      assert.deepEqual(request(model, { thinking: { ...on, limit: 0 } }).thinking, whenOff, 'MAX_THINKING_TOKENS=0');
      for (const effort of [undefined, 'low', 'medium', 'high', 'xhigh', 'max'] as const) {
        for (const thinking of [on, { on: false, summaries: true }])
          accepted(
            request(model, { thinking, ...(effort === undefined || model === 'claude-sonnet-4-6' ? {} : { effort }) }),
          );
      }
    });
  }

  it('newer models that cannot stop get the least there is', () => {
    const can = (model: string) => ({ ...capabilitiesOf('anthropic', model), thinking: 'adaptive' as const, efforts });
    const off = { on: false, summaries: true };
    assert.deepEqual(request('claude-sonnet-5-5', { can: can('claude-sonnet-5-5'), thinking: off }).thinking, {
      type: 'between_tools',
    });
    assert.deepEqual(
      request('claude-haiku-5-5', { can: can('claude-haiku-5-5'), thinking: off, effort: 'max' }),
      request('claude-haiku-5-5', { can: can('claude-haiku-5-5'), thinking: off, effort: 'high' }),
    );
    assert.equal(request('claude-opus-5-5', { can: can('claude-opus-5-5'), thinking: off }).thinking, undefined);
    for (const model of [
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'claude-opus-5-5',
      'claude-fable-5-1',
      'claude-fable-5-2',
    ]) {
      for (const thinking of [on, off])
        for (const effort of efforts)
          accepted(
            request(model, {
              can: { ...can(model), thinking: model.includes('fable') ? 'always' : 'adaptive' },
              thinking,
              effort,
            }),
          );
    }
  });

  it('summaries are not asked for where the settings do without', () => {
    assert.deepEqual(request('claude-opus-5', { thinking: { on: true, summaries: false } }).thinking, {
      type: 'adaptive',
      display: 'omitted',
    });
  });

  it('a budget stays below the limit of the reply, unless the model thinks between its calls', () => {
    const big = { ...on, limit: 60_000 };
    assert.deepEqual(request('claude-haiku-4-5', { thinking: big }).thinking, {
      type: 'enabled',
      budget_tokens: 32_000 - 1_024,
    });
    const between = request('claude-sonnet-4-5', { thinking: big });
    assert.deepEqual(
      [between.thinking, between.betas],
      [{ type: 'enabled', budget_tokens: 60_000 }, ['interleaved-thinking-2025-05-14']],
    );
    accepted(between);
    const gateway = request('claude-sonnet-4-5', {
      thinking: big,
      can: capabilitiesOf('gateway', 'claude-sonnet-4-5'),
      provider: 'gateway',
    });
    assert.deepEqual(
      [gateway.thinking, gateway.betas],
      [{ type: 'enabled', budget_tokens: 32_000 - 1_024 }, undefined],
      'no header there',
    );
    assert.equal(request('claude-haiku-4-5', { maxOutputTokens: 2_000 }).thinking, undefined, 'no room for any');
  });

  it('an effort that a model lacks is the nearest one below', () => {
    assert.equal(fittingEffort('xhigh', ['low', 'medium', 'high', 'max']), 'high');
    assert.equal(fittingEffort('max', ['low', 'medium', 'high']), 'high');
    assert.equal(fittingEffort('low', ['high', 'max']), 'high');
    assert.equal(fittingEffort('max', efforts, 'high'), 'high');
    assert.equal(fittingEffort('medium', []), undefined);
    for (const effort of efforts) assert.equal(fittingEffort(effort, efforts), effort);
  });

  it('a model is the same one under the name of each provider', () => {
    assert.ok(isSameModel('claude-haiku-4-5-20251001', 'us.anthropic.claude-haiku-4-5-20251001-v1:0'));
    assert.ok(isSameModel('claude-haiku-4-5@20251001', 'claude-haiku-4-5'));
    assert.ok(!isSameModel('claude-opus-5', 'claude-opus-5-5'));
    assert.ok(!isSameModel('claude-opus-4-20250514', 'claude-opus-4-1-20250805'));
    assert.ok(isSameModel('claude-opus-4-20250514', 'claude-opus-4'));
    assert.ok(
      !isSameModel('claude-opus-5', 'anthropic/claude-opus-5.5') &&
        isSameModel('claude-opus-5-5', 'anthropic/claude-opus-5.5'),
    );
    assert.ok(!isSameModel('mine', 'other'));
    assert.deepEqual(
      ['claude-fable-5', 'claude-fable-5-1', 'claude-opus-5', 'claude-opus-5-5', 'claude-haiku-4-5', 'mine'].map(
        (model) => modelFacts(model).thinkingBound === true,
      ),
      [false, true, false, true, false, false],
    );
  });

  it('short jobs do without, or get room for it', () => {
    const job: ModelRequest = {
      model: '',
      max_tokens: 100,
      system: [],
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Name it' }] }],
    };
    const quick = (model: string) => quickRequest({ ...job, model }, capabilitiesOf('anthropic', model));
    assert.deepEqual([quick('claude-opus-5').thinking, quick('claude-opus-5').max_tokens], [{ type: 'disabled' }, 100]);
    assert.deepEqual(quick('claude-haiku-4-5'), { ...job, model: 'claude-haiku-4-5' });
    const always = quick('claude-fable-5');
    assert.deepEqual([always.thinking, always.output_config, always.max_tokens], [undefined, { effort: 'low' }, 4_100]);
    for (const model of ['claude-opus-5', 'claude-haiku-4-5', 'claude-fable-5', 'mystery']) accepted(quick(model));
  });
});
