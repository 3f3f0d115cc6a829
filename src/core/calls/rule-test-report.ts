// What a rule that is tried would do, as a document: for one call, or for every call of a session.
import { type PermissionRule, type PermissionRuleValue, type RuleBehavior } from '../../shared/permission';
import { visibleText } from '../../shared/visible-text';
import { formatRule, parseRule } from '../permissions/rules/rule-syntax';
import { type RuleTest, testRule } from '../permissions/test-rule';
import { type PermissionCall, type PermissionContext } from '../permissions/rules/verdict';
import { ruleWarning } from '../settings/rule-warnings';
import { traceText } from './trace-text';

/** The newest calls of a session; the others are counted. */
const maxCalls = 100;

/** As settings files would take it; `problem` is a sentence for the field that it is typed in. */
export function readRule(text: string): { value: PermissionRuleValue } | { problem: string } {
  const value = parseRule(text);
  return value === undefined ? { problem: 'This is not a permission rule: expected `Tool` or `Tool(…)`.' } : { value };
}

export function triedRule(value: PermissionRuleValue, behavior: RuleBehavior, root: string): PermissionRule {
  return { behavior, value, source: 'session', root };
}

export function ruleTestReport(
  rule: PermissionRule,
  calls: readonly PermissionCall[],
  context: PermissionContext,
): string {
  const warning = ruleWarning(rule);
  const tested = calls.slice(-maxCalls).map((call) => ({ call, test: testRule(rule, call, context) }));
  const matching = tested.filter(({ test }) => test.matches !== 'no').length;
  const changing = tested.filter(({ test }) => test.before.behavior !== test.after.behavior).length;
  const left = calls.length - tested.length;
  return (
    [
      `# ${rule.behavior} ${formatRule(rule.value)}`,
      ...(warning === undefined ? [] : [`Warning: ${warning}`]),
      ...(tested.length === 1
        ? []
        : [
            `Of ${tested.length} calls it matches ${matching} and changes the decision for ${changing}.${left > 0 ? ` ${left} earlier calls were left out.` : ''}`,
          ]),
      ...tested.flatMap(({ call, test }) => callReport(call, test)),
    ]
      .map(visibleText)
      .join('\n\n') + '\n'
  );
}

function callReport(call: PermissionCall, { matches, why, before, after }: RuleTest): string[] {
  const verdict =
    before.behavior === after.behavior
      ? `The decision stays the same: ${after.behavior}. ${after.reason}`
      : `The decision changes from ${before.behavior} to ${after.behavior}.\nWithout it: ${before.reason}\nWith it: ${after.reason}`;
  return [
    `## ${titleOf(call)}`,
    `${matchSentence[matches]}${why === undefined ? '' : `: ${why}`}.`,
    verdict,
    `Trace with the rule:\n\n${traceText(after).replace(/^/gm, '    ')}`,
  ];
}

const matchSentence: Record<RuleTest['matches'], string> = {
  yes: 'The rule matches',
  part: 'The rule matches part of the call; to allow it, rules must cover every command of the line',
  no: 'The rule does not match',
};

function titleOf({ tool, targets }: PermissionCall): string {
  const [target] = targets;
  if (target === undefined) return tool;
  return `${tool} ${target.kind === 'command' ? target.command.replaceAll('\n', ' ') : target.kind === 'url' ? target.url : target.path}`;
}
