// Fast mode: the same model at a higher speed and price, where the API offers it; what it refuses continues at normal speed.
import { ModelError } from '../text/errors';
import { type ModelClient } from '../ports/model';
import { fastModeBeta } from './betas';
import { type ModelRequest } from '../wire/wire';

/** `refused` receives the reason why fast mode was unavailable; the request has then continued without it. */
export function withFastMode(model: ModelClient, refused: (why: string) => void): ModelClient {
  return {
    get provider() {
      return model.provider;
    },
    capabilities: (id) => model.capabilities(id),
    async *stream(request, signal, heard) {
      if (request.speed !== 'fast') return yield* model.stream(request, signal, heard);
      let begun = false;
      try {
        for await (const event of model.stream(request, signal, heard)) {
          begun = true;
          yield event;
        }
      } catch (error) {
        if (begun || signal.aborted || !isAboutSpeed(error)) throw error;
        refused(error.message);
        yield* model.stream(atNormalSpeed(request), signal, heard);
      }
    },
    countTokens: (request, signal) => model.countTokens(atNormalSpeed(request), signal),
    listModels: (signal) => model.listModels(signal),
    regional: (id) => model.regional?.(id) === true,
    ...(model.prepare === undefined ? {} : { prepare: () => model.prepare?.() ?? Promise.resolve() }),
    secrets: () => model.secrets?.() ?? [],
  };
}

/** Fast mode has a rate limit of its own, and accounts and gateways without it refuse the field. */
function isAboutSpeed(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  const { kind } = error.details;
  return (
    kind === 'rate_limit' ||
    kind === 'spend_limit' ||
    kind === 'overloaded' ||
    (['invalid_request', 'permission'].includes(kind) && /speed|fast/i.test(error.message))
  );
}

function atNormalSpeed({ speed: _speed, betas = [], ...request }: ModelRequest): ModelRequest {
  const others = betas.filter((beta) => beta !== fastModeBeta);
  return { ...request, ...(others.length === 0 ? {} : { betas: others }) };
}
