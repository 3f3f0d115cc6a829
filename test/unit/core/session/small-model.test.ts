// Jobs of the small model: which model that is, and what they add to the session's cost and counts.
import assert from 'node:assert/strict';
import { smallModelOf } from '../../../../src/core/model/models';
import { costOf } from '../../../../src/core/model/prices';
import { webSearchTool } from '../../../../src/core/tools/web/web-search';
import { summariseTurn } from '../../../../src/headless/turn-summary';
import { rawBlock, reply, toolUse, withFields } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const usage = { input_tokens: 1_000, output_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const searches = (count: number) =>
  withFields(
    reply(
      ...Array.from({ length: count }, (_, index) =>
        rawBlock({ type: 'server_tool_use', id: `srv_${index}`, name: 'web_search', input: {} }),
      ),
      'Found.',
    ),
    { usage },
  );

function searching(id: string, count: number) {
  return createScriptedModel([reply(toolUse('WebSearch', { query: 'node lts' }, id)), searches(count), reply('Done.')]);
}

describe('the small model', () => {
  it('is named by the environment, else by Deft', () => {
    assert.equal(smallModelOf({ ANTHROPIC_DEFAULT_HAIKU_MODEL: 'small-one' }), 'small-one');
    assert.equal(smallModelOf({ ANTHROPIC_SMALL_FAST_MODEL: 'older-name' }), 'older-name');
    assert.equal(
      smallModelOf({ ANTHROPIC_DEFAULT_HAIKU_MODEL: 'small-one', ANTHROPIC_SMALL_FAST_MODEL: 'older-name' }),
      'small-one',
    );
    for (const none of [{}, { ANTHROPIC_DEFAULT_HAIKU_MODEL: '' }])
      assert.equal(smallModelOf(none), 'claude-haiku-5-5');
  });

  it('is asked under that name, and what it took is in the cost of the session, apart', async () => {
    const model = searching('s', 1);
    const harness = createHarness({ model, tools: [webSearchTool], session: { smallModel: 'gateway-haiku-4-5' } });
    await harness.run('Search');
    assert.deepEqual(
      model.requests.map((request) => request.model),
      ['claude-opus-5', 'gateway-haiku-4-5', 'claude-opus-5'],
    );
    const price = costOf('gateway-haiku-4-5', usage) ?? assert.fail();
    for (const { usage: shown } of [harness.chat(), harness.replayed()]) {
      const [main, small] = shown.byModel;
      assert.deepEqual([main?.model, small?.model, small?.costUsd], ['claude-opus-5', 'gateway-haiku-4-5', price]);
      assert.ok(Math.abs(shown.costUsd - (main?.costUsd ?? 0) - price) < 1e-9);
      assert.ok(shown.contextTokens < 1_000, 'the window is that of the conversation');
    }
    const summary = summariseTurn(harness.stored());
    assert.deepEqual(summary.byModel.get('gateway-haiku-4-5'), { usage, dollars: price }, 'also in a headless run');
    assert.ok(summary.usage.input_tokens < 1_000);
  });

  it('searches no more in a resumed session than is left of it', async () => {
    const first = createHarness({ model: searching('s1', 7), tools: [webSearchTool] });
    await first.run('Search');
    const again = createHarness({ model: searching('s2', 1), tools: [webSearchTool], records: first.stored() });
    assert.equal(again.session.surroundings.earlierSearches, 7);
    assert.equal(createHarness({ model: searching('s3', 1) }).session.surroundings.earlierSearches, 0);
  });
});
