// Golden data of context management: what the API is asked to do about the length of a conversation, before and behind its own summary.
import { compaction, reply, withFields } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { matchSnapshot } from './snapshot';

describe('golden context management', () => {
  for (const mode of ['clear', 'compact'] as const) {
    it(mode, async () => {
      const pause = withFields(reply(compaction('## Goal\n\nSay one word.')), {
        stopReason: 'compaction',
        usage: { input_tokens: 0, output_tokens: 0 },
      });
      const model = createScriptedModel(
        [
          withFields(reply('One.'), { usage: { input_tokens: 600_000 } }),
          ...(mode === 'compact' ? [pause] : []),
          reply('Two.'),
        ],
        { provider: 'anthropic' },
      );
      const harness = createHarness({ model, session: { contextManagement: () => mode } });
      await harness.run('Say a word');
      await harness.run('And another');
      const asked = [model.requests[0], model.requests.at(-1)].map((request) => ({
        betas: request?.betas,
        context_management: request?.context_management,
        beginning: request?.messages[0]?.content.slice(0, 1),
      }));
      matchSnapshot(`context-${mode}.json`, JSON.stringify(asked, undefined, 2));
    });
  }
});
