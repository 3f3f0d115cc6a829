// Which models may be used, where a settings file names them in `availableModels`.
import { resolveModelName } from './model-name';
import { modelLines, modelVersion } from './model-version';
import { withoutSuffix } from './models';

type Variables = Readonly<Record<string, string | undefined>>;

/** An entry is an id, a version (`claude-opus-5`, with all its dates and as each provider writes it), or a line (`opus`). No list: all may. */
export function mayUse(model: string, available: readonly string[] | undefined, environment: Variables = {}): boolean {
  return (
    available === undefined ||
    available.some((entry) => matches(withoutSuffix(model), withoutSuffix(entry.trim()), environment))
  );
}

/** Undefined: it may be used. Says what to do instead. */
export function refusedModel(
  model: string,
  available: readonly string[] | undefined,
  environment: Variables = {},
): string | undefined {
  if (mayUse(model, available, environment)) return undefined;
  const others = (available ?? []).join(', ');
  return `The model ${model} may not be used here: the setting availableModels allows ${others === '' ? 'none' : `only ${others}`}. ${others === '' ? 'Ask the administrator of your settings.' : 'Pick one of them with /model.'}`;
}

/** The wanted one, or the first that may be used: of those that are usual, then of the list itself. */
export function allowedModel(
  wanted: string,
  available: readonly string[] | undefined,
  usual: readonly (string | undefined)[],
  environment: Variables = {},
): string {
  const [first = wanted] = [wanted, ...usual].filter(
    (model): model is string => model !== undefined && mayUse(model, available, environment),
  );
  if (mayUse(first, available, environment)) return first;
  if (available?.[0] === undefined) return wanted;
  const named = resolveModelName(available[0], environment);
  return mayUse(named, available, environment) ? named : resolveModelName(available[0], {});
}

function matches(model: string, entry: string, environment: Variables): boolean {
  if (entry === model) return true;
  const line = modelVersion(model)?.line;
  const isLine = modelLines.some((one) => one === entry);
  // A variable names a gateway's model for a line; that of another line is not what the list allows.
  if (resolveModelName(entry, environment) === model) return !isLine || line === undefined || line === entry;
  if (isLine) return line === entry;
  const wanted = modelVersion(entry);
  const has = modelVersion(model);
  return (
    wanted !== undefined &&
    has !== undefined &&
    wanted.line === has.line &&
    wanted.version === has.version &&
    /^(?:claude-)?[a-z]+-\d+(?:-\d{1,2})?$/.test(entry)
  );
}
