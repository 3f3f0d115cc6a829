// A client whose credentials run out: where a provider no longer accepts them, they are fetched anew and the request goes out once more.
import { ModelError } from '../core/text/errors';
import { type ModelClient } from '../core/ports/model';

/** Resolves to whether there is something new to try; throws a ModelError where fetching failed. `refused`: by the provider, not for want of credentials. */
export type Renew = (signal: AbortSignal, refused: boolean) => Promise<boolean>;

export function withRenewal(client: ModelClient, renew: Renew): ModelClient {
  const again = async (error: unknown, signal: AbortSignal): Promise<void> => {
    if (!(error instanceof ModelError) || error.details.kind !== 'authentication' || signal.aborted) throw error;
    if (!(await renew(signal, error.details.status !== undefined))) throw error;
  };
  return {
    get provider() {
      return client.provider;
    },
    capabilities: (model) => client.capabilities(model),
    regional: (model) => client.regional?.(model) === true,
    ...(client.prepare === undefined ? {} : { prepare: () => client.prepare?.() ?? Promise.resolve() }),
    secrets: () => client.secrets?.() ?? [],
    async *stream(request, signal, heard) {
      let begun = false;
      try {
        for await (const event of client.stream(request, signal, heard)) {
          begun = true;
          yield event;
        }
        return;
      } catch (error) {
        // What was shown already must not come twice.
        if (begun) throw error;
        await again(error, signal);
      }
      yield* client.stream(request, signal, heard);
    },
    countTokens: (request, signal) =>
      client.countTokens(request, signal).catch(async (error: unknown) => {
        await again(error, signal);
        return client.countTokens(request, signal);
      }),
    listModels: (signal) =>
      client.listModels(signal).catch(async (error: unknown) => {
        await again(error, signal);
        return client.listModels(signal);
      }),
  };
}
