// A ModelClient that reports what the output needs and the session does not: raw events, time spent, why a request failed.
import { ModelError, type ModelErrorDetails } from '../core/text/errors';
import { addUsage, noUsage } from '../core/model/usage';
import { type ModelRequest, type StreamEvent, type Usage, type WireUsage } from '../core/wire/wire';
import { type Clock } from '../core/ports/clock';
import { type ModelClient } from '../core/ports/model';

export interface ObservedModel {
  client: ModelClient;
  /** Milliseconds in requests since the last call of this function. */
  takeDuration(): number;
  /** Of the last request that failed. */
  lastFailure(): ModelErrorDetails | undefined;
  /** What the present reply's first event said of its input. */
  startUsage(): Usage | undefined;
}

export function observeModel(
  inner: ModelClient,
  clock: Pick<Clock, 'now'>,
  onEvent: (event: StreamEvent) => void,
  isConversation: (request: ModelRequest) => boolean,
): ObservedModel {
  let duration = 0;
  let failure: ModelErrorDetails | undefined;
  let startUsage: Usage | undefined;
  const client: ModelClient = {
    provider: inner.provider,
    capabilities: (model) => inner.capabilities(model),
    async *stream(request, signal, heard) {
      const before = clock.now();
      // What a tool or an agent asks a model is part of no reply of the conversation.
      const isOwn = isConversation(request);
      try {
        for await (const event of inner.stream(request, signal, heard)) {
          if (isOwn && event.type === 'message_start') startUsage = wholeUsage(event.message.usage);
          if (isOwn) onEvent(event);
          yield event;
        }
      } catch (error) {
        if (isOwn && error instanceof ModelError) failure = error.details;
        throw error;
      } finally {
        duration += clock.now() - before;
      }
    },
    countTokens: (request, signal) => inner.countTokens(request, signal),
    listModels: (signal) => inner.listModels(signal),
    secrets: () => inner.secrets?.() ?? [],
    regional: (model) => inner.regional?.(model) === true,
  };
  return {
    client,
    takeDuration: () => {
      const taken = duration;
      duration = 0;
      return taken;
    },
    lastFailure: () => failure,
    startUsage: () => startUsage,
  };
}

function wholeUsage(more: WireUsage): Usage {
  const usage = noUsage();
  addUsage(usage, more);
  return usage;
}
