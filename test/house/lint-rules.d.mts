import type { ESLint, Linter } from 'eslint';

/** What a function or an interface may have at most. */
export const caps: Readonly<Record<'functionLines' | 'complexity' | 'parameters' | 'members', number>>;
export const capRules: Readonly<Record<string, Linter.RuleEntry>>;
export const house: ESLint.Plugin;
