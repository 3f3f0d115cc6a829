// The models that `fallbackModel` and `--fallback-model` name, by their own names.
import { type FallbackOptions } from '../features/fallback/session-fallback';
import { mayUse } from '../model/available-models';
import { resolveModelName } from '../model/model-name';

type Variables = Readonly<Record<string, string | undefined>>;

/** Whatever names them, and those of the vendor too: only what `availableModels` allows. */
export function fallbackWithin(
  named: string | readonly string[] | undefined,
  available: readonly string[] | undefined,
  environment: Variables,
  refusals: boolean,
): FallbackOptions {
  return {
    models: fallbackModels(named, environment),
    refusals,
    mayUse: (model) => mayUse(model, available, environment),
  };
}

export function fallbackModels(named: string | readonly string[] | undefined, environment: Variables): string[] {
  const names = typeof named === 'string' ? named.split(',') : (named ?? []);
  return [
    ...new Set(
      names
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => resolveModelName(name, environment)),
    ),
  ];
}
