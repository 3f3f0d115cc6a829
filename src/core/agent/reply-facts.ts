// What a reply's record says beyond its tokens, where the table of models alone would be wrong about it.
import { type ProviderId } from '../model/capabilities';
import { modelFacts } from '../model/models';
import { type ModelClient } from '../ports/model';

export interface ReplyFacts {
  /** Of the model at its provider. */
  contextWindow?: number;
  /** Whose prices are not those of the vendor's own API. */
  provider?: ProviderId;
}

export function replyFacts(asked: string, answered: string, model: Pick<ModelClient, 'provider' | 'capabilities'>): ReplyFacts {
  const { provider } = model;
  const { contextWindow } = model.capabilities(asked);
  return {
    ...(contextWindow === modelFacts(answered).contextWindow || provider === 'demo' ? {} : { contextWindow }),
    ...(provider === 'anthropic' || provider === 'gateway' || provider === 'demo' ? {} : { provider }),
  };
}
