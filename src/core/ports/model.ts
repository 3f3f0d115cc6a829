// What core needs of a model: its Messages API, what of it this provider takes, and which models there are.
import { type ModelCapabilities, type ProviderId, type ReportedCapabilities } from '../wire/model-capabilities';
import { type ModelRequest, type StreamEvent } from '../wire/wire';

export interface ModelInfo {
  id: string;
  displayName: string;
  /** What the provider's list says about it. */
  reported?: ReportedCapabilities;
  /** It goes away, and those who are new to it have it no more. */
  deprecated?: true;
  /** The day, as YYYY-MM-DD, where one is set. */
  retiresOn?: string;
}

/** One provider's Messages API. Streams raw events; throws ModelError, or an abort error when the signal fires. Never retries. */
export interface ModelClient {
  readonly provider: ProviderId;
  /** The same object until the provider's list of models says more. */
  capabilities(model: string): ModelCapabilities;
  /** Messages and tools are never changed once they were sent: clients keep what they have made of them. What the provider does not take is left out. `heard` is called with every sign of life, also those that are no event: pings. */
  stream(request: ModelRequest, signal: AbortSignal, heard?: () => void): AsyncIterable<StreamEvent>;
  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number>;
  listModels(signal: AbortSignal): Promise<ModelInfo[]>;
  /** Answers through an endpoint of one part of the world, at its price; without it, no model does. */
  regional?(model: string): boolean;
  /** Loads ahead of time what the first request needs; sends nothing. */
  prepare?(): Promise<void>;
  /** Credentials that it was given or has fetched: no transcript, log or tool result may show them. Grows. */
  secrets?(): readonly string[];
}
