// Why a call was allowed, asked about or refused: the compact fact that the log keeps, and the whole trace that a card shows on demand.
import { type RuleBehavior, type RuleSource } from './permission';

/** Who had the last word on a call. `deft`: what is free or forbidden by itself, without rule, mode or user. `classifier`: the model of auto mode. */
export type Decider = 'rule' | 'mode' | 'user' | 'hook' | 'tool' | 'deft' | 'classifier';

/** Kept with every call. Where the user decided, `code` and `reason` say why Deft asked. */
export interface CallDecision {
  by: Decider;
  behavior: 'allow' | 'deny';
  code: string;
  /** A sentence. */
  reason: string;
  /** The rule as settings write it. */
  rule?: string;
  ruleBehavior?: RuleBehavior;
  source?: RuleSource;
  /** The settings file that holds the rule. */
  file?: string;
}

export type TraceCheck = 'trust' | 'deny' | 'ask' | 'paths' | 'settings' | 'mode' | 'allow' | 'free' | 'rest';

export interface TracedRule {
  /** As settings write it. */
  rule: string;
  behavior: RuleBehavior;
  source: RuleSource;
  file?: string;
  matches: boolean;
  /** Why it does not match, in a few words. */
  why?: string;
}

export interface TraceStep {
  check: TraceCheck;
  /** The command of a line, the path or the address that it is about; left out where it is about the whole call. */
  subject?: string;
  /** What this check said about its subject; left out where it let it pass on. */
  outcome?: RuleBehavior;
  /** The one step that the verdict comes from. */
  decided: boolean;
  /** What was found, for the user. */
  sentence: string;
  rules: TracedRule[];
}

export interface DecisionTrace {
  behavior: RuleBehavior;
  code: string;
  reason: string;
  steps: TraceStep[];
  /** Rules that were looked at and are not listed in `steps`. */
  hiddenRules: number;
  /** Rules that were not looked at: of another tool, or behind what had decided already. */
  otherRules: number;
}

/** A settings file in a sentence: its folder says which of them it is. */
export function shortFile(file: string): string {
  return file.split(/[\\/]/).slice(-2).join('/');
}

/** The sentence with these settings files named shortly: core writes them out whole, for the model and the log. */
export function withShortFiles(sentence: string, files: readonly (string | undefined)[]): string {
  return files.reduce<string>(
    (text, file) => (file === undefined ? text : text.replaceAll(file, () => shortFile(file))),
    sentence,
  );
}

export const checkNames: Readonly<Record<TraceCheck, string>> = {
  trust: 'Workspace trust',
  deny: 'Deny rules',
  ask: 'Ask rules',
  paths: 'Protected and critical paths',
  mode: 'Mode',
  settings: 'Settings files',
  allow: 'Allow rules',
  free: 'Allowed by default',
  rest: 'Otherwise',
};
