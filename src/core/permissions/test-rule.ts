// Tries a rule that is in no settings file yet against a call: whether it matches, and what it would change.
import { type DecisionTrace } from '../../shared/decision-trace';
import { type PermissionRule } from '../../shared/permission';
import { explain } from './explain';
import { formatRule } from './rules/rule-syntax';
import { type PermissionCall, type PermissionContext } from './rules/verdict';

export interface RuleTest {
  /** `part`: an allow rule that covers some of a line's commands, but not all. */
  matches: 'yes' | 'part' | 'no';
  /** Why it does not match. */
  why?: string;
  /** Without and with the rule. */
  before: DecisionTrace;
  after: DecisionTrace;
}

/** The rule is put before all others. */
export function testRule(rule: PermissionRule, call: PermissionCall, context: PermissionContext): RuleTest {
  const before = explain(call, context);
  const after = explain(call, { ...context, rules: [rule, ...context.rules] });
  // Alone, in a mode that leaves everything to rules, nothing else answers first.
  const alone = explain(call, { ...context, mode: 'default', trusted: true, brokenSettings: [], rules: [rule] });
  const text = formatRule(rule.value);
  const traced = alone.steps
    .flatMap(({ rules }) => rules)
    .filter((one) => one.rule === text && one.behavior === rule.behavior);
  const found = traced.some(({ matches }) => matches);
  const uncovered = rule.behavior === 'allow' && traced.some(({ matches }) => !matches) && alone.behavior !== 'allow';
  if (found) return { matches: uncovered ? 'part' : 'yes', before, after };
  const [miss] = traced;
  return { matches: 'no', why: miss?.why ?? missed(call, alone), before, after };
}

/** The rule was not even looked at. */
function missed(call: PermissionCall, alone: DecisionTrace): string {
  const check = alone.steps.find(({ decided }) => decided)?.check;
  const before = check === 'paths' || alone.code === 'unparsed-command';
  return before ? `allow rules do not apply here. ${alone.reason}` : `it does not concern ${call.tool} with this input`;
}
