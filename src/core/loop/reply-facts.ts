// What a reply's record says beyond its tokens, where the table of models alone would be wrong about it.
import { defined } from '../../shared/defined';
import { type ProviderId } from '../wire/model-capabilities';
import { modelFacts } from '../model/models';
import { type ModelClient } from '../ports/model';

/** Contained in every record that counts tokens. */
export interface PriceFacts {
  /** Whose prices are not those of the vendor's own API. */
  provider?: ProviderId;
  /** Through an endpoint of one part of the world. The reply itself names the model alone. */
  regional?: true;
}

export interface ReplyFacts extends PriceFacts {
  /** The model's window at its provider. */
  contextWindow?: number;
}

export function replyFacts(
  asked: string,
  answered: string,
  model: Pick<ModelClient, 'provider' | 'capabilities' | 'regional'>,
): ReplyFacts {
  const { contextWindow } = model.capabilities(asked);
  return {
    ...(contextWindow === modelFacts(answered).contextWindow || model.provider === 'demo' ? {} : { contextWindow }),
    ...priceFacts(asked, model),
  };
}

export function priceFacts(asked: string, model: Pick<ModelClient, 'provider' | 'regional'>): PriceFacts {
  const { provider } = model;
  return {
    ...(provider === 'anthropic' || provider === 'gateway' || provider === 'demo' ? {} : { provider }),
    ...(model.regional?.(asked) === true ? { regional: true } : {}),
  };
}

/** The same of a record. */
export function pricedAs({ provider, regional }: PriceFacts): PriceFacts {
  return { ...defined({ provider, regional }) };
}
