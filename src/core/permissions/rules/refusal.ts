// What is said to the model where a question would be needed and nobody is asked.
import { type PermissionRuleValue } from '../../../shared/permission';
import { formatRule } from './rule-syntax';
import { type PermissionContext, type PermissionVerdict } from './verdict';

/** `why` nobody is asked, the reason of the question, and what would lift it. */
export function refusal(why: string, question: string, way: string): string {
  const reason = /[.!?]$/.test(question) ? question : `${question}.`;
  return `${why} ${reason} ${way} Do not work around this; say what was not allowed.`;
}

/** Of a line with several commands: which of them were refused. */
export function withParts(reason: string, parts: string | undefined): string {
  return parts === undefined ? reason : `${reason} ${parts}`;
}

/** In the mode that asks nobody, a question is a no; what would have been asked stays with it. */
export function unasked(
  verdict: PermissionVerdict,
  { mode, managedRulesOnly }: Pick<PermissionContext, 'mode' | 'managedRulesOnly'>,
): PermissionVerdict {
  if (verdict.behavior !== 'ask' || mode !== 'dontAsk') return verdict;
  const { parts, ...asked } = verdict;
  const reason = refusal(
    "The permission mode Don't ask denies anything that needs approval.",
    withParts(verdict.reason, parts),
    managedRulesOnly === true ? onlyManagedRules : ruleSentence(verdict.coveredBy),
  );
  return { ...asked, suggestions: [], behavior: 'deny', reason, question: { ...verdict, suggestions: [] } };
}

/** In place of a rule that would help: nobody here can set one. */
export const onlyManagedRules = "Only your organization's rules count here, and none of them permits it.";

/** Which allow rules would have let the call run. */
export function ruleSentence(rules: readonly PermissionRuleValue[] | undefined): string {
  if (rules === undefined) return 'No allow rule can permit it.';
  const { short, hasLong } = shownRules(rules);
  const list = short.map((text) => `\`${text}\``).join(' and ');
  const named = short.length === 1 ? `allow rule ${list}` : `allow rules ${list}`;
  if (!hasLong) return `The ${named} would permit it.`;
  const whole = 'An allow rule that names the whole command, word for word,';
  return short.length === 0 ? `${whole} would permit it.` : `${whole} and the ${named} would permit it together.`;
}

/** A model that is told a whole script once more learns nothing from it, and no shell shows it well. */
export function shownRules(rules: readonly PermissionRuleValue[]): { short: string[]; hasLong: boolean } {
  const texts = rules.map(formatRule);
  const short = texts.filter((text) => text.length <= maxRule && !text.includes('\n'));
  return { short, hasLong: short.length < texts.length };
}

const maxRule = 300;
