// The table of betas: each goes along exactly when a field needs it, or when somebody names it; one switch strips all.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { betas, betasFor } from '../../../../src/core/model/betas';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { fitRequest } from '../../../../src/core/model/fit-request';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { refuseBody } from '../../../support/messages-api/validate-request';

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'claude-opus-5',
  max_tokens: 1,
  system: [],
  tools: [],
  messages: [],
  ...more,
});
const can = { betas: true };
const compacted: ModelRequest['messages'] = [
  { role: 'user', content: [{ type: 'text', text: 'a' }] },
  { role: 'assistant', content: [{ type: 'compaction', content: 'Sum.', encrypted_content: 'e' }] },
  { role: 'user', content: [{ type: 'text', text: 'b' }] },
];

/** What needs each beta of `auto`. */
const needing: Record<string, [ModelRequest, ModelRequest]> = {
  'context-management-2025-06-27': [
    request({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
    request({ context_management: { edits: [{ type: 'compact_20260112' }] } }),
  ],
  'compact-2026-01-12': [request({ context_management: { edits: [{ type: 'compact_20260112' }] } }), request()],
  'fast-mode-2026-02-01': [request({ speed: 'fast' }), request({ speed: 'fast', model: 'claude-opus-5-5' })],
  'context-1m-2025-08-07': [request({ model: 'claude-sonnet-4-5[1m]' }), request({ model: 'claude-opus-5[1m]' })],
  'interleaved-thinking-2025-05-14': [
    request({ model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 } }),
    request({ model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 } }),
  ],
  'thinking-binding-controls-2026-08-01': [
    request({ thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } }),
    request({ thinking: { type: 'adaptive' } }),
  ],
};

describe('betas', () => {
  for (const { name, state } of betas) {
    it(`${name} (${state})`, () => {
      assert.match(name, /^[a-z0-9-]+-20\d\d-\d\d-\d\d$/);
      assert.equal(betasFor(request(), can).includes(name), false, 'not by itself');
      if (state === 'auto') {
        const [needed, not] = needing[name] ?? assert.fail(`no request that needs ${name}`);
        assert.equal(betasFor(needed, can).includes(name), true);
        assert.equal(betasFor({ ...not, betas: [name] }, can).includes(name), false, 'no field needs it');
      } else {
        assert.deepEqual(betasFor(request({ betas: [name, name] }), can), [name], 'for who names it');
      }
      assert.deepEqual(
        betasFor({ ...(needing[name]?.[0] ?? request()), betas: [name] }, { betas: false }),
        [],
        'one switch strips all',
      );
    });
  }

  it('has every beta of the SDK that is installed', async () => {
    const types = await readFile('node_modules/@anthropic-ai/sdk/resources/beta/beta.d.ts', 'utf8');
    const names =
      /export type AnthropicBeta = ([^;]+);/
        .exec(types)?.[1]
        ?.match(/'[^']+'/g)
        ?.map((name) => name.slice(1, -1)) ?? [];
    assert.ok(names.length > 40);
    assert.deepEqual(
      names.filter((name) => !betas.some((beta) => beta.name === name)),
      [],
    );
    assert.equal(new Set(betas.map(({ name }) => name)).size, betas.length);
  });

  it('keeps a beta that the table does not know', () =>
    assert.deepEqual(betasFor(request({ betas: ['new-2027-01-01'] }), can), ['new-2027-01-01']));

  it('takes header and field together away where betas are off', () => {
    const full = request({
      speed: 'fast',
      betas: ['x-2026-01-01'],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }] },
    });
    for (const facts of [{ withoutBetas: true }, { features: 'plain' as const }]) {
      const sent = fitRequest(full, capabilitiesOf('anthropic', 'claude-opus-5', facts));
      assert.deepEqual([sent.betas, sent.speed, sent.context_management], [undefined, undefined, undefined]);
    }
    const sent = fitRequest(
      { ...full, model: 'claude-opus-5-5' },
      capabilitiesOf('anthropic', 'claude-opus-5-5', { withoutBetas: true }),
    );
    assert.deepEqual([sent.betas, sent.speed], [undefined, 'fast'], 'what is released needs no header');
  });

  it('goes along with a compaction that the history holds, wherever it stands and though none is asked for', () => {
    const refusals = (messages: ModelRequest['messages']): unknown => {
      const { betas: named = [], ...body } = fitRequest(
        request({ messages }),
        capabilitiesOf('anthropic', 'claude-opus-5'),
      );
      const sent = [{ blocks: [{ type: 'compaction' as const, content: 'Sum.', encrypted: 'e' }] }];
      return refuseBody(
        body,
        { 'anthropic-version': '2023-06-01', ...(named.length === 0 ? {} : { 'anthropic-beta': named.join(',') }) },
        sent,
        {},
        false,
      )?.violations;
    };
    assert.equal(refusals(compacted), undefined);
    assert.equal(refusals(compacted.slice(1)), undefined);
    assert.deepEqual(
      fitRequest(request({ messages: compacted }), capabilitiesOf('gateway', 'claude-opus-5')).betas,
      undefined,
      'elsewhere it is a text',
    );
  });

  it('opens the long window of an older model by its suffix, which the wire never sees', () => {
    const sent = fitRequest(
      request({ model: 'claude-sonnet-4-5[1m]' }),
      capabilitiesOf('anthropic', 'claude-sonnet-4-5[1m]'),
    );
    assert.deepEqual([sent.model, sent.betas], ['claude-sonnet-4-5', ['context-1m-2025-08-07']]);
    // The window counts where the header is sent, and nowhere else.
    for (const [provider, facts] of [
      ['anthropic', {}],
      ['anthropic', { withoutBetas: true }],
      ['gateway', {}],
      ['gateway', { forced: { betas: true } }],
      ['bedrock', {}],
      ['vertex', {}],
      ['foundry', {}],
      ['vscode', {}],
    ] as const) {
      const can = capabilitiesOf(provider, 'claude-sonnet-4-5[1m]', facts);
      const { betas = [] } = fitRequest(request({ model: 'claude-sonnet-4-5[1m]' }), can);
      const expected = betas.includes('context-1m-2025-08-07') ? 1_000_000 : 200_000;
      assert.equal(can.contextWindow, expected, `${provider} ${JSON.stringify(facts)}`);
    }
    assert.equal(capabilitiesOf('anthropic', 'claude-sonnet-4-5[1m]', { withoutBetas: true }).contextWindow, 200_000);
    assert.deepEqual(
      fitRequest(request({ model: 'claude-opus-5-5[1m]' }), capabilitiesOf('anthropic', 'claude-opus-5-5[1m]')),
      request({ model: 'claude-opus-5-5' }),
    );
  });
});
