// The models that `fallbackModel` and `--fallback-model` name, by their own names.

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

export interface FallbackOptions {
  /** In the order in which they are asked. */
  models: readonly string[];
  /** The user has agreed to it for refusals too: with a flag, since nobody can be asked. */
  refusals: boolean;
  /** What settings let be used at all; default: every model. */
  mayUse?: (model: string) => boolean;
}
