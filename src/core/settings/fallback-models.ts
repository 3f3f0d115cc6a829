// The models that `fallbackModel` and `--fallback-model` name, by their own names.
import { resolveModelName } from '../model/model-name';

export function fallbackModels(named: string | readonly string[] | undefined, environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = typeof named === 'string' ? named.split(',') : (named ?? []);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== '').map((name) => resolveModelName(name, environment)))];
}
