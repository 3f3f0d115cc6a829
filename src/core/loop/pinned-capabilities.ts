// A session's view of its models: what it has built requests by stays so, though more is learned, or the cache would be lost.
import { type ModelClient } from '../ports/model';
import { followLog } from '../sessions/follow-log';
import { type ModelCapabilities } from '../wire/model-capabilities';

/**
 * From a session's first request of a model on, the model's capabilities stay the same objects until `epoch` or the provider
 * changes: a compacted conversation is read again in any case.
 */
export function withPinnedCapabilities(model: ModelClient, epoch: () => number): ModelClient {
  const given = new Map<string, ModelCapabilities>();
  const pinned = new Map<string, ModelCapabilities>();
  let at = '';
  const view = (id: string): ModelCapabilities => {
    const now = `${model.provider} ${epoch()}`;
    if (now !== at) pinned.clear();
    at = now;
    const can = pinned.get(id) ?? model.capabilities(id);
    given.set(id, can);
    return can;
  };
  return {
    get provider() {
      return model.provider;
    },
    capabilities: view,
    async *stream(request, signal, heard) {
      // What the request was built by, though the list may have come since.
      const can = pinned.get(request.model) ?? given.get(request.model) ?? view(request.model);
      pinned.set(request.model, can);
      yield* model.stream(request, signal, heard);
    },
    countTokens: (request, signal) => model.countTokens(request, signal),
    listModels: (signal) => model.listModels(signal),
    regional: (id) => model.regional?.(id) === true,
    ...(model.prepare === undefined ? {} : { prepare: () => model.prepare?.() ?? Promise.resolve() }),
    secrets: () => model.secrets?.() ?? [],
  };
}

/** Another number whenever what was said so far is sent as another text: it was compacted, or that was undone or edited. */
export const historyEpoch = followLog(0, (epoch, record) =>
  record.type === 'system' && record.subtype.startsWith('compact_') ? epoch + 1 : epoch,
);
