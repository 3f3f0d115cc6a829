// A verdict in the making: what the parts of decide() return, and which of several weighs most.
import { type PermissionRule } from '../../shared/permission';
import { type PermissionVerdict, type VerdictCode } from './rules/verdict';
import { describeRule } from './rules/rule-syntax';

export type Judgement = Omit<PermissionVerdict, 'suggestions' | 'question'>;

export function allow(code: VerdictCode, reason: string, rule?: PermissionRule): Judgement {
  return { behavior: 'allow', code, reason, ...(rule === undefined ? {} : { rule }) };
}

export function ask(code: VerdictCode, reason: string): Judgement {
  return { behavior: 'ask', code, reason };
}

export function deny(code: VerdictCode, reason: string): Judgement {
  return { behavior: 'deny', code, reason };
}

export function byRule(rule: PermissionRule): Judgement {
  const verb = { allow: 'allows', ask: 'asks about', deny: 'denies' }[rule.behavior];
  return { behavior: rule.behavior, code: 'rule', reason: `The rule ${describeRule(rule)} ${verb} this.`, rule };
}

/** Deny before ask before allow; among equals the first, but a question that no leave can answer before others. */
export function strictest(judgements: readonly Judgement[]): Judgement | undefined {
  return (
    judgements.find(({ behavior }) => behavior === 'deny') ??
    judgements.find(({ behavior, code }) => behavior === 'ask' && firmCodes.has(code)) ??
    judgements.find(({ behavior }) => behavior === 'ask') ??
    judgements[0]
  );
}

const firmCodes: ReadonlySet<VerdictCode> = new Set(['rule', 'critical-path', 'protected-path', 'unparsed-command']);

export const planReason =
  'Plan mode only looks: it changes no files and runs nothing that could. Finish the plan and show it; the person decides when work starts.';
