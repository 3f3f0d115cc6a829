// Looks for the rule that matches, and reports it to a recorder if there is one. Without a recorder it costs nothing.
import { type PermissionRule, type RuleBehavior } from '../../../shared/permission';
import { type TraceRecorder } from './verdict';

/** The first rule that matches; the recorder is notified of it and of those before it. */
export function firstRule(
  rules: readonly PermissionRule[],
  check: RuleBehavior,
  subject: string,
  recorder: TraceRecorder | undefined,
  matches: (rule: PermissionRule) => boolean,
): PermissionRule | undefined {
  const found = rules.find(matches);
  recorder?.looked(check, subject, rules, found);
  return found;
}
