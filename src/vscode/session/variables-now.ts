// The environment variables that hold in this window: those of VS Code, and over them those of the settings files.
import { type RuleSource } from './rule-source';

export function variablesNow(rules: Pick<RuleSource, 'environment'>): Readonly<Record<string, string | undefined>> {
  return { ...process.env, ...rules.environment() };
}
