// Records say by which prices they count: a cloud's reply names the model alone, and not through which endpoint it came.
import assert from 'node:assert/strict';
import { reply, toolUse, withFields } from '../../../support/messages-api/script';
import { createAgentHarness } from '../../../support/agent-harness';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { countSideUsage } from '../../../../src/core/loop/side-usage';
import { createBedrockClient } from '../../../../src/providers/bedrock-client';
import { createVertexClient } from '../../../../src/providers/vertex-client';

const dear = { usage: { input_tokens: 1_000_000, output_tokens: 0 } };

describe('what replies cost at a cloud', () => {
  it('is the price of its regional endpoints, for the conversation and for jobs beside it', async () => {
    for (const [regional, cost] of [
      [true, 6.6],
      [false, 6],
    ] as const) {
      const model = {
        ...createScriptedModel([withFields(reply('Hello.'), dear)], { provider: 'bedrock' }),
        regional: () => regional,
      };
      const harness = createHarness({ model });
      await harness.run('Go');
      countSideUsage(harness.session, 'claude-haiku-4-5', {
        input_tokens: 1_000_000,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      });
      const { costUsd } = harness.chat().usage;
      assert.ok(Math.abs(costUsd - cost) < 1e-9, String(costUsd));
      assert.deepEqual(harness.replayed().usage, harness.chat().usage);
    }
  });

  it("is counted the same for an agent, by what the agent's own record says", async () => {
    const harness = createAgentHarness({
      main: [reply(toolUse('Agent', { description: 'One', prompt: 'One' }, 'a1')), reply('Done.')],
      agents: { One: [withFields(reply('Found.'), dear)] },
    });
    harness.model.regional = () => true;
    await harness.run('Go');
    const [agent] = harness
      .stored()
      .flatMap((record) => (record.type === 'system' && record.subtype === 'side_usage' ? [record] : []));
    assert.deepEqual([agent?.whom, agent?.regional], ['general-purpose: One', true]);
  });

  it('is asked of the client that knows the region', async () => {
    const bedrock = await createBedrockClient({
      variables: { AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'key' },
    });
    assert.deepEqual(
      ['claude-opus-5', 'global.anthropic.claude-opus-5'].map((model) => bedrock.regional?.(model)),
      [true, false],
    );
    const vertex = (region: string) =>
      createVertexClient({ variables: { CLOUD_ML_REGION: region, ANTHROPIC_VERTEX_PROJECT_ID: 'p' } });
    assert.deepEqual(
      ['us-east5', 'global'].map((region) => vertex(region).regional?.('claude-opus-5')),
      [true, false],
    );
  });
});
