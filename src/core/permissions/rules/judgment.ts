// A verdict in the making: what the parts of decide() return, and which of several weighs most.
import { defined } from '../../../shared/defined';
import { type PermissionRule } from '../../../shared/permission';
import { type PermissionVerdict, type VerdictCode } from './verdict';
import { describeRule, formatRule, shortened } from './rule-syntax';

export type Judgment = Omit<PermissionVerdict, 'suggestions' | 'question'>;

export function allow(code: VerdictCode, reason: string, rule?: PermissionRule): Judgment {
  return { behavior: 'allow', code, reason, ...defined({ rule }) };
}

export function ask(code: VerdictCode, reason: string): Judgment {
  return { behavior: 'ask', code, reason };
}

export function deny(code: VerdictCode, reason: string): Judgment {
  return { behavior: 'deny', code, reason };
}

export function byRule(rule: PermissionRule): Judgment {
  const verb = { allow: 'allows', ask: 'asks about', deny: 'denies' }[rule.behavior];
  return { behavior: rule.behavior, code: 'rule', reason: `The rule ${describeRule(rule)} ${verb} this.`, rule };
}

/** A question about where a command runs, which a rule for the command does not answer. `covers` says what it does. */
export function beyondRule(
  question: Judgment,
  rule: PermissionRule,
  covers = 'covers the command in the workspace only',
): Judgment {
  return { ...question, reason: `${question.reason} The rule \`${formatRule(rule.value)}\` ${covers}.` };
}

/** `reason` completes the sentence. */
export function notPlain(reason: string): Judgment {
  return ask('unparsed-command', `Deft cannot be sure what this command does: ${reason}.`);
}

/** Nobody can read what the command runs: it might be what this rule is about. A question of an ask rule is firm as the rule itself. */
export function mayBeRestricted(command: string, rule: PermissionRule): Judgment {
  const denies = rule.behavior === 'deny';
  return {
    ...byRule(rule),
    behavior: 'ask',
    code: denies ? 'unknown-command' : 'rule',
    reason: `Deft cannot tell which command \`${shortened(command)}\` runs: it may be one that the rule \`${formatRule(rule.value)}\` ${denies ? 'denies' : 'asks about'}.`,
  };
}

/** Deny before ask before allow; among equals the first, but a question that no allow rule can answer before others. */
export function strictest(judgments: readonly Judgment[]): Judgment | undefined {
  return (
    judgments.find(({ behavior }) => behavior === 'deny') ??
    judgments.find(({ behavior, code }) => behavior === 'ask' && firmCodes.has(code)) ??
    judgments.find(({ behavior }) => behavior === 'ask') ??
    judgments[0]
  );
}

const firmCodes: ReadonlySet<VerdictCode> = new Set(['rule', 'critical-path', 'protected-path', 'unparsed-command']);

/** What is said about the first of them of which something is said. */
export function firstOf<Item, Found>(
  items: readonly Item[],
  answer: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A deny rule that cannot be checked only asks: that is another answer. */
export function denying(judgment: Judgment | undefined): Judgment | undefined {
  return judgment?.behavior === 'deny' ? judgment : undefined;
}
