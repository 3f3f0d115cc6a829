// What a client has fetched is known through everything that stands in front of it, from the moment that it is there.
import assert from 'node:assert/strict';
import { withFastMode } from '../../../../src/core/model/fast-mode';
import { createKnownModels } from '../../../../src/core/model/known-models';
import { withPinnedCapabilities } from '../../../../src/core/loop/pinned-capabilities';
import { type ModelClient } from '../../../../src/core/ports/model';
import { observeModel } from '../../../../src/headless/observed-model';
import { withRenewal } from '../../../../src/providers/renewed-client';

describe("a client's secrets", () => {
  const fetched: string[] = [];
  const inner: ModelClient = {
    provider: 'bedrock',
    capabilities: createKnownModels('bedrock').capabilities,
    async *stream() {
      // Nothing comes.
    },
    countTokens: async () => 1,
    listModels: async () => [],
    secrets: () => fetched,
  };
  const wrappers: Record<string, (client: ModelClient) => ModelClient> = {
    'fast mode': (client) => withFastMode(client, () => undefined),
    'pinned capabilities': (client) => withPinnedCapabilities(client, () => 0),
    'renewed credentials': (client) => withRenewal(client, async () => false),
    'an observed run': (client) =>
      observeModel(
        client,
        { now: () => 0 },
        () => undefined,
        () => true,
      ).client,
  };
  for (const [name, wrap] of Object.entries(wrappers)) {
    it(`grow through ${name}`, () => {
      const wrapped = wrap(inner);
      fetched.push(`secret of ${name}`);
      assert.deepEqual(wrapped.secrets?.(), fetched);
      const { secrets: _secrets, ...without } = inner;
      assert.deepEqual(wrap(without).secrets?.() ?? [], []);
    });
  }
});
