// The environment variables that hold in this window: those of VS Code, and over them those of the settings files.
import { type RuleSource } from './rule-source';

/** Which hooks and servers inherit though they look like credentials: the user names them for the processes of Deft. */
export function passedVariables(rules: Pick<RuleSource, 'environment' | 'values'>): string[] {
  return [...Object.keys(rules.environment()), ...(rules.values().visibleVariables ?? [])];
}

export function variablesNow(rules: Pick<RuleSource, 'environment'>): Readonly<Record<string, string | undefined>> {
  return { ...process.env, ...rules.environment() };
}
